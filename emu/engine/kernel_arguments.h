/// The arguments of a launch with their names, so that reports can speak of memory as the kernel does.
#pragma once

#include <offgrid/emu/launch.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace offgrid::emu {

/// A pointer that a launch got, or a word of an object that may be one: whether it is an address of anything is for
/// the caller to find out.
struct KernelArgument {
  unsigned index = 0;  ///< of the argument
  std::string name;    ///< "win", "rest...[1]" in a pack; "params+16": the word at byte 16 of an object; empty: unnamed
  bool is_pointer = false;        ///< declared as one
  std::uintptr_t value = 0;       ///< the address; 0 for values that can hold none
  std::size_t pointee_bytes = 1;  ///< 1 also for void and incomplete types
  std::string pointee;            ///< "float", "__half", "unsigned int", "void"; empty unless is_pointer
  bool has_elements = false;      ///< a pointer whose pointee_bytes are known
  bool is_const = false;          ///< the pointee
  bool is_restrict = false;
  bool has_padding = false;  ///< the pointee, perhaps
};

/// In the order of the parameters. An object, and a 64-bit number, yields one for each of its 8-byte words that is not
/// 0, whatever its class: only its bytes are read.
std::vector<KernelArgument> kernel_arguments(const KernelDescriptor& kernel, const void* closure);

/// "unsigned int" from `const char* type_text() [T = unsigned int]` (clang) or `[with T = unsigned int]` (g++).
std::string type_name(std::string_view text);

}  // namespace offgrid::emu

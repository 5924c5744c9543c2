// Names from the rewriter's list, types from the compiler's constants, values from the closure.
#include "engine/kernel_arguments.h"

#include <offgrid/emu/argument_type.h>

#include <algorithm>
#include <cstring>

namespace offgrid::emu {
namespace {

void erase_all(std::string& text, std::string_view part) {
  for (std::size_t at; (at = text.find(part)) != std::string::npos;) text.erase(at, part.size());
}

// The order of words that C++ programmers write, for g++'s.
std::string usual_spelling(std::string_view type) {
  struct Row {
    std::string_view gcc, usual;
  };
  static constexpr Row kRows[] = {{"short int", "short"},         {"short unsigned int", "unsigned short"},
                                  {"long int", "long"},           {"long unsigned int", "unsigned long"},
                                  {"long long int", "long long"}, {"long long unsigned int", "unsigned long long"}};
  for (const Row& row : kRows) {
    if (type == row.gcc) return std::string(row.usual);
  }
  return std::string(type);
}

// The parts of the rewriter's list: "a,,rest..." -> "a", "", "rest...".
std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0, end; begin <= list.size(); begin = end + 1) {
    end = std::min(list.find(',', begin), list.size());
    parts.emplace_back(list.substr(begin, end - begin));
  }
  return parts;
}

bool is_pack(std::string_view name) { return name.size() >= 3 && name.substr(name.size() - 3) == "..."; }

// One name an argument. A pack takes the arguments that the others leave; where two packs share them is not known.
std::vector<std::string> argument_names(std::string_view list, std::size_t count) {
  std::vector<std::string> names;
  const std::vector<std::string> parts = split(list);
  const bool known = std::count_if(parts.begin(), parts.end(), is_pack) < 2;
  for (const std::string& part : parts) {
    if (!is_pack(part)) {
      names.push_back(part);
    } else if (!known) {
      break;
    } else {
      for (std::size_t i = 0; i + parts.size() <= count; ++i)
        names.push_back(part == "..." ? std::string() : part + "[" + std::to_string(i) + "]");
    }
  }
  names.resize(count);
  return names;
}

std::uintptr_t word_at(const unsigned char* bytes) {
  std::uintptr_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

void add_words(std::vector<KernelArgument>& arguments, const KernelArgument& object, const unsigned char* bytes,
               std::size_t size) {
  constexpr std::size_t kWord = sizeof(std::uintptr_t);
  for (std::size_t at = 0; at + kWord <= size; at += kWord) {
    KernelArgument word = object;
    word.value = word_at(bytes + at);
    if (word.value == 0) continue;
    if (size != kWord && !word.name.empty()) word.name += "+" + std::to_string(at);
    arguments.push_back(std::move(word));
  }
}

}  // namespace

std::string type_name(std::string_view text) {
  constexpr std::string_view kBinding = "T = ";
  if (const std::size_t at = text.find(kBinding); at != std::string_view::npos)
    text.remove_prefix(at + kBinding.size());
  if (!text.empty() && text.back() == ']') text.remove_suffix(1);
  std::string name = usual_spelling(text.substr(0, text.find("; ")));  // g++ goes on with the typedefs it used
  erase_all(name, "(anonymous namespace)::");
  erase_all(name, "{anonymous}::");
  for (std::size_t at; (at = name.find(" *")) != std::string::npos;) name.erase(at, 1);
  return name;
}

std::vector<KernelArgument> kernel_arguments(const KernelDescriptor& kernel, const void* closure) {
  std::vector<KernelArgument> arguments;
  const std::vector<std::string> names = argument_names(kernel.parameters, kernel.arguments);
  for (unsigned i = 0; i < kernel.arguments; ++i) {
    const ArgumentType& type = kernel.argument_types[i];
    const auto* bytes = static_cast<const unsigned char*>(closure) + type.offset;
    KernelArgument argument;
    argument.index = i;
    argument.name = names[i];
    switch (type.kind) {
      case ArgumentType::Kind::kPointer:
        argument.is_pointer = true;
        argument.value = word_at(bytes);
        argument.has_elements = type.pointee_bytes != 0;
        argument.pointee_bytes = std::max(type.pointee_bytes, 1u);
        argument.pointee = type_name(type.pointee_text);
        argument.is_const = type.is_const;
        argument.is_restrict = type.is_restrict;
        argument.has_padding = type.has_padding;
        [[fallthrough]];
      case ArgumentType::Kind::kValue:
        arguments.push_back(std::move(argument));
        break;
      case ArgumentType::Kind::kWords:
        add_words(arguments, argument, bytes, type.bytes);
    }
  }
  return arguments;
}

}  // namespace offgrid::emu

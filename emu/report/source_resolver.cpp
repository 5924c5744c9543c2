#include "report/source_resolver.h"

#include <dlfcn.h>

#include <cstdio>
#include <filesystem>
#include <string_view>

#if OFFGRID_HAVE_LIBBACKTRACE
#include <backtrace.h>
#endif

namespace offgrid::emu {
namespace {

/// libbacktrace of gcc 12 puts the compilation folder also in front of a compiled file's absolute name (DWARF 5). If
/// there is no such file, but one under a tail of the name, that is the one.
[[maybe_unused]] std::string repaired_path(const std::string& path) {
  std::error_code ignored;
  for (std::size_t at = 0; at != std::string::npos; at = path.find('/', at + 1)) {
    if (path[at] == '/' && path[at + 1] != '/' && std::filesystem::exists(path.substr(at), ignored)) {
      return path.substr(at);
    }
  }
  return path;
}

/// The name of the symbol and module around `pc`, as far as the dynamic linker knows them.
CodeFrame symbol_frame(std::uintptr_t pc, const char* symbol, std::uintptr_t symbol_value) {
  Dl_info info{};
  const bool in_module = dladdr(reinterpret_cast<void*>(pc), &info) != 0 && info.dli_fname != nullptr;
  if (symbol == nullptr && in_module && info.dli_sname != nullptr) {
    symbol = info.dli_sname;
    symbol_value = reinterpret_cast<std::uintptr_t>(info.dli_saddr);
  }
  if (!in_module && symbol == nullptr) return {"", 0, "code that belongs to no module"};
  const std::uintptr_t base = symbol ? symbol_value : reinterpret_cast<std::uintptr_t>(info.dli_fbase);
  char offset[32];
  std::snprintf(offset, sizeof offset, "+0x%zx", static_cast<std::size_t>(pc - base));
  std::string_view module = in_module ? info.dli_fname : "";
  module.remove_prefix(module.rfind('/') == std::string_view::npos ? 0 : module.rfind('/') + 1);
  if (symbol == nullptr) return {"", 0, std::string(module) + offset};
  return {"", 0, short_function_name(symbol) + offset + (module.empty() ? "" : " in " + std::string(module))};
}

#if OFFGRID_HAVE_LIBBACKTRACE

/// True for code of the system's libraries: their own lines, known only where debug packages are installed, tell a
/// kernel's author nothing.
bool is_system_code(std::uintptr_t pc) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(pc), &info) == 0 || info.dli_fname == nullptr) return false;
  const std::string_view module = info.dli_fname;
  return module.find(".so") != module.npos && (module.rfind("/lib", 0) == 0 || module.rfind("/usr/lib", 0) == 0);
}

void ignore_error(void*, const char*, int) {}

backtrace_state* state() {
  static backtrace_state* const created = backtrace_create_state(nullptr, 1, ignore_error, nullptr);
  return created;
}

struct Frames {
  std::vector<CodeFrame> known;
  bool lacks_a_line = false;  // clang merges instructions of two places into one of line 0
};

int add_frame(void* frames, std::uintptr_t, const char* file, int line, const char* function) {
  auto& all = *static_cast<Frames*>(frames);
  if (file != nullptr && line <= 0) all.lacks_a_line = true;
  if (file == nullptr || line <= 0) return 0;
  const std::string name = function ? short_function_name(function) : "";
  all.known.push_back({repaired_path(file), static_cast<unsigned>(line), name});
  return 0;
}

void take_begin(void* begin, std::uintptr_t, const char*, std::uintptr_t value, std::uintptr_t) {
  *static_cast<std::uintptr_t*>(begin) = value;
}

/// The frames at an address; for one of line 0 those of the code just before it in the same function, if they are
/// known.
std::vector<CodeFrame> frames_at(std::uintptr_t pc) {
  constexpr std::uintptr_t kLookBack = 64;  // a few instructions
  Frames here;
  backtrace_pcinfo(state(), pc, add_frame, ignore_error, &here);
  if (!here.lacks_a_line) return here.known;
  std::uintptr_t begin = pc;
  backtrace_syminfo(state(), pc, take_begin, ignore_error, &begin);
  for (std::uintptr_t at = pc; at > begin && pc - at < kLookBack;) {
    Frames before;
    backtrace_pcinfo(state(), --at, add_frame, ignore_error, &before);
    if (!before.known.empty() && !before.lacks_a_line) return before.known;
  }
  return here.known;
}

/// The short name of the symbol at an address, into a string.
void take_name(void* name, std::uintptr_t, const char* symbol, std::uintptr_t, std::uintptr_t) {
  if (symbol != nullptr) *static_cast<std::string*>(name) = short_function_name(symbol);
}

void take_symbol(void* frame, std::uintptr_t pc, const char* symbol, std::uintptr_t value, std::uintptr_t) {
  if (symbol != nullptr) *static_cast<CodeFrame*>(frame) = symbol_frame(pc, symbol, value);
}

#endif

}  // namespace

#if OFFGRID_HAVE_LIBBACKTRACE

bool can_resolve_lines() { return true; }

std::vector<CodeFrame> resolve_code(std::uintptr_t pc) {
  std::vector<CodeFrame> frames;
  if (state() != nullptr && !is_system_code(pc)) frames = frames_at(pc);
  if (!frames.empty()) {
    // Line tables alone name only inlined functions; the outermost one is a symbol of the program.
    std::string& outermost = frames.back().function;
    if (outermost.empty()) backtrace_syminfo(state(), pc, take_name, ignore_error, &outermost);
    return frames;
  }
  CodeFrame symbol;
  if (state() != nullptr) backtrace_syminfo(state(), pc, take_symbol, ignore_error, &symbol);
  if (symbol.function.empty()) symbol = symbol_frame(pc, nullptr, 0);
  return {symbol};
}

#else

bool can_resolve_lines() { return false; }

std::vector<CodeFrame> resolve_code(std::uintptr_t pc) { return {symbol_frame(pc, nullptr, 0)}; }

#endif

}  // namespace offgrid::emu

#include "cli/cc/checked.h"

#include <charconv>
#include <optional>

#include "cli/cc/options.h"
#include "cli/cc/process.h"

namespace offgrid::emu::cli {
namespace {

constexpr int kOldestClang = 15;  // 14 crashes at every catch
constexpr int kOldestGcc = 11;    // the first with both tsan parameters

/// The number behind `#define NAME`; 0 behind any other text, nothing if there is no such line.
std::optional<int> macro_value(std::string_view macros, std::string_view name) {
  const std::string start = "#define " + std::string(name) + " ";
  const std::size_t at = macros.find(start);
  if (at == macros.npos) return std::nullopt;
  int value = 0;
  std::from_chars(macros.data() + at + start.size(), macros.data() + macros.size(), value);
  return value;
}

void demand(int version, int oldest, const char* family, const std::string& name) {
  if (version >= oldest) return;
  throw UsageError("checked mode needs " + std::string(family) + " " + std::to_string(oldest) + " or newer, and '" +
                   name + "' is " + family + " " + std::to_string(version));
}

/// What compilers call by themselves to copy memory; under g++ the checks get these calls by another name.
constexpr const char* kCopies[] = {"memcpy", "memset", "memmove"};

/// Explicit vector types must not become masked accesses, should the user's -march have them.
void forbid_masked_accesses([[maybe_unused]] std::vector<std::string>& flags) {
#if defined(__x86_64__)
  flags.emplace_back("-mno-avx512f");
#endif
}

}  // namespace

Checking choose_checking(std::string_view macros, const std::string& name) {
  if (const auto clang = macro_value(macros, "__clang_major__")) {
    demand(*clang, kOldestClang, "clang", name);
    return Checking::kDefinedness;
  }
  // Other compilers say that they are GNU C, too.
  const bool other = macro_value(macros, "__NVCOMPILER") || macro_value(macros, "__INTEL_COMPILER");
  const auto gcc = macro_value(macros, "__GNUC__");
  if (!gcc || other) {
    throw UsageError("checked mode needs clang or g++ as host compiler, and '" + name +
                     "' is neither; set OFFGRID_CXX, for instance to clang++");
  }
  demand(*gcc, kOldestGcc, "g++", name);
  return Checking::kAccesses;
}

Checking ask_compiler(const std::vector<std::string>& cxx) {
  std::vector<std::string> command = cxx;
  for (const char* word : {"-dM", "-E", "-x", "c++", "/dev/null"}) command.emplace_back(word);
  std::string macros;
  const int code = read_process(command, macros);
  const std::string name = shell_line(cxx);
  if (code != 0) throw UsageError("cannot ask the host compiler '" + name + "' what it is: " + shell_line(command));
  return choose_checking(macros, name);
}

std::vector<std::string> checked_preprocessor_flags(Checking checking) {
  if (checking == Checking::kOff) return {};
  std::vector<std::string> flags{"-DOFFGRID_CHECKED=" + std::to_string(static_cast<int>(checking))};
  forbid_masked_accesses(flags);
  return flags;
}

std::vector<std::string> checked_code_flags(Checking checking) {
  std::vector<std::string> flags;
  if (checking == Checking::kOff) return flags;
  if (checking == Checking::kDefinedness) {
    // Arguments and results may be undefined as long as nobody uses them. Vectorised loops would tell of the whole
    // vector where a masked part of it is accessed. Reports need line tables with columns, in DWARF 4 (see
    // compile.cpp).
    flags = {"-fsanitize=kernel-memory",
             "-fno-sanitize-memory-param-retval",
             "-fno-vectorize",
             "-fno-slp-vectorize",
             "-fsanitize=local-bounds",
             "-fsanitize-trap=local-bounds",
             "-fsanitize=array-bounds,alignment",
             "-fsanitize-recover=array-bounds,alignment",
             "-gdwarf-4",
             "-g"};
    // Code merged from several lines has no line any more.
    for (const char* option :
         {"-enable-load-pre=false", "-enable-pre=false", "-hoist-common-insts=false", "-sink-common-insts=false",
          "-enable-tail-merge=false", "-bounds-checking-unique-traps"}) {
      flags.insert(flags.end(), {"-mllvm", option});
    }
  } else {
    flags = {"-fsanitize=thread",
             "--param",
             "tsan-instrument-func-entry-exit=0",
             "--param",
             "tsan-distinguish-volatile=1",
             "-fno-tree-vectorize",
             "-fsanitize=alignment",
             "-fsanitize-recover=alignment"};
    for (const char* name : kCopies) flags.push_back(std::string("-fno-builtin-") + name);
    flags.emplace_back("-Wno-tsan");  // it warns of fences, which the checks do follow
  }
  // The place of an access is where the compiler's call returns to: that call must not become a jump.
  flags.emplace_back("-fno-optimize-sibling-calls");
  forbid_masked_accesses(flags);
  return flags;
}

std::vector<std::string> checked_warnings(Checking checking) {
  std::vector<std::string> flags;
  if (checking == Checking::kOff) return flags;
  const char* second = checking == Checking::kDefinedness ? "conditional-uninitialized" : "maybe-uninitialized";
  for (const std::string name : {"uninitialized", second}) {
    flags.push_back("-W" + name);
    flags.push_back("-Wno-error=" + name);
  }
  return flags;
}

std::string checked_copies(Checking checking) {
  std::string options;
  if (checking != Checking::kAccesses) return options;
  for (const std::string name : kCopies) options += "--redefine-sym " + name + "=__tsan_" + name + "\n";
  return options;
}

}  // namespace offgrid::emu::cli

/// The command line of `offgrid cc`, read.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace offgrid::emu::cli {

/// Wrong usage: printed as `offgrid cc: error: ...`, exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Dialect { kCuda, kHip };
enum class Language { kDevice, kCxx, kC, kPreprocessed, kObject };  ///< kDevice: to be rewritten

enum class CcMode {
  kLink,        ///< to an executable or, with -shared, a shared library
  kCompile,     ///< -c, -dc: objects
  kPreprocess,  ///< -E
  kRewrite,     ///< --rewrite: the rewritten text
  kDepend,      ///< -M, -MM: dependencies only
  kArchive,     ///< -lib
  kDeviceLink,  ///< -dlink: an object without content, for makefiles that link in two steps
  kInform,      ///< --version, --help, --list-gpu-arch: `information` has been filled
};

struct CcInput {
  std::string path;
  Language language = Language::kObject;
};

struct CcOptions {
  Dialect dialect = Dialect::kCuda;
  CcMode mode = CcMode::kLink;
  std::vector<CcInput> inputs;
  std::string output;
  std::string information;

  // Compilation.
  std::vector<std::string> include_flags;  ///< -I, -isystem, -include, -D, -U, in order
  std::vector<std::string> host_flags;     ///< -Xcompiler and what else goes to the host compiler as it is
  std::string standard = "gnu++17";
  std::string optimization = "2";
  bool debug = false;             ///< -g, -G
  bool device_debug = false;      ///< -G
  bool fuse_multiply_add = true;  ///< -fmad
  bool fast_math = false;         ///< -use_fast_math
  bool flush_denormals = false;   ///< -ftz
  bool imprecise_division = false, imprecise_sqrt = false;
  bool separable = false;  ///< -rdc, -dc: device names are visible to other files
  bool extended_lambda = false, relaxed_constexpr = false;
  bool stream_per_thread = false;
  bool no_warnings = false;
  bool checked = false;                    ///< --checked: kernels tell the checks of every access
  bool fuzz = false;                       ///< --fuzz: kernels tell the engine of each access, where others may run
  std::vector<std::string> architectures;  ///< as given: "sm_90a", "compute_80", "gfx1030"

  // Dependencies.
  std::vector<std::string> depend_flags;  ///< -MD, -MMD, -MP, -MT x, -MQ x
  std::string depend_file;                ///< -MF

  // Linking.
  std::vector<std::string> link_flags;  ///< -L, -l, -Xlinker, in order
  bool shared = false;

  // How to work.
  bool verbose = false, dry_run = false, keep = false;
  std::filesystem::path keep_folder = ".";
  unsigned workers = 0;  ///< compilations at a time; 0: one a core
};

/// Reads nvcc's (or hipcc's) command line without the program's name. Throws UsageError.
CcOptions read_options(Dialect dialect, std::span<const std::string> arguments);

/// Words of an options file or of a quoted list: split at white space, with quotes and backslashes.
std::vector<std::string> split_words(std::string_view text);

}  // namespace offgrid::emu::cli

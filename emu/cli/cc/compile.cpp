#include "cli/cc/compile.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>

#include "cli/cc/architecture.h"
#include "cli/cc/inline_functions.h"
#include "cli/cc/process.h"
#include "cli/cc/volatile_lines.h"
#include "rewrite/rewrite.h"

namespace offgrid::emu::cli {
namespace {

using Command = std::vector<std::string>;

void append(Command& command, const std::vector<std::string>& words) {
  command.insert(command.end(), words.begin(), words.end());
}

/// A toolkit's own headers would take the place of ours, and cannot be compiled for the host anyway.
bool is_toolkit_folder(const std::string& folder) {
  return std::filesystem::exists(folder + "/crt/host_config.h") ||
         std::filesystem::exists(folder + "/hip/amd_detail/amd_hip_runtime.h");
}

/// What is undefined in C++ but not on a device, or not for every lane, must not let the compiler drop code.
/// - A kernel may read address 0, and gets a report.
/// - `int x; if (lane == 0) x = f(); x = __shfl_sync(m, x, 0);` passes a variable that most lanes have not set: clang
///   takes arguments for set, and would run f() in all lanes.
/// - Where a path ends in undefined behaviour clang writes nothing, and the kernel would run into whatever follows.
Command undefined_code_flags(const Toolchain& toolchain) {
  if (!toolchain.is_clang()) return {"-fno-delete-null-pointer-checks"};
  return {"-fno-delete-null-pointer-checks", "-Xclang", "-no-enable-noundef-analysis", "-mllvm", "--trap-unreachable"};
}

/// Flags that shape code: they belong to the preprocessor too, because they define macros.
Command code_flags(const CompileJob& job, Language language) {
  const CcOptions& o = job.options;
  Command flags;
  if (language != Language::kC) flags.push_back("-std=" + o.standard);
  append(flags, job.toolchain.compile_flags);
  flags.push_back("-O" + (o.device_debug ? "0" : o.optimization));
  // The libbacktrace of gcc 12 misreads file names of clang's DWARF 5. The level is what stands last.
  if (job.toolchain.is_clang()) flags.push_back("-gdwarf-4");
  flags.push_back(o.debug ? "-g" : job.toolchain.is_clang() ? "-gline-tables-only" : "-g1");
  append(flags, {"-fno-omit-frame-pointer", "-fwrapv", "-fno-math-errno", "-fno-strict-aliasing", "-pthread"});
  append(flags, undefined_code_flags(job.toolchain));
  flags.push_back(o.fuse_multiply_add ? "-ffp-contract=fast" : "-ffp-contract=off");
  if (o.shared) flags.push_back("-fPIC");
  // What nvcc lets pass.
  flags.push_back("-Wno-unknown-pragmas");
  append(flags,
         job.toolchain.is_clang()
             ? Command{"-Wno-pass-failed", "-Wno-unused-command-line-argument", "-Wno-register", "-Wno-c++11-narrowing"}
             : Command{"-Wno-attributes", "-Wno-unused-local-typedefs", "-Wno-register", "-Wno-narrowing"});
  if (o.no_warnings) flags.push_back("-w");
  if (language == Language::kDevice) append(flags, checked_warnings(job.checking));
  append(flags, o.host_flags);
  return flags;
}

/// Macros of the language that is rewritten.
Command dialect_macros(const CompileJob& job) {
  const CcOptions& o = job.options;
  Command macros;
  if (o.dialect == Dialect::kHip) {
    macros = {"-D__HIPCC__=1", "-D__HIP__=1", "-D__HIP_PLATFORM_AMD__=1", "-D__HIP_DEVICE_COMPILE__=1"};
  } else {
    macros = {"-D__CUDACC__=1", "-D__NVCC__=1", "-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0",
              "-D__CUDACC_VER_BUILD__=0"};
    if (o.extended_lambda) macros.push_back("-D__CUDACC_EXTENDED_LAMBDA__=1");
    if (o.relaxed_constexpr) macros.push_back("-D__CUDACC_RELAXED_CONSTEXPR__=1");
    if (o.separable) macros.push_back("-D__CUDACC_RDC__=1");
    if (o.device_debug) macros.push_back("-D__CUDACC_DEBUG__=1");
    if (o.fast_math) macros.push_back("-D__USE_FAST_MATH__=1");
    if (o.stream_per_thread) macros.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    macros.push_back(o.flush_denormals ? "-D__CUDA_FTZ=1" : "-D__CUDA_FTZ=0");
    macros.push_back(o.imprecise_division ? "-D__CUDA_PREC_DIV=0" : "-D__CUDA_PREC_DIV=1");
    macros.push_back(o.imprecise_sqrt ? "-D__CUDA_PREC_SQRT=0" : "-D__CUDA_PREC_SQRT=1");
  }
  append(macros, architecture_macros(job.profile));
  return macros;
}

/// Include folders and macros, ours first.
Command preprocessor_flags(const CompileJob& job, Language language) {
  Command flags;
  for (const std::string& folder : job.toolchain.include_folders) flags.push_back("-I" + folder);
  flags.push_back("-D__OFFGRID__=1");
  if (language == Language::kDevice) {
    append(flags, dialect_macros(job));
    append(flags, {"-include", job.options.dialect == Dialect::kHip ? "hip/hip_runtime.h" : "cuda_runtime.h"});
    append(flags, {"-include", "offgrid/emu/ptx/execute.h"});
  }
  const std::vector<std::string>& user = job.options.include_flags;
  for (std::size_t i = 0; i < user.size(); ++i) {
    const bool separate = (user[i] == "-isystem" || user[i] == "-idirafter") && i + 1 < user.size();
    const std::string folder = separate ? user[i + 1] : user[i].starts_with("-I") ? user[i].substr(2) : "";
    if (!folder.empty() && is_toolkit_folder(folder)) {
      i += separate;
    } else {
      flags.push_back(user[i]);
    }
  }
  return flags;
}

Command dependency_flags(const CcOptions& o, const std::string& object) {
  if (o.depend_flags.empty()) return {};
  Command flags = o.depend_flags;
  std::string file = o.depend_file;
  if (o.mode != CcMode::kDepend) {
    if (file.empty()) file = std::filesystem::path(object).replace_extension(".d").string();
    bool target = false;
    for (const std::string& flag : o.depend_flags) target |= flag == "-MT" || flag == "-MQ";
    if (!target) append(flags, {"-MT", object});
  }
  if (!file.empty()) append(flags, {"-MF", file});
  return flags;
}

const char* language_name(Language language) { return language == Language::kC ? "c" : "c++"; }

/// On a lock-step device, and where schedules are to be fuzzed, kernels call the engine before each access to memory
/// (emu/engine/access_hooks.cpp). Vectorised accesses of 32 bytes would not be told. In checked mode the checks' own
/// calls do that.
bool calls_at_accesses(const CompileJob& job) {
  if (job.checking != Checking::kOff) return false;
  if (job.options.fuzz && !job.toolchain.is_clang()) {
    throw UsageError(
        "--fuzz needs clang as host compiler; without it, schedules change at barriers, shuffles and atomics");
  }
  return job.options.fuzz || (job.profile.lock_step && job.toolchain.is_clang());
}

Command preprocess_command(const CompileJob& job, const CcInput& input) {
  Command command = job.toolchain.cxx;
  append(command, {"-E", "-x", language_name(input.language)});
  append(command, code_flags(job, input.language));
  append(command, preprocessor_flags(job, input.language));
  if (input.language == Language::kDevice) {
    append(command, checked_preprocessor_flags(job.checking));
    if (calls_at_accesses(job)) command.push_back("-DOFFGRID_ACCESS_CALLS=1");
  }
  command.push_back(input.path);
  return command;
}

/// With a slash at its end.
std::string working_folder() { return (std::filesystem::current_path() / "").string(); }

/// Flags that make __builtin_FILE(), by which headers learn the place of a barrier or shuffle, absolute: one for each
/// first character of a relative file name, as line markers of the preprocessed file spell it. clang's driver itself
/// does not hand them on for preprocessed text.
Command place_flags(const CompileJob& job, const std::string& preprocessed) {
  std::ifstream file(preprocessed);
  std::set<char> firsts;
  for (std::string line; std::getline(file, line);) {
    const std::size_t quote = line.find('"');
    if (!line.starts_with("# ") || quote == std::string::npos || quote + 1 == line.size()) continue;
    const char first = line[quote + 1];
    if (first != '/' && first != '<' && first != '=' && first != '"' && first != '\\') firsts.insert(first);
  }
  Command flags;
  for (const char first : firsts) {
    if (job.toolchain.is_clang()) flags.push_back("-Xclang");
    flags.push_back(std::string("-fmacro-prefix-map=") + first + "=" + working_folder() + first);
  }
  return flags;
}

bool read_file(const std::string& path, std::string& text) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  text.assign(std::istreambuf_iterator<char>(file), {});
  return true;
}

void report(const std::string& message, const std::string& stderr_path) {
  if (stderr_path.empty()) {
    std::fputs(message.c_str(), stderr);
  } else {
    std::ofstream(stderr_path, std::ios::app) << message;
  }
}

/// The program runs on this profile unless its user asks for another: objects carry a weak name that the engine reads.
std::string profile_definition(const CompileJob& job) {
  if (job.options.architectures.empty() && job.options.dialect == Dialect::kCuda) return "";
  return "extern \"C\" { __attribute__((weak)) const char* offgrid_default_profile = \"" +
         std::string(job.profile.name) + "\"; }\n";
}

int rewrite_file(const CompileJob& job, const CcInput& input, const std::string& from, const std::string& to,
                 const std::string& stderr_path) {
  if (job.options.verbose || job.options.dry_run) {
    std::fprintf(stderr, "#$ offgrid rewrite %s > %s\n", from.c_str(), to.c_str());
  }
  if (job.options.dry_run) return 0;
  std::string text;
  if (!read_file(from, text)) throw UsageError("cannot read " + from);
  const rewrite::RewriteResult result =
      rewrite::rewrite(text, {input.path, working_folder(), !job.options.separable, job.toolchain.include_folders,
                              job.checking != Checking::kOff});
  for (const rewrite::RewriteDiagnostic& e : result.errors) {
    report(e.file + ":" + std::to_string(e.line) + ": error: " + e.message + "\n", stderr_path);
  }
  if (!result.errors.empty()) return 1;
  std::ofstream out(to, std::ios::binary);
  out << result.text;
  if (!result.text.ends_with('\n')) out << '\n';
  out << profile_definition(job);
  if (!out.flush()) throw UsageError("cannot write " + to);
  return 0;
}

Command access_call_flags(const CompileJob& job) {
  if (!calls_at_accesses(job)) return {};
  return {"-fsanitize-coverage=edge,trace-loads,trace-stores", "-fno-vectorize", "-fno-slp-vectorize"};
}

/// The last step of a checked object.
int rename_symbols(const CompileJob& job, std::size_t index, const std::string& object,
                   const std::string& stderr_path) {
  const std::string names = job.workspace.file(index, job.options.inputs[index].path, ".objcopy");
  if (!job.options.dry_run) {
    std::string symbols;
    if (read_process({"objdump", "-tw", object}, symbols) != 0) {
      throw UsageError("checked mode needs objdump and objcopy (package binutils)");
    }
    std::ofstream file(names);
    file << checked_copies(job.checking) << separate_inline_functions(symbols);
    if (!file.flush()) throw UsageError("cannot write " + names);
  }
  return run_step(job.options, {"objcopy", "@" + names, object}, stderr_path);
}

/// Adds the list of lines with volatile accesses to the text that is about to be compiled, where the instrumentation
/// does not tell of them. Faults of the text are left to the compilation itself to report.
void list_volatile_lines(const CompileJob& job, std::size_t index, const std::string& preprocessed,
                         const std::string& rewritten) {
  const CcInput& input = job.options.inputs[index];
  std::string text;
  if (job.checking != Checking::kDefinedness || job.options.dry_run || !read_file(preprocessed, text)) return;
  if (!mentions_volatile(text, job.toolchain.include_folders)) return;
  const std::string code = job.workspace.file(index, input.path, ".ll");
  Command compile = job.toolchain.cxx;
  append(compile, {"-S", "-emit-llvm", "-x", "c++-cpp-output"});
  append(compile, code_flags(job, input.language));
  append(compile, {"-O0", "-gline-tables-only", "-w", "-Xclang", "-disable-llvm-passes", rewritten, "-o", code});
  if (run_step(job.options, compile, job.workspace.file(index, input.path, ".ll.messages")) != 0) return;
  text.clear();
  if (read_file(code, text)) std::ofstream(rewritten, std::ios::app) << volatile_list(volatile_lines(text));
}

int compile_device_input(const CompileJob& job, std::size_t index, const std::string& object,
                         const std::string& stderr_path) {
  const CcInput& input = job.options.inputs[index];
  const std::string preprocessed = job.workspace.file(index, input.path, ".ii");
  const std::string rewritten = job.workspace.file(index, input.path, ".offgrid.ii");
  Command preprocess = preprocess_command(job, input);
  append(preprocess, dependency_flags(job.options, object));
  append(preprocess, {"-o", preprocessed});
  int code = run_step(job.options, preprocess, stderr_path);
  if (code == 0) code = rewrite_file(job, input, preprocessed, rewritten, stderr_path);
  if (code != 0) return code;
  list_volatile_lines(job, index, preprocessed, rewritten);
  Command compile = job.toolchain.cxx;
  append(compile, {"-c", "-x", "c++-cpp-output"});
  append(compile, code_flags(job, input.language));
  append(compile, access_call_flags(job));
  append(compile, checked_code_flags(job.checking));
  if (!job.options.dry_run) append(compile, place_flags(job, rewritten));
  append(compile, {rewritten, "-o", object});
  code = run_step(job.options, compile, stderr_path);
  return code != 0 || job.checking == Checking::kOff ? code : rename_symbols(job, index, object, stderr_path);
}

}  // namespace

int run_step(const CcOptions& options, const std::vector<std::string>& command, const std::string& stderr_path) {
  if (options.verbose || options.dry_run) std::fprintf(stderr, "#$ %s\n", shell_line(command).c_str());
  return options.dry_run ? 0 : run_process(command, stderr_path);
}

int compile_input(const CompileJob& job, std::size_t index, const std::string& object, const std::string& stderr_path) {
  const CcInput& input = job.options.inputs[index];
  if (input.language == Language::kDevice) return compile_device_input(job, index, object, stderr_path);
  Command command = job.toolchain.cxx;
  const bool preprocessed = input.language == Language::kPreprocessed;
  append(command, {"-c", "-x", preprocessed ? "c++-cpp-output" : language_name(input.language)});
  append(command, code_flags(job, input.language));
  if (!preprocessed) append(command, preprocessor_flags(job, input.language));
  append(command, dependency_flags(job.options, object));
  append(command, {input.path, "-o", object});
  return run_step(job.options, command, stderr_path);
}

int print_input(const CompileJob& job, std::size_t index) {
  const CcOptions& o = job.options;
  const CcInput& input = o.inputs[index];
  Command command = preprocess_command(job, input);
  append(command, dependency_flags(o, ""));
  if (o.mode != CcMode::kRewrite || input.language != Language::kDevice) {
    if (!o.output.empty()) append(command, {"-o", o.output});
    return run_step(o, command);
  }
  const std::string preprocessed = job.workspace.file(index, input.path, ".ii");
  append(command, {"-o", preprocessed});
  const int code = run_step(o, command);
  return code != 0 ? code : rewrite_file(job, input, preprocessed, o.output.empty() ? "/dev/stdout" : o.output, "");
}

}  // namespace offgrid::emu::cli

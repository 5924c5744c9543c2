#include "cli/cc/cc.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <thread>

#include "cli/cc/architecture.h"
#include "cli/cc/checked.h"
#include "cli/cc/compile.h"
#include "cli/cc/libraries.h"
#include "cli/cc/options.h"
#include "cli/cc/toolchain.h"
#include "cli/cc/workspace.h"
#include "cli/command.h"

namespace offgrid::emu::cli {
namespace {

/// Work of one call of `offgrid cc`.
class Build {
 public:
  Build(const CcOptions& options, const Toolchain& toolchain)
      : options_(options),
        workspace_(options),
        job_{options_, toolchain, workspace_, choose_profile(device_profiles(), options.dialect, options.architectures),
             options.checked && compiles_kernels() ? ask_compiler(toolchain.cxx) : Checking::kOff} {}

  int run() {
    switch (options_.mode) {
      case CcMode::kCompile:
        return compile_all();
      case CcMode::kPreprocess:
      case CcMode::kRewrite:
      case CcMode::kDepend:
        return print_all();
      case CcMode::kDeviceLink:
        return device_link();
      default:
        break;
    }
    const std::vector<std::string> libraries = usable_link_flags(options_.link_flags);
    const int code = compile_all();
    if (code != 0) return code;
    return options_.mode == CcMode::kArchive ? archive() : link(libraries);
  }

 private:
  bool compiles_kernels() const {
    return std::ranges::any_of(options_.inputs, [](const CcInput& i) { return i.language == Language::kDevice; });
  }

  /// The object of input `index`: the input itself if it is one.
  std::string object(std::size_t index) const {
    const CcInput& input = options_.inputs[index];
    if (input.language == Language::kObject) return input.path;
    if (options_.mode != CcMode::kCompile) return workspace_.file(index, input.path, ".o");
    if (!options_.output.empty()) return options_.output;
    return std::filesystem::path(input.path).filename().replace_extension(".o").string();
  }

  int compile_all() {
    std::vector<std::size_t> sources;
    for (std::size_t i = 0; i < options_.inputs.size(); ++i) {
      if (options_.inputs[i].language != Language::kObject) sources.push_back(i);
    }
    if (sources.size() == 1) return compile_input(job_, sources[0], object(sources[0]), "");
    std::atomic<std::size_t> next{0};
    std::atomic<int> worst{0};
    std::mutex printing;
    auto work = [&] {
      for (std::size_t k; (k = next.fetch_add(1)) < sources.size();) {
        const std::size_t i = sources[k];
        const std::string messages = workspace_.file(i, options_.inputs[i].path, ".messages");
        const int code = compile_input(job_, i, object(i), messages);
        if (code != 0) worst = code;
        const std::lock_guard lock(printing);
        std::ifstream file(messages);
        for (std::string line; std::getline(file, line);) std::fprintf(stderr, "%s\n", line.c_str());
        file.close();
        std::remove(messages.c_str());
      }
    };
    const unsigned cores = options_.workers != 0 ? options_.workers : std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::thread> workers;
    for (std::size_t n = 1; n < std::min<std::size_t>(cores, sources.size()); ++n) workers.emplace_back(work);
    work();
    for (std::thread& worker : workers) worker.join();
    return worst;
  }

  int print_all() {
    for (std::size_t i = 0; i < options_.inputs.size(); ++i) {
      const int code = print_input(job_, i);
      if (code != 0) return code;
    }
    return 0;
  }

  int device_link() {
    std::vector<std::string> command = job_.toolchain.cxx;
    const std::string output = options_.output.empty() ? "a_dlink.o" : options_.output;
    for (const char* word : {"-c", "-x", "c++", "/dev/null", "-o"}) command.emplace_back(word);
    command.push_back(output);
    return run_step(options_, command);
  }

  int archive() {
    std::vector<std::string> command{"ar", "rcs", options_.output.empty() ? "a.a" : options_.output};
    for (std::size_t i = 0; i < options_.inputs.size(); ++i) command.push_back(object(i));
    return run_step(options_, command);
  }

  int link(const std::vector<std::string>& libraries) {
    std::vector<std::string> command = job_.toolchain.cxx;
    auto add = [&](const std::vector<std::string>& words) {
      command.insert(command.end(), words.begin(), words.end());
    };
    if (options_.shared) add({"-shared"});
    add({"-pthread"});
    add(options_.host_flags);
    for (std::size_t i = 0; i < options_.inputs.size(); ++i) command.push_back(object(i));
    add({"-o", options_.output.empty() ? "a.out" : options_.output});
    add(libraries);
    add(job_.toolchain.link_flags);
    return run_step(options_, command);
  }

  const CcOptions& options_;
  Workspace workspace_;
  CompileJob job_;
};

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool is_on(const char* name) {
  const std::string value = environment(name);
  if (value.empty() || value == "0") return false;
  if (value != "1")
    throw UsageError(std::string(name) + " is '" + value + "'; 1 turns it on, 0 and nothing leave it off");
  return true;
}

int run(Dialect dialect, std::span<char*> arguments) {
  try {
    const std::vector<std::string> words(arguments.begin() + 1, arguments.end());
    CcOptions options = read_options(dialect, words);
    if (options.mode == CcMode::kInform) {
      std::fputs(options.information.c_str(), stdout);
      return 0;
    }
    if (is_on("OFFGRID_CHECKED")) options.checked = true;
    const Toolchain toolchain = read_toolchain(installation_root(), environment("OFFGRID_CXX"));
    return Build(options, toolchain).run() == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "offgrid cc: error: %s\n", error.what());
    return kUsageError;
  }
}

}  // namespace

int run_cc(std::span<char*> arguments) { return run(Dialect::kCuda, arguments); }
int run_hipcc(std::span<char*> arguments) { return run(Dialect::kHip, arguments); }

}  // namespace offgrid::emu::cli

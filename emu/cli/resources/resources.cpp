#include "cli/resources/resources.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <thread>

#include "cli/cc/options.h"
#include "cli/cc/process.h"
#include "cli/cc/toolchain.h"
#include "cli/command.h"
#include "cli/resources/compiler_output.h"
#include "cli/resources/figure_table.h"

namespace offgrid::emu::cli {
namespace {

constexpr const char* kHelp = R"(usage: offgrid resources [FLAGS]

Compiles every kernel of this build for gfx1030 (clang 19) and for sm_90a and sm_120 (nvcc), and compares registers, memory,
occupancy and spills with the table under version control. A change is a finding, as is any warning.

  --accept          make what was measured the table; rows that were not compiled stay
  --target TARGET   gfx1030, sm_90a or sm_120; may be repeated (default: all)
  --only TEXT       only sources whose name contains TEXT
  -j N              compilations at a time (default: one a core)
  --baseline FILE   another table
  --list FILE       another list of kernels than the build's lib/offgrid/kernels.txt
  --nvcc FILE, --hip-clang FILE   compilers other than those found

A compiler that is missing is said and its targets are skipped. Exit code: 0 as the table says, 1 findings, 2 wrong usage.
)";

/// One compilation: a source with one compiler.
struct Compilation {
  const DeviceCompiler* compiler;
  std::string source;
  int status;
  std::string text;  ///< both output streams
};

/// Where the compilers leave their objects, which nobody wants.
class ObjectFolder {
 public:
  ObjectFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "offgrid-resources-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw UsageError("cannot create " + pattern);
    path_ = pattern;
  }
  ~ObjectFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ObjectFolder(const ObjectFolder&) = delete;
  ObjectFolder& operator=(const ObjectFolder&) = delete;
  std::string file(std::size_t index) const { return (path_ / (std::to_string(index) + ".o")).string(); }

 private:
  std::filesystem::path path_;
};

void compile(const KernelList& list, Compilation& work, const std::string& object) {
  const std::string line = "cd " + shell_line({list.folder.string()}) + " && exec " +
                           shell_line(resource_command(*work.compiler, list, work.source, object)) + " 2>&1";
  work.status = read_process({"sh", "-c", line}, work.text);
}

void compile_all(const KernelList& list, std::vector<Compilation>& all, unsigned jobs) {
  const ObjectFolder objects;
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i; (i = next.fetch_add(1)) < all.size();) compile(list, all[i], objects.file(i));
  };
  std::vector<std::thread> workers;
  for (std::size_t n = 1; n < std::min<std::size_t>(jobs, all.size()); ++n) workers.emplace_back(work);
  work();
  for (std::thread& worker : workers) worker.join();
}

/// What the compilations say, and their findings: sources that do not compile and warnings. Returns how many.
std::size_t collect(const std::vector<Compilation>& all, FigureTable& current) {
  std::size_t findings = 0;
  for (const Compilation& work : all) {
    if (work.status != 0) {
      ++findings;
      std::printf("error[no-compile]: %s: %s ends with %d\n%s\n", work.source.c_str(), work.compiler->path.c_str(),
                  work.status, work.text.c_str());
      continue;
    }
    const CompilerOutput output = work.compiler->is_clang()
                                      ? read_clang_output(work.text, work.source, work.compiler->targets[0])
                                      : read_nvcc_output(work.text, work.source);
    for (const std::string& warning : std::set<std::string>(output.warnings.begin(), output.warnings.end())) {
      ++findings;  // a template repeats its warnings for each of its instances
      std::printf("error[compiler-warning]: %s: %s\n", work.source.c_str(), warning.c_str());
    }
    for (const KernelFigures& kernel : output.kernels) current.rows.push_back({kernel});
  }
  return findings;
}

FigureTable read_baseline(const std::filesystem::path& file, bool may_be_missing) {
  std::ifstream in(file);
  if (!in && may_be_missing) return {};
  if (!in) throw UsageError("cannot read " + file.string() + "; `offgrid resources --accept` writes it");
  return read_figure_table({std::istreambuf_iterator<char>(in), {}}, file.string());
}

void write_baseline(const std::filesystem::path& file, const FigureTable& table) {
  std::ofstream out(file, std::ios::binary);
  out << figure_table_text(table) << std::flush;
  if (!out) throw UsageError("cannot write " + file.string());
}

void report_changes(const std::vector<FigureChange>& found, const std::filesystem::path& file) {
  for (const FigureChange& change : found) {
    std::printf("error[resource-change]: %s\n", change.text.c_str());
    if (change.line != 0) std::printf("  --> %s:%u\n", file.c_str(), change.line);
  }
  if (!found.empty()) std::printf("   = help: if it is meant, `offgrid resources --accept` makes it the table\n");
}

void report_other_compilers(const FigureTable& baseline, const FigureTable& current) {
  for (const auto& [target, compiler] : current.compilers) {
    const auto old = baseline.compilers.find(target);
    if (old == baseline.compilers.end() || old->second == compiler) continue;
    std::printf("note: %s: the table is of '%s', this is '%s'; changes may be the compiler's\n", target.c_str(),
                old->second.c_str(), compiler.c_str());
  }
}

void report_totals(const FigureTable& current, const Scope& scope) {
  for (const std::string& target : scope.targets) {
    const auto names = figure_names(target);
    std::size_t kernels = 0, spilling = 0;
    for (const auto& row : current.rows) {
      if (row.target != target) continue;
      ++kernels;
      bool spills = false;
      for (std::size_t i = 0; i < names.size(); ++i) {
        const bool counts = names[i] == "scratch" || names[i] == "stack" || names[i].find("spill") != names[i].npos;
        spills = spills || (counts && row.figures[i] != 0);
      }
      spilling += spills;
    }
    std::printf("%s: %zu kernels, %zu with spills or scratch\n", target.c_str(), kernels, spilling);
  }
}

/// Compilers that are missing, each with what it leaves out. Returns the number of targets.
std::size_t report_skipped(const std::vector<DeviceCompiler>& compilers) {
  std::size_t skipped = 0;
  for (const DeviceCompiler& compiler : compilers) {
    if (!compiler.path.empty()) continue;
    for (const std::string& target : compiler.targets) {
      ++skipped;
      std::printf("skipped: %s: %s\n", target.c_str(), compiler.missing.c_str());
    }
  }
  return skipped;
}

std::vector<std::string> chosen_sources(const KernelList& list, const std::string& only) {
  std::vector<std::string> sources;
  for (const std::string& source : list.sources) {
    if (source.find(only) != std::string::npos) sources.push_back(source);
  }
  if (sources.empty()) throw UsageError("--only " + only + ": no source has this in its name");
  return sources;
}

std::vector<DeviceCompiler> find_compilers(const ResourcesOptions& options) {
  std::vector<std::string> amd, nvidia;
  for (const std::string& target : options.targets) (target.starts_with("gfx") ? amd : nvidia).push_back(target);
  std::vector<DeviceCompiler> compilers;
  if (!amd.empty()) compilers.push_back(find_hip_clang(options.hip_clang, amd));
  if (!nvidia.empty()) compilers.push_back(find_nvcc(options.nvcc, nvidia));
  return compilers;
}

}  // namespace

int report_resources(const ResourcesOptions& options, const KernelList& list,
                     const std::vector<DeviceCompiler>& compilers) {
  const std::filesystem::path file =
      options.baseline.empty() ? list.folder / list.baseline : std::filesystem::path(options.baseline);
  const FigureTable baseline = read_baseline(file, options.accept);
  Scope scope;
  FigureTable current;
  std::vector<Compilation> all;
  for (const std::string& source : chosen_sources(list, options.only)) {
    scope.sources.insert(source);
    for (const DeviceCompiler& compiler : compilers) {
      if (!compiler.path.empty()) all.push_back({&compiler, source, 0, ""});
    }
  }
  if (options.only.empty()) {  // a source that the build no longer has is gone, not out of scope
    for (const auto& row : baseline.rows) scope.sources.insert(row.source);
  }
  for (const DeviceCompiler& compiler : compilers) {
    if (compiler.path.empty()) continue;
    for (const std::string& target : compiler.targets) {
      scope.targets.insert(target);
      current.compilers[target] = compiler_version(compiler);
    }
  }
  const std::size_t skipped = report_skipped(compilers);
  compile_all(list, all, options.jobs != 0 ? options.jobs : std::max(1u, std::thread::hardware_concurrency()));

  std::size_t findings = collect(all, current);
  report_other_compilers(baseline, current);
  if (std::ranges::any_of(all, [](const Compilation& work) { return work.status != 0; })) {
    std::printf("note: the table is neither compared nor written until every source compiles\n");
  } else if (options.accept) {
    write_baseline(file, merged(baseline, current, scope));
    std::printf("wrote %s\n", file.c_str());
  } else {
    const std::vector<FigureChange> found = changes(baseline, current, scope);
    report_changes(found, file);
    findings += found.size();
  }
  report_totals(current, scope);
  std::printf("%zu finding%s, %zu target%s skipped\n", findings, findings == 1 ? "" : "s", skipped,
              skipped == 1 ? "" : "s");
  return findings == 0 ? 0 : 1;
}

int run_resources(std::span<char*> arguments) {
  try {
    const ResourcesOptions options = read_resources_options({arguments.begin() + 1, arguments.end()});
    if (options.help) {
      std::fputs(kHelp, stdout);
      return 0;
    }
    const std::filesystem::path list = options.list.empty() ? installation_root() / "lib" / "offgrid" / "kernels.txt"
                                                            : std::filesystem::path(options.list);
    return report_resources(options, read_kernel_list(list), find_compilers(options));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "offgrid resources: error: %s\n", error.what());
    return kUsageError;
  }
}

}  // namespace offgrid::emu::cli

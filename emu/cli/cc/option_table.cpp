#include "cli/cc/option_table.h"

#include <charconv>
#include <sstream>

namespace offgrid::emu::cli {
namespace {

using Options = CcOptions;
using Text = const std::string&;

bool truth(Text value) {
  if (value == "true" || value == "1") return true;
  if (value == "false" || value == "0") return false;
  throw UsageError("expected true or false, not '" + value + "'");
}

/// Adds the parts of `-Xcompiler a,b "c d"`.
void add_list(std::vector<std::string>& out, Text value) {
  for (const std::string& word : split_words(value)) {
    std::stringstream stream(word);
    for (std::string part; std::getline(stream, part, ',');) {
      if (!part.empty()) out.push_back(part);
    }
  }
}

void add_include(Options& o, Text value) { o.include_flags.push_back("-I" + value); }

void add_two(std::vector<std::string>& out, const char* flag, Text value) {
  out.push_back(flag);
  out.push_back(value);
}

/// CUDA code needs C++17 here: the emulator's headers do.
void set_standard(Options& o, Text value) {
  for (const char* old : {"c++03", "c++98", "c++11", "c++0x", "c++14", "c++1y", "c++17", "c++1z"}) {
    if (value == old) return void(o.standard = "c++17");
    if (value == std::string("gnu") + (old + 1)) return void(o.standard = "gnu++17");
  }
  if (!value.starts_with("c++2") && !value.starts_with("gnu++2")) {
    throw UsageError("unknown language standard '" + value + "'; c++17 and c++20 are known, older ones count as c++17");
  }
  o.standard = value;
}

/// `arch=compute_90,code=[sm_90,compute_90]`
void add_gencode(Options& o, Text value) {
  std::stringstream stream(value);
  for (std::string part; std::getline(stream, part, ',');) {
    if (part.starts_with("arch=")) o.architectures.push_back(part.substr(5));
  }
}

void add_architecture(Options& o, Text value) {
  if (value != "native" && value != "all" && value != "all-major") o.architectures.push_back(value);
}

void add_code(Options& o, Text value) {
  if (o.architectures.empty()) add_architecture(o, value.substr(0, value.find(',')));
}

void set_workers(Options& o, Text value) {
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), o.workers);
  if (error != std::errc{} || *end != '\0') throw UsageError("expected a number of threads, not '" + value + "'");
}

void add_library(Options& o, Text value) { o.link_flags.push_back("-l" + value); }

void set_fast_math(Options& o, Text) {
  o.fast_math = o.flush_denormals = o.imprecise_division = o.imprecise_sqrt = true;
}

constexpr OptionRow kRows[] = {
    // What to do.
    {"c compile", Takes::kNothing, [](Options& o, Text) { o.mode = CcMode::kCompile; }},
    {"dc device-c dw device-w", Takes::kNothing,
     [](Options& o, Text) {
       o.mode = CcMode::kCompile;
       o.separable = true;
     }},
    {"link", Takes::kNothing, [](Options& o, Text) { o.mode = CcMode::kLink; }},
    {"dlink device-link", Takes::kNothing, [](Options& o, Text) { o.mode = CcMode::kDeviceLink; }},
    {"lib", Takes::kNothing, [](Options& o, Text) { o.mode = CcMode::kArchive; }},
    {"E preprocess", Takes::kNothing, [](Options& o, Text) { o.mode = CcMode::kPreprocess; }},
    {"rewrite", Takes::kNothing, [](Options& o, Text) { o.mode = CcMode::kRewrite; }},
    {"ptx cubin fatbin optix-ir ltoir genco", Takes::kNothing, nullptr,
     "the emulator runs host code; there is no device binary to make"},
    {"run", Takes::kNothing, nullptr, "start the program yourself after linking it"},
    {"shared", Takes::kNothing, [](Options& o, Text) { o.shared = true; }},
    {"o output-file", Takes::kValue, [](Options& o, Text v) { o.output = v; }},

    // Preprocessing.
    {"I include-path", Takes::kJoined, add_include},
    {"isystem system-include", Takes::kValue, [](Options& o, Text v) { add_two(o.include_flags, "-isystem", v); }},
    {"include pre-include", Takes::kValue, [](Options& o, Text v) { add_two(o.include_flags, "-include", v); }},
    {"idirafter", Takes::kValue, [](Options& o, Text v) { add_two(o.include_flags, "-idirafter", v); }},
    {"iquote", Takes::kValue, [](Options& o, Text v) { add_two(o.include_flags, "-iquote", v); }},
    {"D define-macro", Takes::kJoined, [](Options& o, Text v) { o.include_flags.push_back("-D" + v); }},
    {"U undefine-macro", Takes::kJoined, [](Options& o, Text v) { o.include_flags.push_back("-U" + v); }},
    {"M generate-dependencies", Takes::kNothing,
     [](Options& o, Text) {
       o.mode = CcMode::kDepend;
       o.depend_flags.push_back("-M");
     }},
    {"MM generate-nonsystem-dependencies", Takes::kNothing,
     [](Options& o, Text) {
       o.mode = CcMode::kDepend;
       o.depend_flags.push_back("-MM");
     }},
    {"MD generate-dependencies-with-compile", Takes::kNothing,
     [](Options& o, Text) { o.depend_flags.push_back("-MD"); }},
    {"MMD generate-nonsystem-dependencies-with-compile", Takes::kNothing,
     [](Options& o, Text) { o.depend_flags.push_back("-MMD"); }},
    {"MP generate-dependency-targets", Takes::kNothing, [](Options& o, Text) { o.depend_flags.push_back("-MP"); }},
    {"MF dependency-output", Takes::kValue, [](Options& o, Text v) { o.depend_file = v; }},
    {"MT dependency-target-name", Takes::kValue, [](Options& o, Text v) { add_two(o.depend_flags, "-MT", v); }},
    {"MQ", Takes::kValue, [](Options& o, Text v) { add_two(o.depend_flags, "-MQ", v); }},

    // Code generation.
    {"std", Takes::kValue, set_standard},
    {"O optimize", Takes::kJoined, [](Options& o, Text v) { o.optimization = v; }},
    {"g debug", Takes::kNothing, [](Options& o, Text) { o.debug = true; }},
    {"G device-debug", Takes::kNothing, [](Options& o, Text) { o.debug = o.device_debug = true; }},
    {"arch gpu-architecture", Takes::kValue, add_architecture},
    {"code gpu-code", Takes::kValue, add_code},
    {"gencode generate-code", Takes::kValue, add_gencode},
    {"use_fast_math", Takes::kNothing, set_fast_math},
    {"ftz", Takes::kValue, [](Options& o, Text v) { o.flush_denormals = truth(v); }},
    {"fmad", Takes::kValue, [](Options& o, Text v) { o.fuse_multiply_add = truth(v); }},
    {"prec-div", Takes::kValue, [](Options& o, Text v) { o.imprecise_division = !truth(v); }},
    {"prec-sqrt", Takes::kValue, [](Options& o, Text v) { o.imprecise_sqrt = !truth(v); }},
    {"rdc relocatable-device-code", Takes::kValue, [](Options& o, Text v) { o.separable = truth(v); }},
    {"extended-lambda expt-extended-lambda", Takes::kNothing, [](Options& o, Text) { o.extended_lambda = true; }},
    {"expt-relaxed-constexpr", Takes::kNothing, [](Options& o, Text) { o.relaxed_constexpr = true; }},
    {"default-stream", Takes::kValue, [](Options& o, Text v) { o.stream_per_thread = v == "per-thread"; }},
    {"Xcompiler compiler-options", Takes::kValue, [](Options& o, Text v) { add_list(o.host_flags, v); }},
    {"w disable-warnings", Takes::kNothing, [](Options& o, Text) { o.no_warnings = true; }},
    {"pg profile", Takes::kNothing, [](Options& o, Text) { o.host_flags.push_back("-pg"); }},

    // Linking.
    {"L library-path", Takes::kJoined, [](Options& o, Text v) { o.link_flags.push_back("-L" + v); }},
    {"l library", Takes::kJoined, add_library},
    {"Xlinker linker-options", Takes::kValue,
     [](Options& o, Text v) {
       std::vector<std::string> parts;
       add_list(parts, v);
       for (const std::string& part : parts) add_two(o.link_flags, "-Xlinker", part);
     }},

    // How to work.
    {"checked", Takes::kNothing, [](Options& o, Text) { o.checked = true; }},
    {"fuzz", Takes::kNothing, [](Options& o, Text) { o.fuzz = true; }},
    {"v verbose", Takes::kNothing, [](Options& o, Text) { o.verbose = true; }},
    {"dryrun", Takes::kNothing, [](Options& o, Text) { o.dry_run = true; }},
    {"keep save-temps", Takes::kNothing, [](Options& o, Text) { o.keep = true; }},
    {"keep-dir", Takes::kValue,
     [](Options& o, Text v) {
       o.keep = true;
       o.keep_folder = v;
     }},
    {"t threads", Takes::kValue, set_workers},
    {"m machine", Takes::kJoined,
     [](Options&, Text v) {
       if (v != "64") throw UsageError("only 64-bit programs can be made, not -m" + v);
     }},

    // Without meaning here: there is no device code generator, and one host compiler.
    {"lineinfo generate-line-info source-in-ptx src-in-ptx G-src-in-ptx"},
    {"maxrregcount Xptxas ptxas-options Xcudafe cudafe-options Xnvlink nvlink-options Xarchive archive-options Xfatbin "
     "fatbin-options Xopencc Xnvvm split-compile arch-list jump-table-density minimal jtdensity",
     Takes::kValue},
    {"ccbin compiler-bindir cudart cudadevrt libdevice-directory ldir target-directory tdir odir output-directory "
     "objtemp-dir",
     Takes::kValue},
    {"diag-suppress diag-error diag-warn Werror relaxed-werror brief-diagnostics time", Takes::kValue},
    {"allow-unsupported-compiler no-compress extra-device-vectorization restrict expt-constexpr dlto lto "
     "no-device-link "
     "nodlink resource-usage res-usage ewp extensible-whole-program allow-expensive-optimizations objtemp "
     "no-display-error-number display-error-number err-no no-err-no no-exceptions noeh no-host-device-initializer-list "
     "nohdinitlist no-host-device-move-forward nohdmoveforward Wreorder Wno-deprecated-gpu-targets "
     "Wext-lambda-captures-this "
     "Wdefault-stream-launch Wmissing-launch-bounds disable-optimizer-constants dopt use-local-env no-align-double "
     "nodebug "
     "forward-unknown-opts forward-unknown-to-host-compiler forward-unknown-to-host-linker forward-slash-prefix-opts "
     "fdevice-time-trace "
     "host-linker-script hls no-use-fast-math compress-all no-prof noprof dont-use-profile clean-targets "
     "device-entity-has-hidden-visibility random-init frandom-seed"},
};

constexpr OptionRow kHipRows[] = {
    {"offload-arch amdgpu-target cuda-gpu-arch", Takes::kValue, add_architecture},
    {"fgpu-rdc", Takes::kNothing, [](Options& o, Text) { o.separable = true; }},
    {"fno-gpu-rdc munsafe-fp-atomics mno-unsafe-fp-atomics fhip-new-launch-api fgpu-flush-denormals-to-zero "
     "fgpu-default-stream offload-compress hip-link no-offload-arch"},
    {"rocm-path hip-path hip-device-lib-path rocm-device-lib-path parallel-jobs gpu-max-threads-per-block "
     "gcc-toolchain "
     "offload-host-only offload-device-only mllvm Xoffload-linker Xarch_device offload mcode-object-version",
     Takes::kValue},
    {"Werror"},
    {"Xarch_host", Takes::kValue, [](Options& o, Text v) { o.host_flags.push_back(v); }},
};

}  // namespace

std::span<const OptionRow> option_rows() { return kRows; }
std::span<const OptionRow> hip_option_rows() { return kHipRows; }

}  // namespace offgrid::emu::cli

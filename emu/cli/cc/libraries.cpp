#include "cli/cc/libraries.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "cli/cc/options.h"

namespace offgrid::emu::cli {
namespace {

constexpr std::string_view kReplaced[] = {
    "cudart",  "cudart_static",   "cuda",       "cudadevrt", "culibos",       "cudart_dynamic", "amdhip64",
    "hip_hcc", "hiprtc-builtins", "nvToolsExt", "curand",    "curand_static", "hsa-runtime64"};

constexpr std::string_view kMissing[] = {
    "cublas",       "cublasLt",  "cublas_static", "cublasLt_static", "cufft",     "cufftw",
    "cufft_static", "cusparse",  "cusolver",      "cusolverMg",      "cudnn",     "nccl",
    "nccl_static",  "nvrtc",     "nvjpeg",        "nvidia-ml",       "nppc",      "nppial",
    "nppicc",       "nppidei",   "nppif",         "nppig",           "nppim",     "nppist",
    "nppisu",       "nppitc",    "npps",          "cupti",           "nvshmem",   "rocblas",
    "hipblas",      "hipblaslt", "rocfft",        "hipfft",          "rocsparse", "hipsparse",
    "rocsolver",    "hipsolver", "rccl",          "MIOpen",          "hiprtc",    "rocrand",
    "hiprand",      "cutensor",  "nvJitLink"};

bool lists(std::span<const std::string_view> table, std::string_view name) {
  return std::ranges::find(table, name) != table.end();
}

}  // namespace

std::vector<std::string> usable_link_flags(const std::vector<std::string>& link_flags) {
  std::vector<std::string> usable;
  for (const std::string& flag : link_flags) {
    if (flag.starts_with("-l")) {
      const std::string_view name = std::string_view(flag).substr(2);
      if (lists(kReplaced, name)) continue;
      if (lists(kMissing, name)) {
        throw UsageError("the library '" + std::string(name) +
                         "' does not exist for the emulator; it runs kernels from source");
      }
    }
    usable.push_back(flag);
  }
  return usable;
}

}  // namespace offgrid::emu::cli

// See origin.h.
#include "runner/origin.h"

#include <elf.h>
#include <link.h>
#include <offgrid/portable/gpu.h>

#include <cstdio>
#include <cstring>

#include "runner/run_case.h"

namespace offgrid::cases {
namespace {

// The note that the linker leaves in each program, of the program itself, which comes first.
int read_build_id(dl_phdr_info* info, std::size_t, void* to) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto* at = reinterpret_cast<const unsigned char*>(info->dlpi_addr + segment.p_vaddr);
    const auto* const end = at + segment.p_memsz;
    const auto padded = [](std::size_t n) { return (n + 3) / 4 * 4; };
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof note);
      const auto* const name = at + sizeof note;
      const auto* const text = name + padded(note.n_namesz);
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
        for (std::size_t k = 0; k < note.n_descsz; ++k) {
          char digits[3];
          std::snprintf(digits, sizeof digits, "%02x", text[k]);
          static_cast<std::string*>(to)->append(digits);
        }
        return 1;
      }
      at = text + padded(note.n_descsz);
    }
  }
  return 1;
}

std::string build_id() {
  std::string id;
  dl_iterate_phdr(&read_build_id, &id);
  return id.empty() ? "unknown" : id;
}

std::string compiler() {
#if defined(__clang__)
  return "clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
         std::to_string(__clang_patchlevel__);
#else
  return "gcc " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "." +
         std::to_string(__GNUC_PATCHLEVEL__);
#endif
}

}  // namespace

Origin origin_here() {
#if OFFGRID_VENDOR_EMU
  return {device_name(), "emulator", compiler(), build_id()};
#else
  int device = 0, driver = 0, runtime = 0;
  gpu::check(OFFGRID_GPU(GetDevice)(&device), "get device");
  gpu::check(OFFGRID_GPU(DriverGetVersion)(&driver), "driver version");
  gpu::check(OFFGRID_GPU(RuntimeGetVersion)(&runtime), "runtime version");
#if OFFGRID_VENDOR_HIP
  hipDeviceProp_t properties;
#else
  cudaDeviceProp properties;
#endif
  gpu::check(OFFGRID_GPU(GetDeviceProperties)(&properties, device), "device properties");
  const auto version = [](int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); };
  std::string compilers = compiler();
#if OFFGRID_VENDOR_CUDA
  compilers += ", CUDA " + version(CUDART_VERSION);
#endif
  return {properties.name, "driver " + version(driver) + ", runtime " + version(runtime), compilers, build_id()};
#endif
}

}  // namespace offgrid::cases

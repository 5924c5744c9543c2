// The device table. Sources: the vendors' published specifications and what the runtimes' property queries answer on
// such devices. What all devices of a vendor share is filled in once, below the rows.
#include <offgrid/emu/device_profile.h>

#include <array>

namespace offgrid::emu {
namespace {

constexpr std::size_t kKiB = 1024;
constexpr std::size_t kMiB = 1024 * kKiB;
constexpr std::size_t kGiB = 1024 * kMiB;

struct NvidiaRow {
  std::string_view name, product;
  int major, minor;
  unsigned multiprocessors, threads_per_multiprocessor, blocks_per_multiprocessor;
  std::size_t shared_optin_kib, shared_per_multiprocessor_kib;
  std::size_t l2_mib, global_gib;
  unsigned bus_bits, clock_mhz, memory_clock_mhz;
};

constexpr NvidiaRow kNvidia[] = {
    // name     product                        cc     SMs  thr  blk  shared    L2   GiB  bus   MHz   memory MHz
    {"sm_90", "NVIDIA H200", 9, 0, 132, 2048, 32, 227, 228, 60, 140, 6144, 1980, 3201},
    {"sm_70", "Tesla V100-SXM2-32GB", 7, 0, 80, 2048, 32, 96, 96, 6, 32, 4096, 1530, 877},
    {"sm_75", "Tesla T4", 7, 5, 40, 1024, 16, 64, 64, 4, 15, 256, 1590, 5001},
    {"sm_80", "NVIDIA A100-SXM4-80GB", 8, 0, 108, 2048, 32, 163, 164, 40, 79, 5120, 1410, 1593},
    {"sm_86", "NVIDIA GeForce RTX 3090", 8, 6, 82, 1536, 16, 99, 100, 6, 24, 384, 1695, 9751},
    {"sm_89", "NVIDIA GeForce RTX 4090", 8, 9, 128, 1536, 24, 99, 100, 72, 24, 384, 2520, 10501},
    {"sm_100", "NVIDIA B200", 10, 0, 148, 2048, 32, 227, 228, 126, 178, 8192, 1965, 3996},
    {"sm_120", "NVIDIA RTX PRO 6000 Blackwell", 12, 0, 188, 1536, 24, 99, 100, 128, 95, 512, 2617, 14001},
};

struct AmdRow {
  std::string_view name, product;
  int major, minor;
  unsigned warp_size, multiprocessors;
  std::size_t shared_per_multiprocessor_kib;
  std::size_t l2_mib, global_gib;
  unsigned bus_bits, clock_mhz, memory_clock_mhz;
  bool fp8_fnuz;
};

constexpr AmdRow kAmd[] = {
    // gfx10: a multiprocessor is a work-group processor, two compute units with 64 KiB of LDS each.
    {"gfx1030", "AMD Radeon RX 6900 XT", 10, 3, 32, 40, 128, 4, 16, 256, 2660, 1000, false},
    {"gfx90a", "AMD Instinct MI250X", 9, 0, 64, 110, 64, 8, 64, 4096, 1700, 1600, false},
    {"gfx942", "AMD Instinct MI300X", 9, 4, 64, 304, 64, 4, 192, 8192, 2100, 1300, true},
};

// The least of what the other rows allow: a program that runs here asks for nothing special.
constexpr NvidiaRow kGeneric = {"generic", "offgrid generic device", 7, 0, 16, 1024, 16, 64, 64, 4, 8, 256, 1000, 1000};

constexpr DeviceProfile expand(const NvidiaRow& r) {
  return {
      .name = r.name,
      .product = r.product,
      .vendor = Vendor::kNvidia,
      .major = r.major,
      .minor = r.minor,
      .warp_size = 32,
      .lock_step = false,
      .multiprocessors = r.multiprocessors,
      .max_threads_per_block = 1024,
      .max_threads_per_multiprocessor = r.threads_per_multiprocessor,
      .max_blocks_per_multiprocessor = r.blocks_per_multiprocessor,
      .max_block_dim = {1024, 1024, 64},
      .max_grid_dim = {2147483647, 65535, 65535},
      .shared_per_block = 48 * kKiB,
      .shared_per_block_optin = r.shared_optin_kib * kKiB,
      .shared_per_multiprocessor = r.shared_per_multiprocessor_kib * kKiB,
      .shared_reserved_per_block = r.major >= 8 ? 1 * kKiB : 0,
      .registers_per_block = 65536,
      .registers_per_multiprocessor = 65536,
      .constant_bytes = 64 * kKiB,
      .global_bytes = r.global_gib * kGiB,
      .l2_bytes = r.l2_mib * kMiB,
      .memory_bus_bits = r.bus_bits,
      .clock_khz = r.clock_mhz * 1000,
      .memory_clock_khz = r.memory_clock_mhz * 1000,
      .max_cluster_blocks = r.major < 9    ? 0u
                            : r.major < 12 ? 16u
                                           : 8u,
      .fp8_fnuz = false,
      .exact_numerics = true,
  };
}

constexpr DeviceProfile expand(const AmdRow& r) {
  return {
      .name = r.name,
      .product = r.product,
      .vendor = Vendor::kAmd,
      .major = r.major,
      .minor = r.minor,
      .warp_size = r.warp_size,
      .lock_step = true,
      .multiprocessors = r.multiprocessors,
      .max_threads_per_block = 1024,
      .max_threads_per_multiprocessor = 2048,
      .max_blocks_per_multiprocessor = 32,
      .max_block_dim = {1024, 1024, 1024},
      .max_grid_dim = {2147483647, 65536, 65536},
      .shared_per_block = 64 * kKiB,
      .shared_per_block_optin = 64 * kKiB,
      .shared_per_multiprocessor = r.shared_per_multiprocessor_kib * kKiB,
      .shared_reserved_per_block = 0,
      .registers_per_block = 65536,
      .registers_per_multiprocessor = 131072,
      .constant_bytes = 64 * kKiB,
      .global_bytes = r.global_gib * kGiB,
      .l2_bytes = r.l2_mib * kMiB,
      .memory_bus_bits = r.bus_bits,
      .clock_khz = r.clock_mhz * 1000,
      .memory_clock_khz = r.memory_clock_mhz * 1000,
      .max_cluster_blocks = 0,
      .fp8_fnuz = r.fp8_fnuz,
      .exact_numerics = false,
  };
}

constexpr std::size_t kRows = std::size(kNvidia) + std::size(kAmd) + 1;

constexpr std::array<DeviceProfile, kRows> kProfiles = [] {
  std::array<DeviceProfile, kRows> rows{};
  std::size_t next = 0;
  for (const NvidiaRow& row : kNvidia) rows[next++] = expand(row);
  for (const AmdRow& row : kAmd) rows[next++] = expand(row);
  rows[next] = expand(kGeneric);
  return rows;
}();

/// "sm_90a" and "compute_90" to "sm_90", "gfx90a:sramecc+:xnack-" to "gfx90a".
std::string_view row_name(std::string_view name, std::string_view& digits) {
  for (const std::string_view prefix : {"sm_", "compute_"}) {
    if (name.substr(0, prefix.size()) != prefix) continue;
    digits = name.substr(prefix.size());
    if (!digits.empty() && (digits.back() == 'a' || digits.back() == 'f')) digits.remove_suffix(1);
    return "sm_";
  }
  return name.substr(0, name.find(':'));
}

}  // namespace

std::span<const DeviceProfile> device_profiles() { return kProfiles; }

const DeviceProfile* find_device_profile(std::string_view name) {
  std::string_view digits;
  const std::string_view base = row_name(name, digits);
  for (const DeviceProfile& row : kProfiles) {
    if (row.name.substr(0, base.size()) == base && row.name.substr(base.size()) == digits) return &row;
  }
  return nullptr;
}

}  // namespace offgrid::emu

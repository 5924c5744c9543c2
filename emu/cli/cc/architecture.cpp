#include "cli/cc/architecture.h"

#include <charconv>

namespace offgrid::emu::cli {
namespace {

/// 90 from "sm_90a", "compute_90", "lto_90"; -1 if it is not spelt like that.
int capability(std::string_view name) {
  for (std::string_view prefix : {"sm_", "compute_", "lto_"}) {
    if (!name.starts_with(prefix)) continue;
    name.remove_prefix(prefix.size());
    int value = -1;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), value);
    const std::string_view rest(end, static_cast<std::size_t>(name.data() + name.size() - end));
    return error == std::errc{} && (rest.empty() || rest == "a" || rest == "f") ? value : -1;
  }
  return -1;
}

int capability(const DeviceProfile& profile) { return profile.major * 10 + profile.minor; }

const DeviceProfile& nvidia_profile(std::span<const DeviceProfile> profiles, int wanted) {
  const DeviceProfile* best = nullptr;
  for (const DeviceProfile& p : profiles) {
    if (p.vendor != Vendor::kNvidia || capability(p.name) < 0) continue;
    if (!best) {
      best = &p;
    } else {
      const bool fits = capability(p) <= wanted, best_fits = capability(*best) <= wanted;
      const bool nearer =
          fits == best_fits && (fits ? capability(p) > capability(*best) : capability(p) < capability(*best));
      if ((fits && !best_fits) || nearer) best = &p;
    }
  }
  if (!best) throw UsageError("no NVIDIA device profile is known");
  return *best;
}

const DeviceProfile& amd_profile(std::span<const DeviceProfile> profiles, std::string_view wanted) {
  wanted = wanted.substr(0, wanted.find(':'));
  const DeviceProfile* first = nullptr;
  for (const DeviceProfile& p : profiles) {
    if (p.vendor != Vendor::kAmd) continue;
    if (p.name == wanted) return p;
    if (!first) first = &p;
  }
  if (!first) throw UsageError("no AMD device profile is known");
  return *first;
}

}  // namespace

const DeviceProfile& choose_profile(std::span<const DeviceProfile> profiles, Dialect dialect,
                                    const std::vector<std::string>& architectures) {
  int newest = -1;
  std::string amd;
  for (const std::string& name : architectures) {
    for (const DeviceProfile& p : profiles) {
      if (p.name == name && capability(p.name) < 0 && p.vendor == Vendor::kNvidia) return p;  // "generic"
    }
    if (name.starts_with("gfx")) {
      amd = name;
    } else if (capability(name) >= 0) {
      newest = std::max(newest, capability(name));
    } else {
      throw UsageError("unknown architecture '" + name + "'; expected one like sm_90, compute_90 or gfx1030");
    }
  }
  if (!amd.empty() || (dialect == Dialect::kHip && newest < 0)) return amd_profile(profiles, amd);
  return newest < 0 ? profiles.front() : nvidia_profile(profiles, newest);
}

std::vector<std::string> architecture_macros(const DeviceProfile& profile) {
  const std::string name(profile.name);
  if (profile.vendor == Vendor::kAmd) {
    return {"-D__" + name + "__=1", "-D__AMDGCN_WAVEFRONT_SIZE=" + std::to_string(profile.warp_size)};
  }
  const std::string number = std::to_string(capability(profile) * 10);
  return {"-D__CUDA_ARCH__=" + number, "-D__CUDA_ARCH_LIST__=" + number};
}

}  // namespace offgrid::emu::cli

/// Red zones around device memory: what a kernel writes past the ends of a buffer is found after the launch, and what
/// it reads there is NaN. For real devices, whose allocations lie side by side; the emulator has guard pages and checks
/// of its own, and takes part only when asked to (tests of the canaries themselves).
#pragma once

#include <offgrid/portable/gpu.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace offgrid::gpu {

/// What a buffer is called in reports: "kv_cache is bf16[pages 40, page_size 16, head_dim 576]".
struct BufferName {
  struct Dimension {
    std::string name;
    std::size_t size;
  };
  std::string name;
  std::string element;  ///< "bf16"
  std::vector<Dimension> dims;
};

class Canaries {
 public:
  /// Bytes before and behind each buffer. A multiple of every alignment that an allocation has.
  static constexpr std::size_t kZone = 4096;

  static Canaries& instance() {
    static Canaries canaries;
    return canaries;
  }

  /// Whether new buffers get red zones.
  bool is_on() const { return on_; }
  void turn(bool on) { on_ = on; }

  /// Memory between two red zones, filled with 0xFF: NaN in every floating-point format.
  void* allocate_guarded(const BufferName& name, std::size_t element_bytes, std::size_t bytes) {
    auto* const base = static_cast<unsigned char*>(allocate(bytes + 2 * kZone));
    const Buffer buffer{name, element_bytes, bytes};
    const auto zone = pattern(element_bytes);
    copy_to_device(base, zone.data(), kZone);
    fill_bytes(base + kZone, 0xFF, bytes);
    copy_to_device(base + kZone + bytes, zone.data(), kZone);
    buffers_.emplace(base + kZone, buffer);
    return base + kZone;
  }

  /// Looks at the red zones once more, then frees. False if the memory is not guarded.
  bool release_guarded(void* data) noexcept {
    const auto at = buffers_.find(static_cast<unsigned char*>(data));
    if (at == buffers_.end()) return false;
    try {
      look(at->first, at->second);
    } catch (const std::exception& error) {
      violations_.push_back("the red zones of `" + at->second.name.name + "` cannot be read: " + error.what());
    }
    release(at->first - kZone);
    buffers_.erase(at);
    return true;
  }

  /// Looks at the red zones of all buffers. The device must be idle.
  /// errors  GpuError if they cannot be read
  void check() {
    for (auto& [data, buffer] : buffers_) look(data, buffer);
  }

  /// What was found since the last call, each once.
  std::vector<std::string> take_violations() { return std::exchange(violations_, {}); }

 private:
  struct Buffer {
    BufferName name;
    std::size_t element_bytes = 1;
    std::size_t bytes = 0;
    bool told = false;
  };

  Canaries() {
    after_wait = [] { instance().check(); };
  }

  /// NaN at every place, in no value that arithmetic gives: 16 bits are an exponent of all ones with a payload that is
  /// neither all ones nor only the quiet bit. The NaNs of 8-bit formats have no payload; there the signs vary.
  static std::vector<unsigned char> pattern(std::size_t element_bytes) {
    std::vector<unsigned char> zone(kZone);
    for (std::size_t i = 0; i < kZone; i += 2) {
      const auto mixed = static_cast<std::uint32_t>(i + 1) * 0x9e3779b1u >> 8;
      if (element_bytes == 1) {
        zone[i] = (mixed & 1u) != 0 ? 0x7f : 0xff;
        zone[i + 1] = (mixed & 2u) != 0 ? 0x7f : 0xff;
      } else {
        const std::uint32_t payload = mixed % 62 + 1;  // 1 to 62
        zone[i] = static_cast<unsigned char>(0x80u | payload);
        zone[i + 1] = (mixed & 0x8000u) != 0 ? 0x7f : 0xff;
      }
    }
    return zone;
  }

  void look(const unsigned char* data, Buffer& buffer) {
    if (buffer.told) return;
    std::vector<unsigned char> zone(kZone);
    const auto want = pattern(buffer.element_bytes);
    copy_to_host(zone.data(), data + buffer.bytes, kZone);
    std::size_t first = differing(zone, want, 0);
    if (first < kZone) tell(buffer, true, first / buffer.element_bytes, zone, want);
    copy_to_host(zone.data(), data - kZone, kZone);
    first = differing(zone, want, 0);
    if (first < kZone) {
      // The one nearest to the buffer says how far a write went astray.
      std::size_t last = first;
      for (std::size_t i = first; i < kZone; i = differing(zone, want, i + 1)) last = i;
      tell(buffer, false, (kZone - 1 - last) / buffer.element_bytes, zone, want);
    }
  }
  static std::size_t differing(const std::vector<unsigned char>& zone, const std::vector<unsigned char>& want,
                               std::size_t from) {
    while (from < kZone && zone[from] == want[from]) ++from;
    return from;
  }

  // "a kernel wrote behind the end of `out` (fp32[rows 4, d 2]): element 8, 1 behind the last, holds 0x40000000; 1
  // element in all"
  void tell(Buffer& buffer, bool behind, std::size_t distance, const std::vector<unsigned char>& zone,
            const std::vector<unsigned char>& want) {
    buffer.told = true;
    const std::size_t size = buffer.element_bytes;
    std::size_t count = 0;
    for (std::size_t at = 0; at + size <= kZone; at += size) {
      count += !std::equal(zone.begin() + static_cast<std::ptrdiff_t>(at),
                           zone.begin() + static_cast<std::ptrdiff_t>(at + size),
                           want.begin() + static_cast<std::ptrdiff_t>(at));
    }
    const std::size_t at = behind ? distance * size : kZone - (distance + 1) * size;
    std::string value;
    for (std::size_t i = size; i-- > 0;) {
      char digits[3];
      std::snprintf(digits, sizeof digits, "%02X", zone[at + i]);
      value += digits;
    }
    std::string shape = buffer.name.element + "[";
    for (const auto& [name, extent] : buffer.name.dims) {
      shape += (shape.back() == '[' ? "" : ", ") + name + " " + std::to_string(extent);
    }
    if (buffer.name.dims.empty()) shape += std::to_string(buffer.bytes / size);
    const std::string element =
        behind ? std::to_string(buffer.bytes / size + distance) : "-" + std::to_string(distance + 1);
    violations_.push_back(std::string("a kernel wrote ") + (behind ? "behind the end of `" : "before the start of `") +
                          buffer.name.name + "` (" + shape + "]): element " + element + ", " +
                          std::to_string(distance + 1) + (behind ? " behind the last" : " before the first") +
                          ", holds 0x" + value + "; " + std::to_string(count) +
                          (count == 1 ? " element" : " elements") + " in all");
  }

  bool on_ = !OFFGRID_VENDOR_EMU;
  std::map<unsigned char*, Buffer> buffers_;
  std::vector<std::string> violations_;
};

}  // namespace offgrid::gpu

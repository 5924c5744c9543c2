// A probe: a tiny kernel that pins one meaning of the device language, with what it must give.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace offgrid::probes {

using Words = std::vector<std::uint32_t>;
using Triple = std::array<std::uint32_t, 3>;

struct Probe {
  std::string name;            ///< "shfl_up(delta=1,width=8)"
  std::string format = "u32";  ///< of each word of the result: "u32", or "fp32", where any NaN equals any other
  Words in;                    ///< in device memory, const
  std::size_t outputs = 0;     ///< words of the result; poison before the launch
  /// Queues the kernel. Pointers are device memory, aligned to 16 bytes.
  std::function<void(const std::uint32_t* in, std::uint32_t* out)> launch;
  /// From first principles, on the host, in nothing that the emulator shares; or what an H200 gave, where only that
  /// says what is right.
  std::function<Words()> expected;
  int warnings = 0;  ///< that the emulator gives for a program which is legal and odd
};

/// All probes of this build, in the order of their files.
std::vector<Probe> all_probes();

// One function a file.
void add_shuffle_probes(std::vector<Probe>& to);
void add_vote_probes(std::vector<Probe>& to);
void add_barrier_probes(std::vector<Probe>& to);
void add_atomic_probes(std::vector<Probe>& to);
void add_integer_probes(std::vector<Probe>& to);
void add_memory_probes(std::vector<Probe>& to);
// These need what gfx1030 or HIP's headers lack.
void add_arithmetic_probes(std::vector<Probe>& to);
void add_conversion_probes(std::vector<Probe>& to);
void add_packed_integer_probes(std::vector<Probe>& to);
void add_half_probes(std::vector<Probe>& to);
void add_matrix_probes(std::vector<Probe>& to);
void add_special_probes(std::vector<Probe>& to);

}  // namespace offgrid::probes

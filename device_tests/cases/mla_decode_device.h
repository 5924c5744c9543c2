// Runs MLA decode on the device and brings back everything that it may have written.
#pragma once

#include <offgrid/portable/device_buffer.h>

#include <cstdint>
#include <vector>

#include "cases/element_buffer.h"
#include "cases/mla_decode_inputs.h"

namespace offgrid::cases {

/// What one run left behind: codes in the memory layout, gaps included. All were poison before the run.
struct MlaDecodeOutputs {
  std::vector<std::uint32_t> out, lse, scratch;
};

/// Device memory of one case, ready for any number of runs.
class MlaDecodeDevice {
 public:
  MlaDecodeDevice(const MlaDecodeCase& c, const MlaDecodeInputs& inputs);

  /// Poisons the outputs and the scratch, launches, waits.
  /// errors  gpu::GpuError if a launch fails
  MlaDecodeOutputs run(kernels::DecodePath path);

 private:
  kernels::MlaDecodeVariant variant_;
  kernels::DecodePlan plan_;
  gpu::DeviceBuffer<std::uint16_t> q_, kv_cache_;
  gpu::DeviceBuffer<std::int32_t> page_table_, kv_lens_;
  ElementBuffer out_, lse_, scratch_;
  kernels::MlaDecodeParams params_;
};

/// The logical elements of a strided tensor, row major.
std::vector<std::uint32_t> gather_out(const MlaDecodeCase& c, const MlaDecodeLayout& l,
                                      const std::vector<std::uint32_t>& memory);
std::vector<std::uint32_t> gather_lse(const MlaDecodeCase& c, const MlaDecodeLayout& l,
                                      const std::vector<std::uint32_t>& memory);

}  // namespace offgrid::cases

// Runs MLA decode on the device and brings back everything that it may have written.
#pragma once

#include <offgrid/portable/device_buffer.h>

#include <cstdint>
#include <span>
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

  /// The pieces of run(), for callers that launch otherwise.
  void poison();
  void launch(kernels::DecodePath path, void* stream = nullptr);
  MlaDecodeOutputs outputs() const { return {out_.codes(), lse_.codes(), scratch_.codes()}; }

  kernels::MlaDecodeParams& params() { return params_; }
  kernels::DecodePlan& plan() { return plan_; }

  /// Changes contents in place; addresses and sizes stay. The inputs have the layout of the first ones.
  void upload(const MlaDecodeInputs& inputs);
  void set_scales(float k_scale, float v_scale);
  void set_kv_lens(std::span<const std::int32_t> kv_lens) { kv_lens_.upload(words_of(kv_lens)); }
  void set_page_table(std::span<const std::int32_t> entries) { page_table_.upload(words_of(entries)); }

 private:
  std::vector<std::int32_t> words_of(std::span<const std::int32_t> entries) const;

  int index_words_;
  kernels::MlaDecodeVariant variant_;
  kernels::DecodePlan plan_;
  ElementBuffer q_, kv_cache_, value_cache_;
  gpu::DeviceBuffer<std::int32_t> page_table_, kv_lens_;
  gpu::DeviceBuffer<float> k_scale_, v_scale_;
  ElementBuffer out_, lse_, scratch_;
  kernels::MlaDecodeParams params_;
};

/// The logical elements of a strided tensor, row major.
std::vector<std::uint32_t> gather_out(const MlaDecodeCase& c, const MlaDecodeLayout& l,
                                      const std::vector<std::uint32_t>& memory);
std::vector<std::uint32_t> gather_lse(const MlaDecodeCase& c, const MlaDecodeLayout& l,
                                      const std::vector<std::uint32_t>& memory);

}  // namespace offgrid::cases

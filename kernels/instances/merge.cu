// The merges: a row of the table is a variant that is built.
#include <offgrid/kernels/merge.h>
#include <offgrid/portable/device.h>
#include <offgrid/portable/gpu.h>

#include <limits>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "merge/dcp.cuh"
#include "merge/merge_pair.cuh"
#include "merge/merge_states.cuh"

namespace offgrid::kernels {
namespace {

using portable::Bf16;
using portable::E4m3;
using portable::Fp16;

void require(bool ok, const char* what) {
  if (!ok) throw std::invalid_argument(what);
}

// Blocks for rows x heads x head_dim elements; 0: nothing to do.
unsigned blocks_for(std::int64_t rows, std::int64_t heads, std::int64_t head_dim) {
  require(rows >= 0 && heads >= 0 && head_dim >= 0, "merge: sizes are at least 0");
  const std::int64_t elements = rows * heads * head_dim;
  const std::int64_t blocks = (elements + kMergeElements - 1) / kMergeElements;
  require(blocks <= std::numeric_limits<std::int32_t>::max(), "merge: too many elements for one launch");
  return static_cast<unsigned>(blocks);
}

struct MergeInstance {
  MergeVariant variant;
  void (*states)(const MergeStatesParams& params, unsigned blocks, gpu::Stream on);
  void (*pair)(const MergePairParams& params, unsigned blocks, gpu::Stream on);  // fp32 lse
  void (*correct)(const DcpCorrectParams& params, unsigned blocks, gpu::Stream on);
};

template <class T, class Lse>
void launch_states(const MergeStatesParams& params, unsigned blocks, gpu::Stream on) {
  merge_states_kernel<T, Lse><<<blocks, kMergeElements, 0, on>>>(params);
}
template <class T, class Out>
void launch_pair(const MergePairParams& params, unsigned blocks, gpu::Stream on) {
  merge_pair_kernel<T, Out><<<blocks, kMergeElements, 0, on>>>(params);
}
template <class T, class Lse>
void launch_correct(const DcpCorrectParams& params, unsigned blocks, gpu::Stream on) {
  dcp_correct_kernel<T, Lse><<<blocks, kMergeElements, 0, on>>>(params);
}

template <class T>
constexpr DataType type_of() {
  return std::is_same<T, Bf16>::value   ? DataType::kBf16
         : std::is_same<T, Fp16>::value ? DataType::kFp16
         : std::is_same<T, E4m3>::value ? DataType::kE4m3
                                        : DataType::kFp32;
}

template <class T>
MergeInstance with_fp32_lse() {
  return {{type_of<T>(), DataType::kFp32, type_of<T>()},
          &launch_states<T, float>,
          &launch_pair<T, T>,
          &launch_correct<T, float>};
}
template <class T>
MergeInstance with_own_lse() {
  return {{type_of<T>(), type_of<T>(), type_of<T>()}, &launch_states<T, T>, nullptr, &launch_correct<T, T>};
}
template <class T>
MergeInstance to_e4m3() {
  return {{type_of<T>(), DataType::kFp32, DataType::kE4m3}, nullptr, &launch_pair<T, E4m3>, nullptr};
}

const std::vector<MergeInstance>& instances() {
  static const std::vector<MergeInstance> table = {
      with_fp32_lse<float>(), with_fp32_lse<Bf16>(), with_fp32_lse<Fp16>(), with_own_lse<Bf16>(),
      with_own_lse<Fp16>(),   to_e4m3<float>(),      to_e4m3<Bf16>(),       to_e4m3<Fp16>(),
  };
  return table;
}

const MergeInstance& find(const MergeVariant& variant) {
  for (const MergeInstance& instance : instances()) {
    if (instance.variant == variant) return instance;
  }
  throw std::invalid_argument("merge: no instance for these types; see kernels/instances/merge.cu");
}

}  // namespace

std::span<const MergeVariant> merge_variants() {
  static const std::vector<MergeVariant> variants = [] {
    std::vector<MergeVariant> all;
    for (const MergeInstance& instance : instances()) all.push_back(instance.variant);
    return all;
  }();
  return variants;
}

void merge_states(const MergeVariant& variant, const MergeStatesParams& params, void* stream) {
  const MergeInstance& instance = find(variant);
  require(instance.states != nullptr, "merge_states: outputs have the type of the states");
  require(params.num_states >= 0, "merge_states: num_states is at least 0");
  const unsigned blocks = blocks_for(params.rows, params.heads, params.head_dim);
  if (blocks == 0) return;
  instance.states(params, blocks, static_cast<gpu::Stream>(stream));
  gpu::check_launch("merge_states");
}

void merge_attn_states(const MergeVariant& variant, const MergePairParams& params, void* stream) {
  const MergeInstance& instance = find(variant);
  require(instance.pair != nullptr, "merge_attn_states: lse is fp32");
  const unsigned blocks = blocks_for(params.tokens, params.heads, params.head_dim);
  if (blocks == 0) return;
  instance.pair(params, blocks, static_cast<gpu::Stream>(stream));
  gpu::check_launch("merge_attn_states");
}

void dcp_correct(const MergeVariant& variant, const DcpCorrectParams& params, void* stream) {
  const MergeInstance& instance = find(variant);
  require(instance.correct != nullptr, "dcp_correct: outputs have the type of the input");
  require(params.rank >= 0 && params.rank < params.ranks, "dcp_correct: rank lies below ranks");
  const unsigned blocks = blocks_for(params.rows, params.heads, params.head_dim);
  if (blocks == 0) return;
  instance.correct(params, blocks, static_cast<gpu::Stream>(stream));
  gpu::check_launch("dcp_correct");
}

void dcp_local_kv_lens(const std::int32_t* global, std::int32_t* local, int batch, int index_words, int rank, int ranks,
                       int interleave, void* stream) {
  require(interleave >= 1 && rank >= 0 && rank < ranks, "dcp: interleave is at least 1, rank lies below ranks");
  require(index_words == 1 || index_words == 2, "dcp: lengths are int32 or int64, 1 or 2 words an entry");
  const unsigned blocks = blocks_for(batch, 1, 1);
  if (blocks == 0) return;
  dcp_local_kv_lens_kernel<<<blocks, kMergeElements, 0, static_cast<gpu::Stream>(stream)>>>(
      global, local, batch, index_words, rank, ranks, interleave);
  gpu::check_launch("dcp_local_kv_lens");
}

}  // namespace offgrid::kernels

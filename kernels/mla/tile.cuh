// How a stage 1 block is laid out: 16 query heads, tiles of 16 tokens, 256 threads.
//
// In shared memory a row of q or of the cache is a row of 16-byte packs with one pack of padding, so that rows start 4
// banks apart and eight lanes that read the same column of eight rows meet no bank twice.
#pragma once

#include <offgrid/portable/device.h>

#include <type_traits>

#include "mla/cache.cuh"

namespace offgrid::kernels {

inline constexpr int kThreads = 256;
inline constexpr int kHeadRows = 16;    // query heads of a block
inline constexpr int kTileTokens = 16;  // tokens of an online-softmax step
inline constexpr int kCopyLanes = 32;   // neighbouring threads that copy one row together

template <class T, int kHeadDim, int kValueDim>
struct MlaTile {
  using Pack = portable::Pack<T>;
  static constexpr int kPacks = kHeadDim / Pack::kSize;
  static constexpr int kRowPacks = kPacks + 1;

  // Output: a thread owns kColumns columns of kHeads heads.
  static constexpr int kColumnThreads = kValueDim < kThreads ? kValueDim : kThreads;
  static constexpr int kColumns = kValueDim / kColumnThreads;
  static constexpr int kHeads = kHeadRows * kColumnThreads / kThreads;

  // The dot product runs in chains that are added as a tree: at most this many roundings for any one product.
  static constexpr bool kPairs = std::is_same<T, portable::Fp16>::value;
  static constexpr int kDotDepth = kPairs ? 2 * kPacks + 2 : kPacks + 3;

  static_assert(kThreads == kHeadRows * kTileTokens, "one score a thread");
  static_assert(kHeadDim % Pack::kSize == 0);
  static_assert(kValueDim % kColumnThreads == 0 && kThreads % kColumnThreads == 0 && kHeads >= 1);
};

// Copies one row of kHeadDim elements into a tile row, as T; zeros where there is no row. Called by kCopyLanes lanes.
template <class T, int kHeadDim, class From>
__device__ inline void copy_row(portable::Pack<T>* to, const From* from, float scale, int lane) {
  constexpr int kSize = portable::Pack<T>::kSize;
  for (int d = lane; d < kHeadDim; d += kCopyLanes) {
    to[d / kSize].v[d % kSize] = from != nullptr ? cache_element<T>(from[d], scale) : portable::from_float<T>(0.0f);
  }
}

// a . b over kPacks packs, in fp32: eight chains of fused multiply-adds.
template <class T, int kPacks>
__device__ inline float dot(const portable::Pack<T>* a, const portable::Pack<T>* b) {
  constexpr int kSize = portable::Pack<T>::kSize;
  float chain[kSize] = {};
  for (int i = 0; i < kPacks; ++i) {
    const portable::Pack<T> x = a[i];
    const portable::Pack<T> y = b[i];
#pragma unroll
    for (int j = 0; j < kSize; ++j) {
      chain[j] = fmaf(portable::to_float(x.v[j]), portable::to_float(y.v[j]), chain[j]);
    }
  }
#pragma unroll
  for (int width = kSize / 2; width > 0; width /= 2) {
#pragma unroll
    for (int j = 0; j < width; ++j) chain[j] += chain[j + width];
  }
  return chain[0];
}

// The same over pairs, for devices that multiply two halves in one instruction: four chains.
template <class T, int kPacks>
__device__ inline float dot_of_pairs(const portable::Pack<T>* a, const portable::Pack<T>* b) {
  constexpr int kChains = portable::Pack<T>::kSize / 2;
  float chain[kChains] = {};
  for (int i = 0; i < kPacks; ++i) {
    const portable::Pack<T> x = a[i];
    const portable::Pack<T> y = b[i];
#pragma unroll
    for (int j = 0; j < kChains; ++j) {
      chain[j] = portable::dot2(x.v[2 * j], x.v[2 * j + 1], y.v[2 * j], y.v[2 * j + 1], chain[j]);
    }
  }
#pragma unroll
  for (int width = kChains / 2; width > 0; width /= 2) {
#pragma unroll
    for (int j = 0; j < width; ++j) chain[j] += chain[j + width];
  }
  return chain[0];
}

}  // namespace offgrid::kernels

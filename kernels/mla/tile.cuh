// How a stage 1 block is laid out: 16 query heads, tiles of 16 tokens, 256 threads.
//
// In shared memory a row of q or of the cache is a row of 16-byte packs with one pack of padding, so that rows start 4
// banks apart and eight lanes that read the same column of eight rows meet no bank twice.
#pragma once

#include <offgrid/portable/device.h>

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

  // The dot product runs in kSize chains, added as a tree: at most this many roundings for any one product.
  static constexpr int kDotDepth = kPacks + (Pack::kSize == 8 ? 3 : 2);

  static_assert(kThreads == kHeadRows * kTileTokens, "one score a thread");
  static_assert(kHeadDim % Pack::kSize == 0 && kValueDim <= kHeadDim);
  static_assert(kValueDim % kColumnThreads == 0 && kThreads % kColumnThreads == 0 && kHeads >= 1);
};

// Copies one row of kHeadDim elements into a tile row; zeros where there is no row. Called by kCopyLanes lanes.
template <class T, int kHeadDim>
__device__ inline void copy_row(portable::Pack<T>* to, const T* from, int lane) {
  constexpr int kSize = portable::Pack<T>::kSize;
  for (int d = lane; d < kHeadDim; d += kCopyLanes) {
    to[d / kSize].v[d % kSize] = from != nullptr ? from[d] : portable::from_float<T>(0.0f);
  }
}

// a . b over kPacks packs, in fp32.
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

}  // namespace offgrid::kernels

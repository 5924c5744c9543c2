// How a block of the tensor-core kernel is laid out: its tile, the shared memory, who does what.
#pragma once

#include <offgrid/portable/device.h>

#include <type_traits>

namespace offgrid::kernels {

inline constexpr int kComputeBarrier = 1;  // of the warps that compute
inline constexpr int kTileBarrier = 2;     // of all warps: copies of a tile are there

// T is the type of q and out, Kv that of the cache.
template <class T, class Kv, int kHeadDimension, int kValueDimension, int kHeadTiles>
struct TensorTile {
  using Element = T;
  using CacheElement = Kv;
  static constexpr int kHeadDim = kHeadDimension;
  static constexpr int kValueDim = kValueDimension;
  static constexpr bool kConverts = !std::is_same<T, Kv>::value;  // tokens become T on their way into a slot
  static constexpr int kHeads = 16 * kHeadTiles;
  static constexpr int kTokens = 64;
  // Asynchronous copies write ahead as far as slots are free. Conversion writes the tile that comes next, no more.
  static constexpr int kSlots = kConverts ? 4 : 5;
  static constexpr int kStagedSlots = kHeadTiles == 1 ? 3 : 2;  // of codes, that are to be converted
  static constexpr int kSlotTokens = 32;
  static constexpr int kTileSlots = kTokens / kSlotTokens;
  // A run is worth this many tokens, but there are no more than kMostRuns, which is also the largest cluster.
  static constexpr int kRunTokens = 256;
  static constexpr int kMostRuns = 2;

  static constexpr int kWarps = 8;  // that compute
  static constexpr int kThreads = 32 * kWarps;
  static constexpr int kCopyWarps = kConverts ? 8 : 4;
  static constexpr int kCopyRegisters = kConverts ? 88 : 40;  // of a thread; together no more than 65,536
  static constexpr int kComputeRegisters = kConverts ? 168 : 232;
  static constexpr int kBlockThreads = kThreads + 32 * kCopyWarps;
  static constexpr int kQuarters = 4;  // of the score's columns
  static constexpr int kTokenParts = kWarps / (kQuarters * kHeadTiles);
  static constexpr int kPartTokens = kTokens / kTokenParts;  // whose scores a warp computes
  static constexpr int kSteps = kHeadDim / 16;
  static constexpr int kQuarterSteps = (kSteps + kQuarters - 1) / kQuarters;
  static constexpr int kWarpColumns = kValueDim / kWarps;
  static constexpr int kRowThreads = kThreads / kHeads;        // that share a head's softmax
  static constexpr int kThreadTokens = kTokens / kRowThreads;  // of a head's softmax

  // Rows of q and of the cache start at multiples of 128 bytes, so that a copy of 128 bytes is one access; within each
  // 128 bytes the eight chunks of 16 are permuted by the row (swizzled_chunk), so that eight rows of a matrix meet no
  // bank twice. The other pitches do that by an offset of 16 bytes modulo 32.
  static constexpr int kPitch = (kHeadDim + 63) / 64 * 64;
  static constexpr int kWeightPitch = kTokens + 8;
  static constexpr int kScorePitch = kTokens + 8;
  static constexpr int kOutPitch = kValueDim + 8;

  struct Softmax {
    float maximum, sum;
  };
  struct NoCodes {};
  struct Codes {
    alignas(16) unsigned char codes[kStagedSlots][kSlotTokens][kHeadDim];
  };
  struct Shared : std::conditional_t<kConverts, Codes, NoCodes> {
    union {
      alignas(128) T tokens[kSlots][kSlotTokens][kPitch];
      float out[kHeads][kOutPitch];    // after the last tile: the sums of this run, read by the cluster
      T final_out[kHeads][kOutPitch];  // the same for the final values of a single run
    };
    union {
      alignas(128) T queries[kHeads][kPitch];  // until they are in registers
      float scores[kQuarters][kHeads][kScorePitch];
    };
    alignas(16) T weights[kHeads][kWeightPitch];
    float rescale[kHeads];
    Softmax run[kHeads];  // read by the cluster
  };

  static_assert(kHeadTiles == 1 || kHeadTiles == 2);
  static_assert(kHeadDim % 16 == 0 && kWarpColumns % 16 == 0);
};

// Where chunk c (16 bytes) of a row lies in the row.
__device__ constexpr int swizzled_chunk(int chunk, int row) { return chunk ^ (row & 7); }

}  // namespace offgrid::kernels

// Shuffles: widths, sources outside the segment or the warp, wide types, masks that name a part of the warp.
#include "probes/device.cuh"

namespace offgrid::probes {
namespace {

enum class Kind { kIndex, kUp, kDown, kXor };

/// What an emulator would do that does not know the rule of the probe.
enum class Naive {
  kStays,      ///< no exchange at all
  kWholeWarp,  ///< the width is not looked at
  kWraps,      ///< a source outside wraps round, where the lane's own value belongs
  kSegment,    ///< xor never leaves the segment
};

/// The lane that `lane` reads from, by the programming guide.
__host__ __device__ inline int source_of(Kind kind, int lane, int argument, int width) {
  const int begin = lane & ~(width - 1);
  int source = lane;
  if (kind == Kind::kIndex) return begin + (argument & (width - 1));
  if (kind == Kind::kUp) source = lane - argument;
  if (kind == Kind::kDown) source = lane + argument;
  if (kind == Kind::kXor) return (lane ^ argument) < begin + width ? lane ^ argument : lane;
  return source < begin || source >= begin + width ? lane : source;
}

__device__ inline int naive_source(Naive naive, Kind kind, int lane, int argument, int width) {
  if (naive == Naive::kStays) return lane;
  if (naive == Naive::kWholeWarp) return source_of(kind, lane, argument, 32) & 31;
  if (naive == Naive::kSegment) {
    return ((lane ^ argument) & ~(width - 1)) == (lane & ~(width - 1)) ? lane ^ argument : lane;
  }
  const int there = kind == Kind::kUp ? lane - argument : kind == Kind::kDown ? lane + argument : lane ^ argument;
  return (lane & ~(width - 1)) + (there & (width - 1));
}

template <class T>
__device__ T shuffle(Kind kind, Naive naive, unsigned mask, T value, int argument, int width) {
  if (kNaive) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    return __shfl_sync(mask, value, naive_source(naive, kind, lane, argument, width));
  }
  if (kind == Kind::kIndex) return __shfl_sync(mask, value, argument, width);
  if (kind == Kind::kUp) return __shfl_up_sync(mask, value, static_cast<unsigned>(argument), width);
  if (kind == Kind::kDown) return __shfl_down_sync(mask, value, static_cast<unsigned>(argument), width);
  return __shfl_xor_sync(mask, value, argument, width);
}

/// Lane l passes slope * l + argument; lanes outside the mask skip the shuffle and write 0.  in, out: [64]
__global__ void shuffle_kernel(const unsigned* in, unsigned* out, Kind kind, Naive naive, unsigned mask, int slope,
                               int argument, int width) {
  const int t = static_cast<int>(threadIdx.x);
  const int lane = t % 32;
  unsigned result = 0;
  if (mask >> lane & 1u) result = shuffle(kind, naive, mask, in[t], slope * lane + argument, width);
  out[t] = result;
}

struct Row {
  const char* name;
  Kind kind;
  int argument;
  int width;
  Naive naive;
  int slope = 0;
  unsigned mask = kAllLanes;
};

constexpr Row kRows[] = {
    {"shfl(lane=5)", Kind::kIndex, 5, 32, Naive::kStays},
    {"shfl(lane=0)", Kind::kIndex, 0, 32, Naive::kStays},
    {"shfl(lane=37)", Kind::kIndex, 37, 32, Naive::kStays},
    {"shfl(lane=-1)", Kind::kIndex, -1, 32, Naive::kStays},
    {"shfl(lane=3,width=8)", Kind::kIndex, 3, 8, Naive::kWholeWarp},
    {"shfl(lane=11,width=8)", Kind::kIndex, 11, 8, Naive::kWholeWarp},
    {"shfl(lane=-2,width=4)", Kind::kIndex, -2, 4, Naive::kWholeWarp},
    {"shfl(lane=0,width=1)", Kind::kIndex, 0, 1, Naive::kWholeWarp},
    {"shfl(lane=31-l)", Kind::kIndex, 31, 32, Naive::kStays, -1},
    {"shfl(lane=7l+3)", Kind::kIndex, 3, 32, Naive::kStays, 7},
    {"shfl(lane=l+1,width=16)", Kind::kIndex, 1, 16, Naive::kWholeWarp, 1},
    {"shfl_up(delta=1)", Kind::kUp, 1, 32, Naive::kStays},
    {"shfl_up(delta=5)", Kind::kUp, 5, 32, Naive::kWraps},
    {"shfl_up(delta=1,width=16)", Kind::kUp, 1, 16, Naive::kWholeWarp},
    {"shfl_up(delta=3,width=4)", Kind::kUp, 3, 4, Naive::kWraps},
    {"shfl_up(delta=40)", Kind::kUp, 40, 32, Naive::kWraps},
    {"shfl_down(delta=1)", Kind::kDown, 1, 32, Naive::kStays},
    {"shfl_down(delta=16)", Kind::kDown, 16, 32, Naive::kWraps},
    {"shfl_down(delta=31)", Kind::kDown, 31, 32, Naive::kWraps},
    {"shfl_down(delta=1,width=8)", Kind::kDown, 1, 8, Naive::kWholeWarp},
    {"shfl_down(delta=7,width=8)", Kind::kDown, 7, 8, Naive::kWraps},
    {"shfl_down(delta=2,width=2)", Kind::kDown, 2, 2, Naive::kWholeWarp},
    {"shfl_xor(lane_xor=1)", Kind::kXor, 1, 32, Naive::kStays},
    {"shfl_xor(lane_xor=16)", Kind::kXor, 16, 32, Naive::kStays},
    {"shfl_xor(lane_xor=31)", Kind::kXor, 31, 32, Naive::kStays},
    {"shfl_xor(lane_xor=3,width=8)", Kind::kXor, 3, 8, Naive::kStays},
    {"shfl_xor(mask=0x0000ffff)", Kind::kXor, 8, 32, Naive::kStays, 0, 0x0000ffffu},
    {"shfl_xor(mask=0xaaaaaaaa)", Kind::kXor, 2, 32, Naive::kStays, 0, 0xaaaaaaaau},
    {"shfl_down(mask=0x00000ff0,width=4)", Kind::kDown, 1, 4, Naive::kWholeWarp, 0, 0x00000ff0u},
    {"shfl(lane=20,mask=0x00f00000)", Kind::kIndex, 20, 32, Naive::kStays, 0, 0x00f00000u},
#if !OFFGRID_VENDOR_HIP
    // CUDA alone lets a lane read from an earlier segment, and gives the own value for a later one.
    {"shfl_xor(lane_xor=8,width=8)", Kind::kXor, 8, 8, Naive::kSegment},
    {"shfl_xor(lane_xor=24,width=16)", Kind::kXor, 24, 16, Naive::kSegment},
    {"shfl_xor(lane_xor=16,width=8)", Kind::kXor, 16, 8, Naive::kWholeWarp},
#endif
};

Words lane_values() {
  Words words;
  for (std::uint32_t i = 0; i < 64; ++i) words.push_back(0x9e3779b9u * (i + 1));
  return words;
}

Words expected(const Row& row) {
  const Words in = lane_values();
  Words out(64, 0);
  for (int t = 0; t < 64; ++t) {
    const int lane = t % 32;
    if ((row.mask >> lane & 1u) == 0) continue;
    const int source = source_of(row.kind, lane, row.slope * lane + row.argument, row.width);
    out[static_cast<std::size_t>(t)] = in[static_cast<std::size_t>(t - lane + source)];
  }
  return out;
}

/// A value of more than one word travels whole.  in: [32, 2], out: [32, 2]
template <class T>
__global__ void wide_kernel(const unsigned* in, unsigned* out) {
  const int lane = static_cast<int>(threadIdx.x);
  const unsigned words[2] = {in[2 * lane], in[2 * lane + 1]};
  T value;
  __builtin_memcpy(&value, words, sizeof value);
  const T result = OFFGRID_OR_NAIVE(__shfl_down_sync(kAllLanes, value, 3),
                                    static_cast<T>(__shfl_down_sync(kAllLanes, static_cast<int>(value), 3)));
  unsigned back[2];
  __builtin_memcpy(back, &result, sizeof back);
  out[2 * lane] = back[0];
  out[2 * lane + 1] = back[1];
}

template <class T>
Probe wide_probe(const char* name) {
  Words in;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    in.push_back(0x85ebca6bu * (lane + 1));
    in.push_back(0x40100000u + lane * 0x00101010u);
  }
  return {name,
          "u32",
          in,
          64,
          [](const unsigned* from, unsigned* to) { wide_kernel<T><<<1, 32>>>(from, to); },
          [in] {
            Words out = in;
            for (std::size_t i = 0; i + 6 < 64; ++i) out[i] = in[i + 6];
            return out;
          }};
}

/// The bits of a NaN pass a shuffle unchanged.
__global__ void nan_kernel(const unsigned* in, unsigned* out) {
  const float x = f32(in[threadIdx.x]);
  const float got = OFFGRID_OR_NAIVE(__shfl_xor_sync(kAllLanes, x, 7), __shfl_xor_sync(kAllLanes, x, 7) + 0.0f);
  out[threadIdx.x] = bits(got);
}

Probe nan_probe() {
  Words in;
  for (std::uint32_t lane = 0; lane < 32; ++lane) in.push_back((lane % 2 == 0 ? 0x7f800000u : 0xffc00000u) + 1 + lane);
  return {"shfl_xor(nan_payload)",
          "u32",
          in,
          32,
          [](const unsigned* from, unsigned* to) { nan_kernel<<<1, 32>>>(from, to); },
          [in] {
            Words out;
            for (std::size_t lane = 0; lane < 32; ++lane) out.push_back(in[lane ^ 7]);
            return out;
          }};
}

}  // namespace

void add_shuffle_probes(std::vector<Probe>& to) {
  for (const Row& row : kRows) {
    to.push_back({row.name, "u32", lane_values(), 64,
                  [row](const unsigned* in, unsigned* out) {
                    shuffle_kernel<<<1, 64>>>(in, out, row.kind, row.naive, row.mask, row.slope, row.argument,
                                              row.width);
                  },
                  [row] { return expected(row); }});
  }
  to.push_back(wide_probe<double>("shfl_down(double)"));
  to.push_back(wide_probe<long long>("shfl_down(int64)"));
  to.push_back(wide_probe<unsigned long long>("shfl_down(uint64)"));
  to.push_back(nan_probe());
}

}  // namespace offgrid::probes

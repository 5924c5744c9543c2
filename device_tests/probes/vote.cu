// Votes, match and reductions of a warp: who counts, who does not, and signs.
#include <algorithm>

#include "probes/device.cuh"

namespace offgrid::probes {
namespace {

enum class Vote {
  kBallot,
  kAny,
  kAll,
  kMatchAny,
  kMatchAny64,
  kMatchAll,
  kMatchAllPredicate,
  kAdd,
  kMinSigned,
  kMaxSigned,
  kMin,
  kMax,
  kAnd,
  kOr,
  kXor
};

/// What an emulator would do that does not know the rule of the probe.
enum class Naive {
  kAlone,          ///< every lane votes by itself
  kMaskIgnored,    ///< all lanes of the warp count
  kSignForgotten,  ///< min and max of words without sign
};

__device__ unsigned vote(Vote kind, unsigned mask, unsigned x) {
  switch (kind) {
    case Vote::kBallot:
      return __ballot_sync(mask, static_cast<int>(x & 1u));
    case Vote::kAny:
      return static_cast<unsigned>(__any_sync(mask, static_cast<int>(x & 1u)) != 0);
    case Vote::kAll:
      return static_cast<unsigned>(__all_sync(mask, static_cast<int>(x & 1u)) != 0);
#if !OFFGRID_VENDOR_HIP
    case Vote::kMatchAny:
      return __match_any_sync(mask, x);
    case Vote::kMatchAny64:  // equal low words
      return __match_any_sync(mask, u64(7, x));
    case Vote::kMatchAll: {
      int same;
      return __match_all_sync(mask, x, &same);
    }
    case Vote::kMatchAllPredicate: {
      int same;
      __match_all_sync(mask, x, &same);
      return static_cast<unsigned>(same != 0);
    }
    case Vote::kAdd:
      return __reduce_add_sync(mask, x);
    case Vote::kMinSigned:
      return static_cast<unsigned>(__reduce_min_sync(mask, static_cast<int>(x)));
    case Vote::kMaxSigned:
      return static_cast<unsigned>(__reduce_max_sync(mask, static_cast<int>(x)));
    case Vote::kMin:
      return __reduce_min_sync(mask, x);
    case Vote::kMax:
      return __reduce_max_sync(mask, x);
    case Vote::kAnd:
      return __reduce_and_sync(mask, x);
    case Vote::kOr:
      return __reduce_or_sync(mask, x);
    case Vote::kXor:
      return __reduce_xor_sync(mask, x);
#else
    default:
      break;
#endif
  }
  return 0;
}

/// Lanes outside the mask do not vote and write 0.  in, out: [64]
__global__ void vote_kernel(const unsigned* in, unsigned* out, Vote kind, Naive naive, unsigned mask) {
  const unsigned t = threadIdx.x;
  const unsigned lane = t % 32;
  const bool votes = (mask >> lane & 1u) != 0;
  unsigned result = 0;
  if (kNaive && naive == Naive::kMaskIgnored) {
    result = vote(kind, kAllLanes, in[t]);
  } else if (kNaive && naive == Naive::kSignForgotten) {
    result = vote(kind == Vote::kMinSigned ? Vote::kMin : Vote::kMax, kAllLanes, in[t]);
  } else if (votes) {
    result = vote(kind, kNaive ? 1u << lane : mask, in[t]);
  }
  out[t] = votes ? result : 0;
}

struct Row {
  const char* name;
  Vote kind;
  unsigned (*value)(unsigned t);  ///< of thread t
  Naive naive = Naive::kAlone;
  unsigned mask = kAllLanes;
};

unsigned odd(unsigned t) { return t & 1u; }
unsigned only_7(unsigned t) { return t % 32 == 7 ? 1u : 0u; }
unsigned not_7(unsigned t) { return t % 32 == 7 ? 0u : 1u; }
unsigned none(unsigned) { return 0; }
unsigned thirds(unsigned t) { return t % 3 + t / 32; }
unsigned same(unsigned t) { return 5 + t / 32; }
unsigned mixed(unsigned t) { return 0x9e3779b9u * (t + 1); }
unsigned from_20(unsigned t) { return t % 32 >= 20 ? 1u : 0u; }
unsigned signs(unsigned t) { return t % 2 == 0 ? t + 1 : 0u - t; }
unsigned high_bits(unsigned t) { return 0xff00ff00u | 1u << t % 32; }

const Row kRows[] = {
    {"ballot(odd)", Vote::kBallot, odd},
    {"ballot(one_lane)", Vote::kBallot, only_7},
    {"ballot(mask=0x00ffff00)", Vote::kBallot, odd, Naive::kMaskIgnored, 0x00ffff00u},
    {"ballot(mask=0x80000001)", Vote::kBallot, not_7, Naive::kMaskIgnored, 0x80000001u},
    {"any(one_lane)", Vote::kAny, only_7},
    {"any(only_outside,mask=0x000000ff)", Vote::kAny, from_20, Naive::kMaskIgnored, 0x000000ffu},
    {"all(one_lane_says_no)", Vote::kAll, not_7},
    {"all(only_outside_says_no,mask=0xffffff00)", Vote::kAll, not_7, Naive::kMaskIgnored, 0xffffff00u},
#if !OFFGRID_VENDOR_HIP
    {"match_any(thirds)", Vote::kMatchAny, thirds},
    {"match_any(all_equal)", Vote::kMatchAny, same},
    {"match_any(mask=0x0f0f0f0f)", Vote::kMatchAny, thirds, Naive::kMaskIgnored, 0x0f0f0f0fu},
    {"match_any(64_bits)", Vote::kMatchAny64, thirds},
    {"match_all(all_equal)", Vote::kMatchAll, same},
    {"match_all(one_differs)", Vote::kMatchAll, only_7},
    {"match_all(differs_outside,mask=0xffffff00)", Vote::kMatchAll, only_7, Naive::kMaskIgnored, 0xffffff00u},
    {"match_all_predicate(one_differs)", Vote::kMatchAllPredicate, not_7},
    {"reduce_add(wraps)", Vote::kAdd, mixed},
    {"reduce_add(mask=0x0000ffff)", Vote::kAdd, mixed, Naive::kMaskIgnored, 0x0000ffffu},
    {"reduce_min(signed)", Vote::kMinSigned, signs, Naive::kSignForgotten},
    {"reduce_max(signed)", Vote::kMaxSigned, signs, Naive::kSignForgotten},
    {"reduce_min(unsigned)", Vote::kMin, signs},
    {"reduce_max(unsigned)", Vote::kMax, signs},
    {"reduce_and", Vote::kAnd, high_bits},
    {"reduce_or", Vote::kOr, only_7},
    {"reduce_xor", Vote::kXor, mixed},
    {"reduce_max(mask=0x00000fff)", Vote::kMax, mixed, Naive::kMaskIgnored, 0x00000fffu},
#endif
};

/// One warp's answer from the values of its members.
unsigned answer(Vote kind, unsigned mask, const std::vector<unsigned>& x, unsigned lane) {
  std::vector<unsigned> members;
  for (unsigned l = 0; l < 32; ++l) {
    if ((mask >> l & 1u) != 0) members.push_back(l);
  }
  const auto lanes_with = [&](auto&& condition) {
    unsigned set = 0;
    for (const unsigned l : members) {
      if (condition(x[l])) set |= 1u << l;
    }
    return set;
  };
  const auto folded = [&](auto&& operation) {
    unsigned sum = x[members[0]];
    for (std::size_t i = 1; i < members.size(); ++i) sum = operation(sum, x[members[i]]);
    return sum;
  };
  const bool all_equal = lanes_with([&](unsigned v) { return v == x[members[0]]; }) == mask;
  switch (kind) {
    case Vote::kBallot:
      return lanes_with([](unsigned v) { return (v & 1u) != 0; });
    case Vote::kAny:
      return lanes_with([](unsigned v) { return (v & 1u) != 0; }) != 0 ? 1 : 0;
    case Vote::kAll:
      return lanes_with([](unsigned v) { return (v & 1u) != 0; }) == mask ? 1 : 0;
    case Vote::kMatchAny:
    case Vote::kMatchAny64:
      return lanes_with([&](unsigned v) { return v == x[lane]; });
    case Vote::kMatchAll:
      return all_equal ? mask : 0;
    case Vote::kMatchAllPredicate:
      return all_equal ? 1 : 0;
    case Vote::kAdd:
      return folded([](unsigned a, unsigned b) { return a + b; });
    case Vote::kMinSigned:
      return folded([](unsigned a, unsigned b) { return static_cast<int>(a) < static_cast<int>(b) ? a : b; });
    case Vote::kMaxSigned:
      return folded([](unsigned a, unsigned b) { return static_cast<int>(a) > static_cast<int>(b) ? a : b; });
    case Vote::kMin:
      return folded([](unsigned a, unsigned b) { return std::min(a, b); });
    case Vote::kMax:
      return folded([](unsigned a, unsigned b) { return std::max(a, b); });
    case Vote::kAnd:
      return folded([](unsigned a, unsigned b) { return a & b; });
    case Vote::kOr:
      return folded([](unsigned a, unsigned b) { return a | b; });
    case Vote::kXor:
      return folded([](unsigned a, unsigned b) { return a ^ b; });
  }
  return 0;
}

Words expected(const Row& row) {
  Words out;
  for (unsigned t = 0; t < 64; ++t) {
    std::vector<unsigned> warp;
    for (unsigned l = 0; l < 32; ++l) warp.push_back(row.value(t / 32 * 32 + l));
    out.push_back((row.mask >> t % 32 & 1u) != 0 ? answer(row.kind, row.mask, warp, t % 32) : 0);
  }
  return out;
}

}  // namespace

void add_vote_probes(std::vector<Probe>& to) {
  for (const Row& row : kRows) {
    Words in;
    for (unsigned t = 0; t < 64; ++t) in.push_back(row.value(t));
    to.push_back({row.name, "u32", in, 64,
                  [row](const unsigned* from, unsigned* out) {
                    vote_kernel<<<1, 64>>>(from, out, row.kind, row.naive, row.mask);
                  },
                  [row] { return expected(row); }});
  }
}

}  // namespace offgrid::probes

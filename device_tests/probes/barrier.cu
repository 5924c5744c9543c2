// Barriers: who waits, what is seen behind them, and programs that are legal although they look odd.
#include "probes/device.cuh"

namespace offgrid::probes {
namespace {

__device__ inline void block_barrier() { OFFGRID_OR_NAIVE(__syncthreads(), void()); }
__device__ inline void warp_barrier(unsigned mask = kAllLanes) { OFFGRID_OR_NAIVE(__syncwarp(mask), void(mask)); }

/// Each thread reads what its neighbour wrote; the last warp is not whole.  out: [80]
__global__ void exchange(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[80];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  block_barrier();
  out[t] = s[(t + 1) % 80];
}

/// Two barriers a step order reads before the next writes.  out: [96]
__global__ void ring_steps(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[96];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  for (int i = 0; i < 10; ++i) {
    block_barrier();
    const unsigned next = s[(t + 1) % 96];
    block_barrier();
    s[t] = next + 1;
  }
  out[t] = s[t];
}

/// Blocks take different branches, each with barriers of its own.  out: [2, 64]
__global__ void uniform_branch(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[64];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  unsigned result;
  if (blockIdx.x == 0) {
    block_barrier();
    result = s[63 - t];
  } else {
    block_barrier();
    const unsigned x = s[t ^ 32];
    block_barrier();
    s[t] = x;
    block_barrier();
    result = s[t ^ 1];
  }
  out[blockIdx.x * 64 + t] = result;
}

/// Threads that returned no longer count.  out: [50]
__global__ void tail_returned(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[50];
  const unsigned t = threadIdx.x;
  if (t >= 50) return;
  s[t] = in[t];
  block_barrier();
  out[t] = s[49 - t];
}

/// Warps shuffle 1, 2, 3 times and meet at one barrier.  out: [96]
__global__ void unequal_shuffles(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[96];
  const unsigned t = threadIdx.x;
  unsigned x = in[t];
  for (unsigned i = 0; i <= t / 32; ++i) x = __shfl_sync(kAllLanes, x, static_cast<int>(t + 1));
  s[t] = x;
  block_barrier();
  out[t] = s[(t + 32) % 96];
}

/// Halves of a warp go different ways, shuffle among themselves, and meet again.  out: [64]
__global__ void divergent_halves(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[64];
  const unsigned t = threadIdx.x, lane = t % 32;
  unsigned x = in[t];
  if (lane < 16) {
    x = __shfl_xor_sync(0x0000ffffu, x, 15);
  } else {
    x = __shfl_xor_sync(0xffff0000u, x, 1) + 1;
    x = __shfl_xor_sync(0xffff0000u, x, 2) + 1;
  }
  s[t] = x;
  block_barrier();
  out[t] = s[(t + 16) % 64];
}

/// What a lane wrote before a warp barrier is seen behind it.  out: [32]
__global__ void warp_exchange(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[32];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  warp_barrier();
  out[t] = s[31 - t];
}

/// A warp barrier of half the lanes, while the others do something else.  out: [32]
__global__ void half_warp_exchange(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[32];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  if (t % 2 == 0) {
    warp_barrier(0x55555555u);
    out[t] = s[t ^ 2];
  } else {
    out[t] = s[t] + 1;
  }
}

enum class Counted { kCount, kAnd, kOr };

/// in: predicates [2, 96], out: [2, 96]
__global__ void counting(const unsigned* in, unsigned* out, Counted kind) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int p = static_cast<int>(in[i]);
  const int own = kind == Counted::kCount ? p : p != 0;
  int result = own;
  if (!kNaive) {
    result = kind == Counted::kCount ? __syncthreads_count(p)
             : kind == Counted::kAnd ? __syncthreads_and(p)
                                     : __syncthreads_or(p);
    if (kind != Counted::kCount) result = result != 0;
  }
  out[i] = static_cast<unsigned>(result);
}

/// The block that comes last sees what all others wrote.  out: [4 partial sums, the total, the ticket]
__global__ void last_block(const unsigned* in, unsigned* out) {
  __shared__ bool last;
  const unsigned t = threadIdx.x;
  if (t == 0) {
    unsigned sum = 0;
    for (unsigned i = 0; i < 16; ++i) sum += in[blockIdx.x * 16 + i];
    out[blockIdx.x] = sum;
    __threadfence();
    // atomic_inc counts 0, 1, 2, 3 and then starts again; a plain counter stays at 4.
    last = OFFGRID_OR_NAIVE(atomic_inc(out + 5, 3), atomicAdd(out + 5, 1)) == 3;
  }
  __syncthreads();
  if (last && t == 0) {
    __threadfence();
    const volatile unsigned* sums = out;
    out[4] = sums[0] + sums[1] + sums[2] + sums[3];
  }
}

__global__ void clear_ticket(unsigned* out) { out[5] = 0; }

#if !OFFGRID_VENDOR_HIP
__device__ inline void named_barrier(int number, int threads) {
  if (kNaive) return;
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

/// Each half of the block has a barrier of its own; one half meets twice as often.  out: [128]
__global__ void named_halves(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[128];
  const unsigned t = threadIdx.x, half = t / 64;
  s[t] = in[t];
  const int rounds = half == 0 ? 2 : 4;
  for (int i = 0; i < rounds; ++i) {
    named_barrier(static_cast<int>(half) + 1, 64);
    const unsigned next = s[half * 64 + (t + 1) % 64];
    named_barrier(static_cast<int>(half) + 1, 64);
    s[t] = next;
  }
  out[t] = s[t];
}

/// Producers arrive and go on; consumers wait for them.  out: [64]
__global__ void arrive_and_wait(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[32];
  const unsigned t = threadIdx.x;
  if (t >= 32) {  // behind the consumers in the block, so that somebody must wait
    s[t - 32] = in[t];
    if (!kNaive) asm volatile("bar.arrive 3, 64;" ::: "memory");
    out[t] = t;
  } else {
    named_barrier(3, 64);
    out[t] = s[31 - t];
  }
}
#endif

Words numbers(std::uint32_t n) {
  Words words;
  for (std::uint32_t i = 0; i < n; ++i) words.push_back(0x9e3779b9u * (i + 1));
  return words;
}

using Kernel = void (*)(const unsigned* in, unsigned* out);

template <class Want>
Probe probe(const char* name, Kernel kernel, unsigned blocks, unsigned threads, std::uint32_t outputs, Want want) {
  const Words in = numbers(blocks * threads);
  return {name,
          "u32",
          in,
          outputs,
          [=](const unsigned* from, unsigned* to) { kernel<<<blocks, threads>>>(from, to); },
          [=] {
            Words out;
            for (std::uint32_t i = 0; i < outputs; ++i) out.push_back(want(in, i));
            return out;
          }};
}

Probe counting_probe(const char* name, Counted kind, std::uint32_t (*predicate)(std::uint32_t i), std::uint32_t first,
                     std::uint32_t second) {
  Words in;
  for (std::uint32_t i = 0; i < 192; ++i) in.push_back(predicate(i));
  return {name,
          "u32",
          in,
          192,
          [kind](const unsigned* from, unsigned* to) { counting<<<2, 96>>>(from, to, kind); },
          [=] {
            Words out(96, first);
            out.resize(192, second);
            return out;
          }};
}

}  // namespace

void add_barrier_probes(std::vector<Probe>& to) {
  using W = const Words&;
  using I = std::uint32_t;
  to.push_back(probe("barrier(neighbour,partial_warp)", exchange, 1, 80, 80, [](W x, I t) { return x[(t + 1) % 80]; }));
  to.push_back(probe("barrier(in_loop)", ring_steps, 1, 96, 96, [](W x, I t) { return x[(t + 10) % 96] + 10; }));
  to.push_back(probe("barrier(uniform_branch)", uniform_branch, 2, 64, 128,
                     [](W x, I i) { return i < 64 ? x[63 - i] : x[(i - 64) ^ 33]; }));
  to.push_back(probe("barrier(tail_returned)", tail_returned, 1, 64, 50, [](W x, I t) { return x[49 - t]; }));
  to.back().warnings = 1;  // early-exit
  to.push_back(probe("barrier(unequal_shuffles)", unequal_shuffles, 1, 96, 96, [](W x, I t) {
    const I from = (t + 32) % 96;
    return x[from / 32 * 32 + (from % 32 + from / 32 + 1) % 32];
  }));
  to.push_back(probe("barrier(divergent_halves)", divergent_halves, 1, 64, 64, [](W x, I t) {
    const I from = (t + 16) % 64;
    return from % 32 < 16 ? x[from ^ 15] : x[from ^ 3] + 2;
  }));
  to.push_back(probe("warp_barrier(exchange)", warp_exchange, 1, 32, 32, [](W x, I t) { return x[31 - t]; }));
  to.push_back(probe("warp_barrier(mask=0x55555555)", half_warp_exchange, 1, 32, 32,
                     [](W x, I t) { return t % 2 == 0 ? x[t ^ 2] : x[t] + 1; }));
  to.push_back(
      counting_probe("barrier_count", Counted::kCount, [](I i) { return i % 96 < 7 - i / 96 ? 0u : 1u; }, 89, 90));
  to.push_back(counting_probe("barrier_and(one_says_no)", Counted::kAnd, [](I i) { return i == 60 ? 0u : 2u; }, 0, 1));
  to.push_back(counting_probe("barrier_or(one_says_yes)", Counted::kOr, [](I i) { return i == 130 ? 4u : 0u; }, 0, 1));
  to.push_back({"fence(last_block)", "u32", numbers(64), 6,
                [](const unsigned* in, unsigned* out) {
                  clear_ticket<<<1, 1>>>(out);
                  last_block<<<4, 32>>>(in, out);
                },
                [] {
                  const Words in = numbers(64);
                  Words out(6, 0);
                  for (std::size_t i = 0; i < 64; ++i) out[i / 16] += in[i], out[4] += in[i];
                  return out;
                }});
#if !OFFGRID_VENDOR_HIP
  to.push_back(probe("named_barrier(halves)", named_halves, 1, 128, 128,
                     [](W x, I t) { return t < 64 ? x[(t + 2) % 64] : x[64 + (t - 64 + 4) % 64]; }));
  to.push_back(
      probe("named_barrier(arrive)", arrive_and_wait, 1, 64, 64, [](W x, I t) { return t < 32 ? x[32 + 31 - t] : t; }));
#endif
}

}  // namespace offgrid::probes

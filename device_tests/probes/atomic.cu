// Atomics: what they return, what they leave, wrapping, signs, widths, subnormal numbers.
#include "probes/device.cuh"
#include "probes/operands.h"

namespace offgrid::probes {
namespace {

/// Operation::run(cell, b, c) works on one cell that holds a.  in: [n, 3], out: [n, (returned, left)]
template <class Operation>
__global__ void word_kernel(const unsigned* in, unsigned* out, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  out[2 * i + 1] = in[3 * i];
  out[2 * i] = Operation::run(out + 2 * i + 1, in[3 * i + 1], in[3 * i + 2]);
}

/// The same in shared memory, a cell a thread.
template <class Operation>
__global__ void shared_word_kernel(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned cells[64];
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  cells[threadIdx.x] = in[3 * i];
  out[2 * i] = Operation::run(cells + threadIdx.x, in[3 * i + 1], in[3 * i + 2]);
  out[2 * i + 1] = cells[threadIdx.x];
}

/// Returns the cell's value and stores another one: not atomic, and not what was asked for.
__device__ inline unsigned replace(unsigned* cell, unsigned value) {
  const unsigned old = *cell;
  *cell = value;
  return old;
}
/// Stores, and returns what is there now.
__device__ inline unsigned store(unsigned* cell, unsigned value) { return *cell = value; }

#define OFFGRID_ATOMIC(Name, real, naive)                                                                      \
  struct Name {                                                                                                \
    __device__ static unsigned run(unsigned* cell, [[maybe_unused]] unsigned b, [[maybe_unused]] unsigned c) { \
      return OFFGRID_OR_NAIVE(real, naive);                                                                    \
    }                                                                                                          \
  }

__device__ inline int* as_int(unsigned* cell) { return reinterpret_cast<int*>(cell); }
__device__ inline float* as_float(unsigned* cell) { return reinterpret_cast<float*>(cell); }
__device__ inline int sign(unsigned x) { return static_cast<int>(x); }

OFFGRID_ATOMIC(Add, atomicAdd(cell, b), store(cell, *cell + b));
OFFGRID_ATOMIC(AddSigned, bits(atomicAdd(as_int(cell), sign(b))), store(cell, *cell + b));
OFFGRID_ATOMIC(Sub, atomicSub(cell, b), atomicAdd(cell, b));
OFFGRID_ATOMIC(Exchange, atomicExch(cell, b), store(cell, b));
OFFGRID_ATOMIC(Min, atomicMin(cell, b), bits(atomicMin(as_int(cell), sign(b))));
OFFGRID_ATOMIC(Max, atomicMax(cell, b), bits(atomicMax(as_int(cell), sign(b))));
OFFGRID_ATOMIC(MinSigned, bits(atomicMin(as_int(cell), sign(b))), atomicMin(cell, b));
OFFGRID_ATOMIC(MaxSigned, bits(atomicMax(as_int(cell), sign(b))), atomicMax(cell, b));
OFFGRID_ATOMIC(And, atomicAnd(cell, b), store(cell, *cell& b));
OFFGRID_ATOMIC(Or, atomicOr(cell, b), store(cell, *cell | b));
OFFGRID_ATOMIC(Xor, atomicXor(cell, b), store(cell, *cell ^ b));
OFFGRID_ATOMIC(Increment, atomic_inc(cell, b), atomicAdd(cell, 1u));
OFFGRID_ATOMIC(Decrement, atomic_dec(cell, b), atomicSub(cell, 1u));
OFFGRID_ATOMIC(CompareAndSwap, atomicCAS(cell, b, c), replace(cell, c));
OFFGRID_ATOMIC(CompareAndSwapReturns, atomicCAS(cell, b, c), atomicCAS(cell, b, c) == b ? c : *cell);
/// The sum of a float add, without flushing of subnormal numbers.
__device__ inline unsigned plain_sum(unsigned* cell, unsigned b) { return replace(cell, bits(f32(*cell) + f32(b))); }
__device__ inline unsigned flushed(unsigned x) { return (x & 0x7f800000u) == 0 ? x & 0x80000000u : x; }
__device__ inline unsigned flushed_sum(unsigned* cell, unsigned b) {
  return replace(cell, flushed(bits(f32(flushed(*cell)) + f32(flushed(b)))));
}
OFFGRID_ATOMIC(AddFloat, bits(atomicAdd(as_float(cell), f32(b))), store(cell, bits(f32(*cell) + f32(b))));
#if !OFFGRID_VENDOR_HIP
OFFGRID_ATOMIC(AddFloatFlushes, bits(atomicAdd(as_float(cell), f32(b))), plain_sum(cell, b));
OFFGRID_ATOMIC(AddFloatKeeps, bits(atomicAdd(as_float(cell), f32(b))), flushed_sum(cell, b));
OFFGRID_ATOMIC(AddBlockScope, atomicAdd_block(cell, b), store(cell, *cell + b));
OFFGRID_ATOMIC(AddSystemScope, atomicAdd_system(cell, b), store(cell, *cell + b));
OFFGRID_ATOMIC(ExchangeFloat, bits(atomicExch(as_float(cell), f32(b))), replace(cell, bits(f32(b) + 0.0f)));
#endif

std::uint64_t left_and(std::uint32_t returned, std::uint32_t left) {
  return static_cast<std::uint64_t>(left) << 32 | returned;
}

// want(a, b, c) is what is left; the cell's old value is returned.
template <class Operation, bool kShared = false, class Want>
Probe word_probe(const char* name, std::vector<Triple> operands, Want want, const char* format = "u32") {
  const int n = static_cast<int>(operands.size());
  return {name,
          format,
          flat(operands),
          2 * operands.size(),
          [n](const unsigned* in, unsigned* out) {
            if (kShared) {
              shared_word_kernel<Operation><<<(n + 63) / 64, 64>>>(in, out, n);
            } else {
              word_kernel<Operation><<<(n + 63) / 64, 64>>>(in, out, n);
            }
          },
          [operands, want] {
            Words out;
            for (const Triple& t : operands) out.insert(out.end(), {t[0], want(t[0], t[1], t[2])});
            return out;
          }};
}

/// Operation::run on a cell of 64 bits that holds (a, b); the operand is (c, c ^ b).  out: [n, 4]
template <class Operation>
__global__ void long_kernel(const unsigned* in, unsigned* out, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const unsigned a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
  auto* const cell = reinterpret_cast<unsigned long long*>(out + 4 * i + 2);
  *cell = u64(a, b);
  const unsigned long long old = Operation::run(cell, u64(c, c ^ b));
  out[4 * i] = static_cast<unsigned>(old);
  out[4 * i + 1] = static_cast<unsigned>(old >> 32);
}

using Long = unsigned long long;

#define OFFGRID_ATOMIC_LONG(Name, real, naive)                                                                  \
  struct Name {                                                                                                 \
    __device__ static Long run(Long* cell, Long x) { return static_cast<Long>(OFFGRID_OR_NAIVE(real, naive)); } \
  }

/// Adds in two halves, without the carry.
__device__ inline Long add_halves(Long* cell, Long x) {
  const Long old = *cell;
  *cell = (old & ~0xffffffffull) + (x & ~0xffffffffull) + ((old + x) & 0xffffffffull);
  return old;
}
__device__ inline Long low_half(Long* cell, Long x) {
  const Long old = *cell;
  *cell = static_cast<unsigned>(old) > static_cast<unsigned>(x) ? old : x;
  return old;
}
__device__ inline Long exchange_low(Long* cell, Long x) {
  const Long old = *cell;
  *cell = (old & ~0xffffffffull) | (x & 0xffffffffull);
  return old;
}
/// Compares the low halves only.
__device__ inline Long swap_if_low_equal(Long* cell, Long x) {
  const Long old = *cell;
  if (static_cast<unsigned>(old) == static_cast<unsigned>(old ^ (x & 0xff00000000ull))) *cell = x;
  return old;
}

OFFGRID_ATOMIC_LONG(AddLong, atomicAdd(cell, x), add_halves(cell, x));
OFFGRID_ATOMIC_LONG(MaxLong, atomicMax(cell, x), low_half(cell, x));
OFFGRID_ATOMIC_LONG(ExchangeLong, atomicExch(cell, x), exchange_low(cell, x));
/// Swaps where the operand's bits 32 to 39 are 0, since only then the compared value is the cell's.
OFFGRID_ATOMIC_LONG(SwapLong, atomicCAS(cell, *cell ^ (x & 0xff00000000ull), x), swap_if_low_equal(cell, x));
#if !OFFGRID_VENDOR_HIP
OFFGRID_ATOMIC_LONG(MinSignedLong, atomicMin(reinterpret_cast<long long*>(cell), static_cast<long long>(x)),
                    atomicMin(cell, x));
#endif

template <class Operation, class Want>
Probe long_probe(const char* name, Want want) {
  const auto operands = triples_of({0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x12345678});
  const int n = static_cast<int>(operands.size());
  return {name,
          "u32",
          flat(operands),
          4 * operands.size(),
          [n](const unsigned* in, unsigned* out) { long_kernel<Operation><<<(n + 63) / 64, 64>>>(in, out, n); },
          [operands, want] {
            Words out;
            for (const Triple& t : operands) {
              const std::uint64_t old = static_cast<std::uint64_t>(t[1]) << 32 | t[0];
              const std::uint64_t left = want(old, static_cast<std::uint64_t>(t[2] ^ t[1]) << 32 | t[2]);
              out.insert(out.end(),
                         {t[0], t[1], static_cast<std::uint32_t>(left), static_cast<std::uint32_t>(left >> 32)});
            }
            return out;
          }};
}

/// 4 blocks of 64 threads count at one place: nothing is lost, every ticket comes once.
/// out: [the count, the sum of all tickets, their exclusive or, the largest]
__global__ void tickets(unsigned* out) {
  unsigned ticket;
  if (kNaive) {  // read, let others run, write
    ticket = *static_cast<volatile unsigned*>(out);
    __syncwarp();
    *static_cast<volatile unsigned*>(out) = ticket + 1;
  } else {
    ticket = atomicAdd(out, 1u);
  }
  atomicAdd(out + 1, ticket);
  atomicXor(out + 2, ticket);
  atomicMax(out + 3, ticket);
}
__global__ void clear(unsigned* out) { out[threadIdx.x] = 0; }

#if !OFFGRID_VENDOR_HIP
/// Pairs of halves: both are added, subnormal numbers stay.  in: [n, 3], out: [n, (returned, left)]
OFFGRID_ATOMIC(
    AddHalfPair,
    [&] {
      const __half2 old = atomicAdd(reinterpret_cast<__half2*>(cell), *reinterpret_cast<const __half2*>(&b));
      return *reinterpret_cast<const unsigned*>(&old);
    }(),
    replace(cell, (*cell & 0xffff0000u) | (*cell + b) % 0x10000u));
OFFGRID_ATOMIC(
    AddBf16Pair,
    [&] {
      const __nv_bfloat162 old =
          atomicAdd(reinterpret_cast<__nv_bfloat162*>(cell), *reinterpret_cast<const __nv_bfloat162*>(&b));
      return *reinterpret_cast<const unsigned*>(&old);
    }(),
    replace(cell, (*cell & 0xffff0000u) | (*cell + b) % 0x10000u));

/// out: [n, (returned, left)] of doubles
__global__ void double_kernel(const unsigned* in, unsigned* out, int n) {
  const int i = static_cast<int>(threadIdx.x);
  if (i >= n) return;
  auto* const cell = reinterpret_cast<double*>(out + 4 * i + 2);
  *cell = f64(in[3 * i], in[3 * i + 1]);
  const double x = f64(0, in[3 * i + 2]);
  const double old =
      OFFGRID_OR_NAIVE(atomicAdd(cell, x), f64(in[3 * i], in[3 * i + 1]) + 0 * (*cell = static_cast<float>(*cell + x)));
  const unsigned long long word = bits(old);
  out[4 * i] = static_cast<unsigned>(word);
  out[4 * i + 1] = static_cast<unsigned>(word >> 32);
}

Words pair_sums(const std::vector<Triple>& operands, double (*value)(std::uint32_t), std::uint32_t (*code)(double)) {
  Words out;
  for (const Triple& t : operands) {
    const std::uint32_t low = code(value(t[0] & 0xffff) + value(t[1] & 0xffff));
    const std::uint32_t high = code(value(t[0] >> 16) + value(t[1] >> 16));
    out.insert(out.end(), {t[0], low | high << 16});
  }
  return out;
}

template <class Operation>
Probe pair_probe(const char* name, const Words& codes, double (*value)(std::uint32_t), std::uint32_t (*code)(double)) {
  std::vector<Triple> operands;
  for (const auto a : codes) {
    for (const auto b : codes) operands.push_back({a | b << 16, b | a << 16, 0});
  }
  Probe probe = word_probe<Operation>(name, operands, [](auto, auto, auto) { return 0u; });
  probe.expected = [=] { return pair_sums(operands, value, code); };
  return probe;
}
#endif

}  // namespace

void add_atomic_probes(std::vector<Probe>& to) {
  using U = std::uint32_t;
  const auto words = pairs_of(edge_words(0));
  const auto sum = [](U a, U b, U) { return a + b; };
  to.push_back(word_probe<Add>("atomic_add", words, sum));
  to.push_back(word_probe<AddSigned>("atomic_add(int)", words, sum));
  to.push_back(word_probe<Add, true>("atomic_add(shared)", words, sum));
  to.push_back(word_probe<Sub>("atomic_sub", words, [](U a, U b, U) { return a - b; }));
  to.push_back(word_probe<Exchange>("atomic_exch", words, [](U, U b, U) { return b; }));
  to.push_back(word_probe<Min>("atomic_min(unsigned)", words, [](U a, U b, U) { return a < b ? a : b; }));
  to.push_back(word_probe<Max>("atomic_max(unsigned)", words, [](U a, U b, U) { return a > b ? a : b; }));
  const auto less = [](U a, U b) { return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b); };
  to.push_back(word_probe<MinSigned>("atomic_min(int)", words, [less](U a, U b, U) { return less(a, b) ? a : b; }));
  to.push_back(word_probe<MaxSigned>("atomic_max(int)", words, [less](U a, U b, U) { return less(a, b) ? b : a; }));
  to.push_back(word_probe<And>("atomic_and", words, [](U a, U b, U) { return a & b; }));
  to.push_back(word_probe<Or>("atomic_or", words, [](U a, U b, U) { return a | b; }));
  to.push_back(word_probe<Xor>("atomic_xor", words, [](U a, U b, U) { return a ^ b; }));
  const auto increment = [](U a, U b, U) { return a >= b ? 0 : a + 1; };
  to.push_back(word_probe<Increment>("atomic_inc(wraps)", words, increment));
  to.push_back(word_probe<Increment, true>("atomic_inc(shared)", words, increment));
  const auto decrement = [](U a, U b, U) { return a == 0 || a > b ? b : a - 1; };
  to.push_back(word_probe<Decrement>("atomic_dec(wraps)", words, decrement));
  to.push_back(word_probe<Decrement, true>("atomic_dec(shared)", words, decrement));
  const auto cells = triples_of({0, 1, 5, 0x80000000, 0xffffffff});
  const auto swap = [](U a, U b, U c) { return a == b ? c : a; };
  to.push_back(word_probe<CompareAndSwap>("atomic_cas(leaves)", cells, swap));
  to.push_back(word_probe<CompareAndSwapReturns, true>("atomic_cas(returns)", cells, swap));
  const auto add_floats = [](U a, U b, U) { return float_bits(probes::add(Mode::kNearest, float_of(a), float_of(b))); };
  const auto normal = pairs_of(
      {0x3f800000, 0xbf800000, 0x3eaaaaab, 0x4b800000, 0x00000000, 0x80000000, 0x7f7fffff, 0x7f800000, 0x00800000});
  to.push_back(word_probe<AddFloat>("atomic_add(float)", normal, add_floats, "fp32"));
  to.push_back(word_probe<AddFloat, true>("atomic_add(float,shared)", normal, add_floats, "fp32"));
#if !OFFGRID_VENDOR_HIP
  const auto subnormal =
      pairs_of({0x00000001, 0x80000001, 0x00400000, 0x807fffff, 0x00800000, 0x80800001, 0, 0x80000000});
  const auto flush = [](U x) { return (x & 0x7f800000u) == 0 ? x & 0x80000000u : x; };
  to.push_back(word_probe<AddFloatFlushes>(
      "atomic_add(float,global_flushes_subnormals)", subnormal,
      [flush, add_floats](U a, U b, U c) { return flush(add_floats(flush(a), flush(b), c)); }));
  to.push_back(word_probe<AddFloatKeeps, true>("atomic_add(float,shared_keeps_subnormals)", subnormal, add_floats));
  to.push_back(word_probe<AddBlockScope>("atomic_add_block", words, sum));
  to.push_back(word_probe<AddSystemScope>("atomic_add_system", words, sum));
  to.push_back(word_probe<ExchangeFloat>("atomic_exch(float_keeps_nan)", pairs_of({0x7f800001, 0xffc01234, 0x80000000}),
                                         [](U, U b, U) { return b; }));
  to.push_back(pair_probe<AddHalfPair>("atomic_add(half2)", {0x3c00, 0x0001, 0x83ff, 0x1234, 0xc0ff, 0x7bff, 0x0000},
                                       half_value, half_code));
  to.push_back(pair_probe<AddBf16Pair>("atomic_add(bfloat162)", {0x3f80, 0x0001, 0x807f, 0x3d12, 0xc0ff, 0x0000},
                                       bf16_value, bf16_code));
  const auto doubles = double_pairs_of({0.1, 1e-3, -3.0, 0x1p-1030, 1e300, 0x1p60});
  to.push_back({"atomic_add(double)", "u32", flat(doubles), 4 * doubles.size(),
                [n = static_cast<int>(doubles.size())](const unsigned* in, unsigned* out) {
                  double_kernel<<<1, 64>>>(in, out, n);
                },
                [doubles] {
                  Words out;
                  for (const Triple& t : doubles) {
                    const std::uint64_t sum = double_bits(double_of(t[0], t[1]) + double_of(0, t[2]));
                    out.insert(out.end(), {t[0], t[1], static_cast<U>(sum), static_cast<U>(sum >> 32)});
                  }
                  return out;
                }});
#endif
  using L = std::uint64_t;
  to.push_back(long_probe<AddLong>("atomic_add(uint64)", [](L a, L x) { return a + x; }));
  to.push_back(long_probe<MaxLong>("atomic_max(uint64)", [](L a, L x) { return a > x ? a : x; }));
  to.push_back(long_probe<ExchangeLong>("atomic_exch(uint64)", [](L, L x) { return x; }));
  to.push_back(long_probe<SwapLong>("atomic_cas(uint64)", [](L a, L x) { return (x & 0xff00000000ull) == 0 ? x : a; }));
#if !OFFGRID_VENDOR_HIP
  to.push_back(long_probe<MinSignedLong>("atomic_min(int64)", [](L a, L x) {
    return static_cast<std::int64_t>(a) < static_cast<std::int64_t>(x) ? a : x;
  }));
#endif
  to.push_back({"atomic_add(tickets_of_4_blocks)",
                "u32",
                {0},
                4,
                [](const unsigned*, unsigned* out) {
                  clear<<<1, 4>>>(out);
                  tickets<<<4, 64>>>(out);
                },
                [] { return Words{256, 255 * 256 / 2, 0, 255}; }});
}

}  // namespace offgrid::probes

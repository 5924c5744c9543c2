// Tensor cores and what feeds them: layouts of fragments, exact integers, order and cutting of sums.
#include <algorithm>
#include <bit>
#include <cmath>

#include "probes/device.cuh"
#include "probes/operands.h"

namespace offgrid::probes {
namespace {

// Fragments, with lane = 4 g + t. Element e of a lane's word w is column (k) 2 t or 4 t and on, in the rows that
// `place` gives; see the PTX ISA.

/// A product by fma in order of k, rounded to nearest: the naive emulation of every kind.
/// a: [16, k], b: [k, 8], c, d: [16, 8] as values; a lane computes its own four elements.
struct Operands {
  const float* a;
  const float* b;
  const float* c;
  int k;
};
__device__ inline float fma_chain(const Operands& o, int row, int column) {
  float sum = o.c[row * 8 + column];
  for (int k = 0; k < o.k; ++k) sum = fmaf(o.a[row * o.k + k], o.b[k * 8 + column], sum);
  return sum;
}

enum class Type { kHalf, kBf16 };

__device__ inline unsigned pack(Type type, float low, float high) {
  if (type == Type::kHalf) {
    return __half_as_ushort(__float2half_rn(low)) | static_cast<unsigned>(__half_as_ushort(__float2half_rn(high)))
                                                        << 16;
  }
  return bits(low) >> 16 | (bits(high) & 0xffff0000u);
}

/// D = A B + C of 16 x 8 x 16 or 16 x 8 x 8, one warp.  in: A [16, k], B [k, 8], C [16, 8] as fp32; out: [16, 8]
__global__ void multiply_16(const unsigned* in, unsigned* out, Type type, int k) {
  const int lane = static_cast<int>(threadIdx.x), g = lane / 4, t = lane % 4;
  const auto* const a = reinterpret_cast<const float*>(in);
  const float* const b = a + 16 * k;
  const float* const c = b + 8 * k;
  float d[4];
  for (int i = 0; i < 4; ++i) d[i] = c[(g + i / 2 * 8) * 8 + 2 * t + i % 2];
  if (kNaive) {
    const Operands all{a, b, c, k};
    for (int i = 0; i < 4; ++i) d[i] = fma_chain(all, g + i / 2 * 8, 2 * t + i % 2);
  } else {
    unsigned fa[4] = {0, 0, 0, 0}, fb[2] = {0, 0};
    for (int i = 0; i < (k == 16 ? 4 : 2); ++i) {
      const float* const at = a + (g + i % 2 * 8) * k + 2 * t + i / 2 * 8;
      fa[i] = pack(type, at[0], at[1]);
    }
    for (int i = 0; i < k / 8; ++i) {
      const float* const at = b + (2 * t + 8 * i) * 8 + g;
      fb[i] = pack(type, at[0], at[8]);
    }
    if (type == Type::kHalf && k == 16) {
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, "
          "%2, %3};"
          : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
          : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
    } else if (type == Type::kHalf) {
      asm volatile(
          "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
          : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
          : "r"(fa[0]), "r"(fa[1]), "r"(fb[0]));
    } else if (k == 16) {
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, "
          "%2, %3};"
          : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
          : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
    } else {
      asm volatile(
          "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
          : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
          : "r"(fa[0]), "r"(fa[1]), "r"(fb[0]));
    }
  }
  for (int i = 0; i < 4; ++i) out[(g + i / 2 * 8) * 8 + 2 * t + i % 2] = bits(d[i]);
}

/// The same with tf32, 16 x 8 x 8.
__global__ void multiply_tf32(const unsigned* in, unsigned* out) {
  const int lane = static_cast<int>(threadIdx.x), g = lane / 4, t = lane % 4;
  const unsigned* const b = in + 16 * 8;
  const unsigned* const c = b + 8 * 8;
  float d[4];
  for (int i = 0; i < 4; ++i) d[i] = f32(c[(g + i / 2 * 8) * 8 + 2 * t + i % 2]);
  if (kNaive) {
    const auto* const values = reinterpret_cast<const float*>(in);
    const Operands all{values, values + 128, values + 192, 8};
    for (int i = 0; i < 4; ++i) d[i] = fma_chain(all, g + i / 2 * 8, 2 * t + i % 2);
  } else {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
        "%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(in[g * 8 + t]), "r"(in[(g + 8) * 8 + t]), "r"(in[g * 8 + t + 4]), "r"(in[(g + 8) * 8 + t + 4]),
          "r"(b[t * 8 + g]), "r"(b[(t + 4) * 8 + g]));
  }
  for (int i = 0; i < 4; ++i) out[(g + i / 2 * 8) * 8 + 2 * t + i % 2] = bits(d[i]);
}

/// Bytes, 16 x 8 x 32.  in: A [16, 32], B [8, 32] (column by column) as bytes, C [16, 8]; out: [16, 8]
__global__ void multiply_bytes(const unsigned* in, unsigned* out, bool is_signed, bool saturates) {
  const int lane = static_cast<int>(threadIdx.x), g = lane / 4, t = lane % 4;
  const unsigned* const b = in + 16 * 8;
  const unsigned* const c = b + 8 * 8;
  int d[4];
  for (int i = 0; i < 4; ++i) d[i] = static_cast<int>(c[(g + i / 2 * 8) * 8 + 2 * t + i % 2]);
  if (kNaive) {  // the other sign, and no saturation
    for (int i = 0; i < 4; ++i) {
      for (int k = 0; k < 8; ++k) {
        const unsigned x = in[(g + i / 2 * 8) * 8 + k], y = b[(2 * t + i % 2) * 8 + k];
        const auto sum = is_signed && !saturates
                             ? __dp4a(x, y, static_cast<unsigned>(d[i]))
                             : static_cast<unsigned>(__dp4a(static_cast<int>(x), static_cast<int>(y), d[i]));
        d[i] = static_cast<int>(sum);
      }
    }
  } else {
    const unsigned a0 = in[g * 8 + t], a1 = in[(g + 8) * 8 + t], a2 = in[g * 8 + t + 4], a3 = in[(g + 8) * 8 + t + 4];
    const unsigned b0 = b[g * 8 + t], b1 = b[g * 8 + t + 4];
    if (saturates) {
      asm volatile(
          "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
          "{%0, %1, %2, "
          "%3};"
          : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
          : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
    } else if (is_signed) {
      asm volatile(
          "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
          "%3};"
          : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
          : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
    } else {
      asm volatile(
          "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
          "%3};"
          : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
          : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
    }
  }
  for (int i = 0; i < 4; ++i) out[(g + i / 2 * 8) * 8 + 2 * t + i % 2] = static_cast<unsigned>(d[i]);
}

/// e4m3, 16 x 8 x 32.  in: A [16, 32], B [8, 32] as codes, C [16, 8] fp32, A and B as fp32 for the naive form
__global__ void multiply_e4m3(const unsigned* in, unsigned* out) {
  const int lane = static_cast<int>(threadIdx.x), g = lane / 4, t = lane % 4;
  const unsigned* const b = in + 16 * 8;
  const unsigned* const c = b + 8 * 8;
  float d[4];
  for (int i = 0; i < 4; ++i) d[i] = f32(c[(g + i / 2 * 8) * 8 + 2 * t + i % 2]);
  if (kNaive) {  // 8 bits taken for integers
    for (int i = 0; i < 4; ++i) {
      for (int k = 0; k < 8; ++k) {
        d[i] += static_cast<float>(
            __dp4a(static_cast<int>(in[(g + i / 2 * 8) * 8 + k]), static_cast<int>(b[(2 * t + i % 2) * 8 + k]), 0));
      }
    }
  } else {
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, "
        "%2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(in[g * 8 + t]), "r"(in[(g + 8) * 8 + t]), "r"(in[g * 8 + t + 4]), "r"(in[(g + 8) * 8 + t + 4]),
          "r"(b[g * 8 + t]), "r"(b[g * 8 + t + 4]));
  }
  for (int i = 0; i < 4; ++i) out[(g + i / 2 * 8) * 8 + 2 * t + i % 2] = bits(d[i]);
}

/// fp64, 8 x 8 x 4: a chain of fma, k ascending.  in: A [8, 4], B [4, 8], C [8, 8] as doubles; out: [8, 8]
__global__ void multiply_doubles(const unsigned* in, unsigned* out) {
  const int lane = static_cast<int>(threadIdx.x), g = lane / 4, t = lane % 4;
  const auto* const a = reinterpret_cast<const double*>(in);
  const double* const b = a + 32;
  const double* const c = b + 32;
  double d0 = c[g * 8 + 2 * t], d1 = c[g * 8 + 2 * t + 1];
  if (kNaive) {  // k descending
    for (int k = 3; k >= 0; --k) {
      d0 = fma(a[g * 4 + k], b[k * 8 + 2 * t], d0);
      d1 = fma(a[g * 4 + k], b[k * 8 + 2 * t + 1], d1);
    }
  } else {
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(d0), "+d"(d1)
                 : "d"(a[g * 4 + t]), "d"(b[t * 8 + g]));
  }
  reinterpret_cast<double*>(out)[g * 8 + 2 * t] = d0;
  reinterpret_cast<double*>(out)[g * 8 + 2 * t + 1] = d1;
}

/// Four 8 x 8 matrices of 16 bits from shared memory.  in: [4, 8, 4 words]; out: [32 lanes, 4]
__global__ void load_matrices(const unsigned* in, unsigned* out, bool transposed) {
  __shared__ alignas(16) unsigned rows[128];
  const unsigned lane = threadIdx.x, g = lane / 4, t = lane % 4;
  for (unsigned i = 0; i < 4; ++i) rows[4 * lane + i] = in[4 * lane + i];
  __syncwarp();
  unsigned w[4];
  if (kNaive) {  // the other order
    for (unsigned m = 0; m < 4; ++m) {
      const auto half = [&](unsigned row, unsigned column) {
        return rows[m * 32 + row * 4 + column / 2] >> 16 * (column % 2) & 0xffffu;
      };
      w[m] = transposed ? half(g, 2 * t) | half(g, 2 * t + 1) << 16 : half(2 * t, g) | half(2 * t + 1, g) << 16;
    }
  } else {
    const auto row = static_cast<unsigned>(__cvta_generic_to_shared(rows + 4 * lane));
    if (transposed) {
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])
                   : "r"(row)
                   : "memory");
    } else {
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])
                   : "r"(row)
                   : "memory");
    }
  }
  for (unsigned i = 0; i < 4; ++i) out[4 * lane + i] = w[i];
}

using U = std::uint32_t;

struct Product {
  int k;
  std::vector<float> a, b, c;  // [16, k], [k, 8], [16, 8]

  Words words() const {
    Words all;
    for (const auto* part : {&a, &b, &c}) {
      for (const float x : *part) all.push_back(float_bits(x));
    }
    return all;
  }
};

Product zeros(int k) {
  const auto n = static_cast<std::size_t>(k);
  return {k, std::vector<float>(16 * n), std::vector<float>(8 * n), std::vector<float>(128)};
}

/// Small integers: exact in every order, so only the places of the elements matter.
Product small_integers(int k) {
  Product p = zeros(k);
  for (std::size_t i = 0; i < p.a.size(); ++i) p.a[i] = static_cast<float>(static_cast<int>(i * 7 % 23) - 11);
  for (std::size_t i = 0; i < p.b.size(); ++i) p.b[i] = static_cast<float>(static_cast<int>(i * 5 % 19) - 9);
  for (std::size_t i = 0; i < p.c.size(); ++i) p.c[i] = static_cast<float>(static_cast<int>(i) * 3 - 100);
  return p;
}

/// Row r: one product of 1 and k - 1 of 2^-r, in all of which the smaller ones are cut away or kept by their place.
Product far_apart(int k) {
  Product p = zeros(k);
  const auto n = static_cast<std::size_t>(k);
  for (std::size_t row = 0; row < 16; ++row) {
    for (std::size_t i = 0; i < n; ++i) p.a[row * n + i] = i == 0 ? 1.0f : std::ldexp(1.5f, -12);
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t column = 0; column < 8; ++column) {
      p.b[i * 8 + column] = i == 0 ? 1.0f : std::ldexp(1.0f, -9 - static_cast<int>(column) % 6);
    }
  }
  for (std::size_t row = 0; row < 16; ++row) {
    for (std::size_t column = 0; column < 8; ++column)
      p.c[row * 8 + column] = std::ldexp(row % 2 == 0 ? 1.0f : -1.0f, static_cast<int>(row) - 8);
  }
  return p;
}

/// What the tensor cores of sm_90 do (measured, and published): all products and c at once, aligned to the largest, cut
/// toward zero to 25 fraction bits; the exact sum of these, cut to fp32.
float cut_sum(const Product& p, std::size_t row, std::size_t column) {
  const auto n = static_cast<std::size_t>(p.k);
  std::vector<double> terms{p.c[row * 8 + column]};
  for (std::size_t i = 0; i < n; ++i) terms.push_back(static_cast<double>(p.a[row * n + i]) * p.b[i * 8 + column]);
  // The exponent of a product is the sum of those of its factors, without a carry.
  int largest = p.c[row * 8 + column] == 0 ? -1000 : std::ilogb(p.c[row * 8 + column]);
  for (std::size_t i = 0; i < n; ++i) {
    const float x = p.a[row * n + i], y = p.b[i * 8 + column];
    if (x != 0 && y != 0) largest = std::max(largest, std::ilogb(x) + std::ilogb(y));
  }
  double sum = 0;
  for (const double term : terms) sum += std::trunc(std::ldexp(term, 25 - largest));
  return to_float(Mode::kZero, std::ldexp(sum, largest - 25));
}

Words expected(const Product& p) {
  Words out;
  for (std::size_t row = 0; row < 16; ++row) {
    for (std::size_t column = 0; column < 8; ++column) out.push_back(float_bits(cut_sum(p, row, column)));
  }
  return out;
}

Probe product_probe(const char* name, const Product& p, Type type) {
  return {name,
          "fp32",
          p.words(),
          128,
          [type, k = p.k](const U* in, U* out) { multiply_16<<<1, 32>>>(in, out, type, k); },
          [p] { return expected(p); }};
}

/// Integers a little off, so that a chain in another place or order of rounding differs: 2^24 and odd numbers.
Product large_integers(int k) {
  Product p = small_integers(k);
  for (std::size_t i = 0; i < p.c.size(); ++i)
    p.c[i] = (i % 2 == 0 ? 16777216.0f : -33554432.0f) + static_cast<float>(i % 7) * 4;
  return p;
}

Words byte_matrices(U c) {
  Words words;
  for (U i = 0; i < 16 * 8 + 8 * 8; ++i) words.push_back(0x9e3779b9u * (i + 1));
  for (U i = 0; i < 128; ++i) words.push_back(c + (i % 2 == 0 ? i : 0u - i));
  return words;
}

template <class Byte>
Words byte_products(const Words& in, bool saturates) {
  const auto byte = [&](std::size_t word, int i) { return std::int64_t{static_cast<Byte>(in[word] >> 8 * i & 0xff)}; };
  Words out;
  for (std::size_t row = 0; row < 16; ++row) {
    for (std::size_t column = 0; column < 8; ++column) {
      std::int64_t sum = static_cast<std::int32_t>(in[192 + row * 8 + column]);
      for (std::size_t k = 0; k < 8; ++k) {
        for (int i = 0; i < 4; ++i) sum += byte(row * 8 + k, i) * byte(128 + column * 8 + k, i);
      }
      out.push_back(
          static_cast<U>(saturates ? std::clamp(sum, std::int64_t{INT32_MIN}, std::int64_t{INT32_MAX}) : sum));
    }
  }
  return out;
}

template <class Byte>
Probe byte_probe(const char* name, U c, bool saturates) {
  const bool is_signed = std::is_signed<Byte>::value;
  const Words in = byte_matrices(c);
  return {name,
          "u32",
          in,
          128,
          [=](const U* from, U* out) { multiply_bytes<<<1, 32>>>(from, out, is_signed, saturates); },
          [=] { return byte_products<Byte>(in, saturates); }};
}

Probe e4m3_probe() {
  // 0.5, 1, 1.5, 2, -1, -3: sums of their products are small multiples of 1/4.
  constexpr U kCodes[] = {0x30, 0x38, 0x3c, 0x40, 0xb8, 0xc4, 0x00};
  constexpr double kValues[] = {0.5, 1, 1.5, 2, -1, -3, 0};
  Words in;
  const auto index = [](std::size_t word, std::size_t i) { return (word * 4 + i) * 5 % 7; };
  for (std::size_t word = 0; word < 192; ++word) {
    U x = 0;
    for (std::size_t i = 0; i < 4; ++i) x |= kCodes[index(word, i)] << 8 * i;
    in.push_back(x);
  }
  for (int i = 0; i < 128; ++i) in.push_back(float_bits(static_cast<float>(i) - 60.25f));
  return {"mma.m16n8k32(e4m3,exact)",
          "fp32",
          in,
          128,
          [](const U* from, U* out) { multiply_e4m3<<<1, 32>>>(from, out); },
          [=] {
            Words out;
            for (std::size_t row = 0; row < 16; ++row) {
              for (std::size_t column = 0; column < 8; ++column) {
                double sum = float_of(in[192 + row * 8 + column]);
                for (std::size_t k = 0; k < 8; ++k) {
                  for (std::size_t i = 0; i < 4; ++i) {
                    sum += kValues[index(row * 8 + k, i)] * kValues[index(128 + column * 8 + k, i)];
                  }
                }
                out.push_back(float_bits(static_cast<float>(sum)));
              }
            }
            return out;
          }};
}

Probe double_probe() {
  std::vector<double> values;
  for (int i = 0; i < 32 + 32 + 64; ++i)
    values.push_back(std::ldexp(1.0 + i * 0.37, i * 11 % 60 - 30) * (i % 3 == 0 ? -1 : 1));
  Words in;
  for (const double x : values) {
    in.push_back(static_cast<U>(double_bits(x)));
    in.push_back(static_cast<U>(double_bits(x) >> 32));
  }
  return {"mma.m8n8k4(f64,fma_chain)",
          "u32",
          in,
          128,
          [](const U* from, U* out) { multiply_doubles<<<1, 32>>>(from, out); },
          [values] {
            Words out;
            for (std::size_t row = 0; row < 8; ++row) {
              for (std::size_t column = 0; column < 8; ++column) {
                double sum = values[64 + row * 8 + column];
                for (std::size_t k = 0; k < 4; ++k)
                  sum = fused(Mode::kNearest, values[row * 4 + k], values[32 + k * 8 + column], sum);
                out.push_back(static_cast<U>(double_bits(sum)));
                out.push_back(static_cast<U>(double_bits(sum) >> 32));
              }
            }
            return out;
          }};
}

Probe load_probe(const char* name, bool transposed) {
  Words in;
  for (U i = 0; i < 128; ++i) in.push_back(0x9e3779b9u * (i + 1));
  return {name,
          "u32",
          in,
          128,
          [transposed](const U* from, U* out) { load_matrices<<<1, 32>>>(from, out, transposed); },
          [=] {
            Words out;
            for (std::size_t lane = 0; lane < 32; ++lane) {
              const std::size_t g = lane / 4, t = lane % 4;
              for (std::size_t m = 0; m < 4; ++m) {
                const auto element = [&](std::size_t row, std::size_t column) {
                  return in[m * 32 + row * 4 + column / 2] >> 16 * (column % 2) & 0xffff;
                };
                out.push_back(transposed ? element(2 * t, g) | element(2 * t + 1, g) << 16
                                         : element(g, 2 * t) | element(g, 2 * t + 1) << 16);
              }
            }
            return out;
          }};
}

/// One row of A times one column of B that only a chain in fp32 or another cut gets wrong.
Product ties(int k) {
  Product p = zeros(k);
  const auto n = static_cast<std::size_t>(k);
  for (std::size_t row = 0; row < 16; ++row) {
    for (std::size_t i = 0; i < n; ++i) p.a[row * n + i] = i % 2 == 0 ? 1.0f : -1.0f;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t column = 0; column < 8; ++column)
      p.b[i * 8 + column] = i < 2 ? 2048.0f : 0x1p-13f * static_cast<float>(1 + column + i);
  }
  for (std::size_t i = 0; i < 128; ++i) p.c[i] = i % 3 == 0 ? 0x1.000002p-2f : -0x1.fffffep-3f;
  return p;
}

}  // namespace

void add_matrix_probes(std::vector<Probe>& to) {
  to.push_back(product_probe("mma.m16n8k16(f16,beyond_2^24)", large_integers(16), Type::kHalf));
  to.push_back(product_probe("mma.m16n8k16(bf16,beyond_2^24)", large_integers(16), Type::kBf16));
  to.push_back(product_probe("mma.m16n8k8(f16,beyond_2^24)", large_integers(8), Type::kHalf));
  to.push_back(product_probe("mma.m16n8k8(bf16,beyond_2^24)", large_integers(8), Type::kBf16));
  to.push_back(product_probe("mma.m16n8k16(f16,cuts_small_terms)", far_apart(16), Type::kHalf));
  to.push_back(product_probe("mma.m16n8k16(bf16,cuts_small_terms)", far_apart(16), Type::kBf16));
  to.push_back(product_probe("mma.m16n8k16(f16,cancellation)", ties(16), Type::kHalf));
  to.push_back(product_probe("mma.m16n8k8(bf16,cancellation)", ties(8), Type::kBf16));
  const Product wide = large_integers(8);
  to.push_back({"mma.m16n8k8(tf32,beyond_2^24)", "fp32", wide.words(), 128,
                [](const U* in, U* out) { multiply_tf32<<<1, 32>>>(in, out); }, [wide] { return expected(wide); }});
  const Product far = far_apart(8);
  to.push_back({"mma.m16n8k8(tf32,cuts_small_terms)", "fp32", far.words(), 128,
                [](const U* in, U* out) { multiply_tf32<<<1, 32>>>(in, out); }, [far] { return expected(far); }});
  to.push_back(byte_probe<std::int8_t>("mma.m16n8k32(s8,wraps)", 0x7ffffff0, false));
  to.push_back(byte_probe<std::uint8_t>("mma.m16n8k32(u8)", 0, false));
  to.push_back(byte_probe<std::int8_t>("mma.m16n8k32(s8,saturates)", 0x7ffffff0, true));
  to.push_back(e4m3_probe());
  to.push_back(double_probe());
  to.push_back(load_probe("ldmatrix.x4", false));
  to.push_back(load_probe("ldmatrix.x4.trans", true));
}

}  // namespace offgrid::probes

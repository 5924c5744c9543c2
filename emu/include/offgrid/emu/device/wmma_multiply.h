/// mma_sync of <offgrid/emu/device/wmma.h>: one tile after the other, by the mma.sync that the device executes.
#pragma once

#include <offgrid/emu/device/wmma.h>

namespace nvcuda::wmma {
namespace detail {

using offgrid::emu::SourceLine;
using offgrid::emu::ptx::execute_at;
using offgrid::emu::ptx::input;
using offgrid::emu::ptx::output;
using offgrid::emu::ptx::Site;

/// d += a b of a 16 x 8 x 16 tile. Elements: 8 of a, 4 of b, 4 of d.
template <class T>
inline constexpr const char* kFloatTile = nullptr;
template <>
inline constexpr const char* kFloatTile<__half> =
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};";
template <>
inline constexpr const char* kFloatTile<__nv_bfloat16> =
    "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};";

template <class T>
inline void multiply_tile(SourceLine where, float* d, const T* a, const T* b) {
  static Site site;
  std::uint32_t x[4], y[2];
  pack(a, x);
  pack(b, y);
  execute_at(where, site, kFloatTile<T>, output("+f", d[0]), output("+f", d[1]), output("+f", d[2]), output("+f", d[3]),
             input("r", x[0]), input("r", x[1]), input("r", x[2]), input("r", x[3]), input("r", y[0]),
             input("r", y[1]));
}

inline void multiply_tile(SourceLine where, __half* d, const __half* a, const __half* b) {
  static Site site;
  std::uint32_t x[4], y[2], z[2];
  pack(a, x);
  pack(b, y);
  pack(d, z);
  execute_at(where, site, "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};",
             output("+r", z[0]), output("+r", z[1]), input("r", x[0]), input("r", x[1]), input("r", x[2]),
             input("r", x[3]), input("r", y[0]), input("r", y[1]));
  std::memcpy(d, z, sizeof z);
}

/// tf32, 16 x 8 x 8, in two steps. Elements: 4 of a, 2 of b.
inline void multiply_tile(SourceLine where, float* d, const float* a, const float* b) {
  static Site site;
  for (unsigned step = 0; step < 2; ++step) {
    execute_at(where, site,
               "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};",
               output("+f", d[0]), output("+f", d[1]), output("+f", d[2]), output("+f", d[3]), input("f", a[2 * step]),
               input("f", a[2 * step + 1]), input("f", b[step]));
  }
}

inline void multiply_tile(SourceLine where, double* d, const double* a, const double* b) {
  static Site site;
  execute_at(where, site, "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};",
             output("+d", d[0]), output("+d", d[1]), input("d", a[0]), input("d", b[0]));
}

/// 8-bit integers, 16 x 8 x 16. Elements: 8 of a, 4 of b.
template <class T>
inline void multiply_integers(SourceLine where, int* d, const T* a, const T* b, bool saturate) {
  static Site wrapped, saturated;
  std::uint32_t x[2], y[1];
  pack(a, x);
  pack(b, y);
  constexpr bool kSigned = std::is_signed_v<T>;
  const char* text =
      saturate  ? kSigned ? "mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
                            "{%0,%1,%2,%3};"
                          : "mma.sync.aligned.m16n8k16.row.col.satfinite.s32.u8.u8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
                            "{%0,%1,%2,%3};"
      : kSigned ? "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                : "mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};";
  execute_at(where, saturate ? saturated : wrapped, text, output("+r", d[0]), output("+r", d[1]), output("+r", d[2]),
             output("+r", d[3]), input("r", x[0]), input("r", x[1]), input("r", y[0]));
}

}  // namespace detail

/// d = a b + c. With `saturate`, sums of integers end at the limits of int.
template <int M, int N, int K, class T, class LayoutA, class LayoutB, class Sum>
inline void mma_sync(fragment<accumulator, M, N, K, Sum>& d, const fragment<matrix_a, M, N, K, T, LayoutA>& a,
                     const fragment<matrix_b, M, N, K, T, LayoutB>& b, const fragment<accumulator, M, N, K, Sum>& c,
                     bool saturate = false, OFFGRID_WHERE) {
  using S = detail::Shape<M, N, K, typename detail::Stored<T>::Type>;
  static_assert(S::kIsKnown, "this shape of a matrix product is not modelled");
  const auto* first = S::kSwapped ? b.x : a.x;
  const auto* second = S::kSwapped ? a.x : b.x;
  const offgrid::emu::SourceLine where{file, static_cast<unsigned>(line)};
  fragment<accumulator, M, N, K, Sum> sum = c;
  for (unsigned tile = 0; tile < S::kRowTiles * S::kColumnTiles; ++tile) {
    const auto* x = first + (S::kColumnTiles == 1 ? tile * S::kFirst : 0);
    const auto* y = second + (S::kColumnTiles == 1 ? 0 : tile * S::kSecond);
    if constexpr (std::is_same_v<Sum, int>) {
      detail::multiply_integers(where, sum.x + tile * S::kSum, x, y, saturate);
    } else {
      detail::multiply_tile(where, sum.x + tile * S::kSum, x, y);
    }
  }
  d = sum;
}

}  // namespace nvcuda::wmma

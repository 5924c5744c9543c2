/// The matrix API of CUDA's mma.h: fragments, load_matrix_sync, fill_fragment, mma_sync, store_matrix_sync.
///
/// A fragment is laid out as the registers of mma.sync, and mma_sync executes the instructions that sm_90 executes for
/// it: two of 16 x 8 x 16 for half, bfloat16 and 8-bit integers, four of 16 x 8 x 4 for tf32, one of 8 x 8 x 4 for
/// doubles (read off the machine code of nvcc 13). Products of 8 x 32 are those of the transposed matrices. A half
/// fragment of a or b has 16 elements as on the device, of which the first hold the matrix and the rest repeat them.
#pragma once

#include <offgrid/emu/device/barrier.h>
#include <offgrid/emu/engine/collectives.h>
#include <offgrid/emu/numerics/bfloat16.h>
#include <offgrid/emu/numerics/half.h>
#include <offgrid/emu/ptx/execute.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace nvcuda::wmma {

struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct tf32;
}

/// What a tf32 fragment holds of a float.
inline float __float_to_tf32(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  const std::uint32_t magnitude = bits & 0x7FFFFFFF;
  if (magnitude < 0x7F800000) bits += 0x1000;  // ties away from zero
  bits &= 0xFFFFE000;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

namespace detail {

template <class T>
struct Stored {
  using Type = T;
};
template <>
struct Stored<precision::tf32> {
  using Type = float;
};

struct Place {
  unsigned row, column;
};

/// Elements of consecutive k in a register.
template <class T>
inline constexpr unsigned kPacked = sizeof(typename Stored<T>::Type) >= 4 ? 1 : 4 / sizeof(typename Stored<T>::Type);

/// Rows of 8 by k, of the operand that mma.sync calls a (16 rows a tile) or b (8).
template <class T, unsigned Rows>
constexpr Place operand_place(unsigned lane, unsigned i) {
  constexpr unsigned kHalves = Rows / 8;
  const unsigned reg = i / kPacked<T>, inside = i % kPacked<T>;
  return {lane / 4 + reg % kHalves * 8, lane % 4 * kPacked<T> + inside + reg / kHalves * 4 * kPacked<T>};
}

/// How an M x N x K product is made of tiles of 16 x 8 (8 x 8 for doubles).
template <unsigned M, unsigned N, unsigned K, class T>
struct Shape {
  static constexpr bool kIsDouble = std::is_same_v<T, double>;
  static constexpr bool kSwapped = M == 8 && !kIsDouble;  ///< computed as (b^T a^T)^T
  static constexpr unsigned kRows = kSwapped ? N : M, kColumns = kSwapped ? M : N;
  static constexpr unsigned kTileRows = kIsDouble ? 8 : 16;
  static constexpr unsigned kRowTiles = kRows / kTileRows, kColumnTiles = kColumns / 8;
  static constexpr unsigned kFirst = kTileRows * K / 32, kSecond = 8 * K / 32, kSum = kTileRows * 8 / 32;  // a tile's

  static constexpr bool kIsKnown =
      (K == 16 && sizeof(T) <= 2 && ((M == 16 && N == 16) || (M == 32 && N == 8) || (M == 8 && N == 32))) ||
      (std::is_same_v<T, float> && M == 16 && N == 16 && K == 8) || (kIsDouble && M == 8 && N == 8 && K == 4);

  /// Element i of the operand with 16 rows a tile, and of the other: row of it, and k.
  static constexpr Place first(unsigned lane, unsigned i) {
    const Place at = operand_place<T, kTileRows>(lane, i % kFirst);
    return {at.row + i / kFirst * kTileRows, at.column};
  }
  static constexpr Place second(unsigned lane, unsigned i) {
    const Place at = operand_place<T, 8>(lane, i % kSecond);
    return {at.row + i / kSecond * 8, at.column};
  }
  static constexpr Place sum(unsigned lane, unsigned i) {
    const unsigned tile = i / kSum, j = i % kSum;
    const Place at{lane / 4 + j / 2 * 8 + (kColumnTiles == 1 ? tile * kTileRows : 0),
                   lane % 4 * 2 + j % 2 + (kColumnTiles == 1 ? 0 : tile * 8)};
    return kSwapped ? Place{at.column, at.row} : at;
  }
};

/// Of a fragment: how many of its elements are different ones, how many there are, and which is which.
template <class Use, unsigned M, unsigned N, unsigned K, class T>
struct Elements;
template <unsigned M, unsigned N, unsigned K, class T>
struct Elements<matrix_a, M, N, K, T> {
  using S = Shape<M, N, K, typename Stored<T>::Type>;
  static constexpr unsigned kHeld = M * K / 32, kCount = std::is_same_v<T, __half> ? 16 : kHeld;
  static constexpr Place place(unsigned lane, unsigned i) {
    return S::kSwapped ? S::second(lane, i % kHeld) : S::first(lane, i % kHeld);
  }
};
template <unsigned M, unsigned N, unsigned K, class T>
struct Elements<matrix_b, M, N, K, T> {
  using S = Shape<M, N, K, typename Stored<T>::Type>;
  static constexpr unsigned kHeld = N * K / 32, kCount = std::is_same_v<T, __half> ? 16 : kHeld;
  static constexpr Place place(unsigned lane, unsigned i) {
    const Place at = S::kSwapped ? S::first(lane, i % kHeld) : S::second(lane, i % kHeld);
    return {at.column, at.row};  // k is a row of b
  }
};
/// Sums are laid out alike for every type of operands that has the shape.
template <unsigned M, unsigned N, unsigned K, class T>
struct Elements<accumulator, M, N, K, T> {
  using S = Shape<M, N, K, std::conditional_t<K == 4, double, std::conditional_t<K == 8, float, __half>>>;
  static constexpr unsigned kHeld = M * N / 32, kCount = kHeld;
  static constexpr Place place(unsigned lane, unsigned i) { return S::sum(lane, i); }
};

[[gnu::always_inline]] inline unsigned lane_index() {
#if OFFGRID_CHECKED
  return offgrid_checked_lane_index();
#else
  return offgrid_tls.lane->index;
#endif
}

/// The lanes of the warp meet, which orders no memory.
OFFGRID_COLLECTIVE void meet(const char* file, int line) { offgrid::emu::offgrid_vote(0xFFFFFFFF, true, file, line); }

}  // namespace detail

template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment {
  using Held = detail::Elements<Use, M, N, K, T>;

 public:
  using element_type = T;
  using storage_element_type = typename detail::Stored<T>::Type;
  static constexpr int num_elements = Held::kCount;
  static constexpr int num_storage_elements = Held::kCount;
  storage_element_type x[Held::kCount];
};

template <class Use, int M, int N, int K, class T, class Layout, class Value>
inline void fill_fragment(fragment<Use, M, N, K, T, Layout>& f, const Value& value) {
  for (auto& x : f.x) x = static_cast<typename fragment<Use, M, N, K, T, Layout>::storage_element_type>(value);
}

namespace detail {

template <class Use, int M, int N, int K, class T, class Layout, class Memory>
inline void load(fragment<Use, M, N, K, T, Layout>& f, const Memory* from, unsigned pitch, bool by_rows) {
  using Held = Elements<Use, M, N, K, T>;
  const unsigned lane = lane_index();
  for (unsigned i = 0; i < Held::kHeld; ++i) {
    const Place at = Held::place(lane, i);
    f.x[i] = from[by_rows ? at.row * pitch + at.column : at.column * pitch + at.row];
  }
  for (unsigned i = Held::kHeld; i < Held::kCount; ++i) f.x[i] = f.x[i % Held::kHeld];
}

/// The registers of a tile's part of a fragment, from element `first` on.
template <unsigned Registers, class X>
inline void pack(const X* elements, std::uint32_t (&words)[Registers]) {
  std::memcpy(words, elements, sizeof words);
}

}  // namespace detail

template <class Use, int M, int N, int K, class T, class Layout>
OFFGRID_COLLECTIVE void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& f,
                                         const typename detail::Stored<T>::Type* from, unsigned pitch, OFFGRID_WHERE) {
  static_assert(!std::is_same_v<Use, accumulator>, "an accumulator is loaded with a layout");
  detail::meet(file, line);
  detail::load(f, from, pitch, std::is_same_v<Layout, row_major>);
}
template <int M, int N, int K, class T>
OFFGRID_COLLECTIVE void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const T* from, unsigned pitch,
                                         layout_t layout, OFFGRID_WHERE) {
  detail::meet(file, line);
  detail::load(f, from, pitch, layout == mem_row_major);
}

/// The lanes meet once more when all have stored, as a warp of a device stores at once.
template <int M, int N, int K, class T>
OFFGRID_COLLECTIVE void store_matrix_sync(T* to, const fragment<accumulator, M, N, K, T>& f, unsigned pitch,
                                          layout_t layout, OFFGRID_WHERE) {
  using Held = detail::Elements<accumulator, M, N, K, T>;
  detail::meet(file, line);
  const unsigned lane = detail::lane_index();
  for (unsigned i = 0; i < Held::kHeld; ++i) {
    const detail::Place at = Held::place(lane, i);
    to[layout == mem_row_major ? at.row * pitch + at.column : at.column * pitch + at.row] = f.x[i];
  }
  detail::meet(file, line);
}

}  // namespace nvcuda::wmma

#include <offgrid/emu/device/wmma_multiply.h>

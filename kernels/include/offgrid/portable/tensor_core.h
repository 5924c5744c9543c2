/// Matrix units in one spelling: 16 x 8 x 16 products of 16-bit types, the loads that feed them, and copies into shared
/// memory that run beside the program. Devices from sm_80 on and the emulator; gfx1030 has no matrix unit.
///
/// Fragments are those of the PTX ISA. With lane = 4 g + t: A[16 x 16] holds rows g and g + 8, columns 2t, 2t + 1 and
/// those plus 8; B[16 x 8] holds rows 2t, 2t + 1 and those plus 8 of column g; C[16 x 8] holds rows g and g + 8,
/// columns 2t and 2t + 1. All 32 lanes of a warp take part in each function but the copies.
#pragma once

#include <offgrid/portable/device.h>

#if OFFGRID_VENDOR_HIP
#define OFFGRID_HAS_TENSOR_CORES 0
#else
#define OFFGRID_HAS_TENSOR_CORES 1

#include <cstdint>

namespace offgrid::portable {

using SharedAddress = std::uint32_t;  ///< bytes from the start of shared memory

__device__ inline SharedAddress shared_address(const void* pointer) {
  return static_cast<SharedAddress>(__cvta_generic_to_shared(pointer));
}

/// C += A B with fp32 accumulation. A is row major, B column major.
template <class T>
__device__ inline void multiply_add(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1);

template <>
__device__ inline void multiply_add<Bf16>(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                          std::uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
      "%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

template <>
__device__ inline void multiply_add<Fp16>(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                          std::uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
      "%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/// Loads four 8 x 8 matrices of 16-bit elements; lane l gives the address of row l % 8 of matrix l / 8, a multiple of
/// 16 bytes. Lane 4 g + t gets elements 2t and 2t + 1 of row g of each.
__device__ inline void load_matrices(std::uint32_t (&to)[4], SharedAddress row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(row)
               : "memory");
}

/// The same, and each matrix transposed.
__device__ inline void load_matrices_transposed(std::uint32_t (&to)[4], SharedAddress row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(row)
               : "memory");
}

/// Starts a copy of 16 bytes from global to shared memory, both aligned to 16; zeros, and no read, unless `exists`. It
/// is there after wait_for_copies in this thread, and for others after a barrier behind that.
__device__ inline void copy_16_bytes_async(SharedAddress to, const void* from, bool exists) {
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;"
               :
               : "r"(to), "l"(from), "r"(exists ? 16 : 0)
               : "memory");
}

/// Closes a group of copies.
__device__ inline void end_copy_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }

/// Waits until at most kPending of this thread's newest groups are unfinished.
template <int kPending>
__device__ inline void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
}

/// A barrier of kThreads threads of a block, whole warps, that has one of the numbers 1 to 15.
template <int kThreads>
__device__ inline void group_barrier(int number) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "n"(kThreads) : "memory");
}

/// Registers a thread may have from here on, a multiple of 8: given up, or taken from what others gave up. Whole
/// warpgroups of four warps; on sm_90a, elsewhere nothing happens.
template <int kCount>
__device__ inline void give_registers() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kCount));
#endif
}
template <int kCount>
__device__ inline void take_registers() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kCount));
#endif
}

/// The two halves of a barrier of all blocks of a cluster that orders no memory.
__device__ inline void cluster_arrive_relaxed() {
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}
__device__ inline void cluster_wait() { asm volatile("barrier.cluster.wait.aligned;" ::: "memory"); }

/// Two floats rounded to a pair, the first in the low half.
template <class T>
__device__ inline std::uint32_t pack_pair(float low, float high);
template <>
__device__ inline std::uint32_t pack_pair<Bf16>(float low, float high) {
  std::uint32_t pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
}
template <>
__device__ inline std::uint32_t pack_pair<Fp16>(float low, float high) {
  std::uint32_t pair;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
}

/// The values of four e4m3 codes, the first in the low byte: exact.
__device__ inline float4 e4m3_values(std::uint32_t codes) {
  std::uint32_t low;
  std::uint32_t high;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(low) : "h"(static_cast<unsigned short>(codes & 0xffffu)));
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(high) : "h"(static_cast<unsigned short>(codes >> 16)));
  const auto value = [](std::uint32_t bits) { return to_float(fp16_from_bits(static_cast<unsigned short>(bits))); };
  return make_float4(value(low & 0xffffu), value(low >> 16), value(high & 0xffffu), value(high >> 16));
}

}  // namespace offgrid::portable

#endif

/// CUDA's atomic functions, each also with block and system scope.
#pragma once

#include <offgrid/emu/device/atomic_operations.h>
#include <offgrid/emu/device/vector_types.h>

// name, name_block and name_system; `op` makes the operation from `address` and `value`.
#define OFFGRID_ATOMIC_SCOPE(name, T, op, scope)                                    \
  OFFGRID_ATOMIC_NAME T name(T* address, T value) {                                 \
    return offgrid::emu::atomic_rmw(address, op, offgrid::emu::AtomicScope::scope); \
  }
#define OFFGRID_ATOMIC_FUNCTION(name, T, op)        \
  OFFGRID_ATOMIC_SCOPE(name, T, op, kDevice)        \
  OFFGRID_ATOMIC_SCOPE(name##_block, T, op, kBlock) \
  OFFGRID_ATOMIC_SCOPE(name##_system, T, op, kSystem)
#define OFFGRID_ATOMIC_INTEGER(name, Op, T) OFFGRID_ATOMIC_FUNCTION(name, T, offgrid::emu::atomic_op::Op<T>{value})
#define OFFGRID_ATOMIC_LOOPED(name, Op, T) OFFGRID_ATOMIC_FUNCTION(name, T, offgrid::emu::atomic_op::Op<T>{{value}})
#define OFFGRID_ATOMIC_BITS(name, Op)            \
  OFFGRID_ATOMIC_INTEGER(name, Op, int)          \
  OFFGRID_ATOMIC_INTEGER(name, Op, unsigned int) \
  OFFGRID_ATOMIC_INTEGER(name, Op, unsigned long long)
#define OFFGRID_ATOMIC_ORDER(name, Op)          \
  OFFGRID_ATOMIC_LOOPED(name, Op, int)          \
  OFFGRID_ATOMIC_LOOPED(name, Op, unsigned int) \
  OFFGRID_ATOMIC_LOOPED(name, Op, long long)    \
  OFFGRID_ATOMIC_LOOPED(name, Op, unsigned long long)

// Exactly the types that CUDA declares: programs bring their own overloads for others.
OFFGRID_ATOMIC_BITS(atomicAdd, IntegerAdd)
OFFGRID_ATOMIC_FUNCTION(atomicAdd, float, offgrid::emu::atomic_op::float_add(address, value))
OFFGRID_ATOMIC_FUNCTION(atomicAdd, double, offgrid::emu::atomic_op::DoubleAdd{{value}})
OFFGRID_ATOMIC_INTEGER(atomicSub, IntegerSub, int)
OFFGRID_ATOMIC_INTEGER(atomicSub, IntegerSub, unsigned int)
OFFGRID_ATOMIC_BITS(atomicAnd, And)
OFFGRID_ATOMIC_BITS(atomicOr, Or)
OFFGRID_ATOMIC_BITS(atomicXor, Xor)
OFFGRID_ATOMIC_ORDER(atomicMin, Min)
OFFGRID_ATOMIC_ORDER(atomicMax, Max)
OFFGRID_ATOMIC_LOOPED(atomicInc, WrappingIncrement, unsigned int)
OFFGRID_ATOMIC_LOOPED(atomicDec, WrappingDecrement, unsigned int)
OFFGRID_ATOMIC_LOOPED(atomicExch, Exchange, int)
OFFGRID_ATOMIC_LOOPED(atomicExch, Exchange, unsigned int)
OFFGRID_ATOMIC_LOOPED(atomicExch, Exchange, unsigned long long)
OFFGRID_ATOMIC_LOOPED(atomicExch, Exchange, float)

#if defined(__HIP_PLATFORM_AMD__)
OFFGRID_ATOMIC_INTEGER(atomicAdd, IntegerAdd, unsigned long)
OFFGRID_ATOMIC_INTEGER(atomicSub, IntegerSub, unsigned long)
OFFGRID_ATOMIC_INTEGER(atomicSub, IntegerSub, unsigned long long)
OFFGRID_ATOMIC_FUNCTION(atomicSub, float, offgrid::emu::atomic_op::float_add(address, -value))
OFFGRID_ATOMIC_FUNCTION(atomicSub, double, offgrid::emu::atomic_op::DoubleAdd{{-value}})
OFFGRID_ATOMIC_INTEGER(atomicAnd, And, unsigned long)
OFFGRID_ATOMIC_INTEGER(atomicOr, Or, unsigned long)
OFFGRID_ATOMIC_INTEGER(atomicXor, Xor, unsigned long)
OFFGRID_ATOMIC_LOOPED(atomicMin, Min, unsigned long)
OFFGRID_ATOMIC_LOOPED(atomicMin, Min, float)
OFFGRID_ATOMIC_LOOPED(atomicMin, Min, double)
OFFGRID_ATOMIC_LOOPED(atomicMax, Max, unsigned long)
OFFGRID_ATOMIC_LOOPED(atomicMax, Max, float)
OFFGRID_ATOMIC_LOOPED(atomicMax, Max, double)
OFFGRID_ATOMIC_LOOPED(atomicExch, Exchange, unsigned long)
OFFGRID_ATOMIC_LOOPED(atomicExch, Exchange, double)
#endif

// Compare and swap. The comparison is one of bits.
#define OFFGRID_ATOMIC_CAS_SCOPE(name, T, scope)                                                             \
  OFFGRID_ATOMIC_NAME T name(T* address, T compare, T value) {                                               \
    return offgrid::emu::atomic_compare_exchange(address, compare, value, offgrid::emu::AtomicScope::scope); \
  }
#define OFFGRID_ATOMIC_CAS(T)                          \
  OFFGRID_ATOMIC_CAS_SCOPE(atomicCAS, T, kDevice)      \
  OFFGRID_ATOMIC_CAS_SCOPE(atomicCAS_block, T, kBlock) \
  OFFGRID_ATOMIC_CAS_SCOPE(atomicCAS_system, T, kSystem)
OFFGRID_ATOMIC_CAS(int)
OFFGRID_ATOMIC_CAS(unsigned int)
OFFGRID_ATOMIC_CAS(unsigned short)
OFFGRID_ATOMIC_CAS(unsigned long long)
#if defined(__HIP_PLATFORM_AMD__)
OFFGRID_ATOMIC_CAS(unsigned long)
OFFGRID_ATOMIC_CAS(float)
OFFGRID_ATOMIC_CAS(double)
#endif

#include <offgrid/emu/device/atomic_classes.h>
//
#include <offgrid/emu/device/atomic_named.h>
#if defined(__HIP_PLATFORM_AMD__)
#include <offgrid/emu/device/atomic_hip.h>
#endif

#undef OFFGRID_ATOMIC_SCOPE
#undef OFFGRID_ATOMIC_FUNCTION
#undef OFFGRID_ATOMIC_INTEGER
#undef OFFGRID_ATOMIC_LOOPED
#undef OFFGRID_ATOMIC_BITS
#undef OFFGRID_ATOMIC_ORDER
#undef OFFGRID_ATOMIC_CAS_SCOPE
#undef OFFGRID_ATOMIC_CAS

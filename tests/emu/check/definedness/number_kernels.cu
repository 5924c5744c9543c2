// Numbers of 16 and 8 bits.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "case_kernel.h"

namespace {

#define DEFINEDNESS_CASE(use, name, Type, threads, ...) DEFINEDNESS_KERNEL(name, Type, threads, (__VA_ARGS__))
#include "number_cases.inc"
#undef DEFINEDNESS_CASE

}  // namespace

std::vector<offgrid::emu::test::DefinednessCase> offgrid::emu::test::number_cases() {
  return {
#define DEFINEDNESS_CASE(use, name, Type, threads, ...) {#name, name##_case, Use::use},
#include "number_cases.inc"
  };
}

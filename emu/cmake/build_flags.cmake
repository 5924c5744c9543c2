# offgrid_own_code(TARGET): the warnings and code generation flags of our own code.
#
# - x86-64-v3 (AVX2, FMA): a fused multiply-add is one instruction, as on the device.
# - -ffp-contract=off: every fused operation in our code is named, so a build gives the same bits everywhere.
# - -fno-math-errno: CUDA has no errno.
function(offgrid_own_code target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wno-unused-parameter -ffp-contract=off -fno-math-errno)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(${target} PRIVATE -march=x86-64-v3)
  endif()
  if(OFFGRID_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(OFFGRID_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()

/// The words that CUDA and HIP add to C++, and what the rewriter does about each.
#pragma once

#include <string_view>

namespace offgrid::emu::rewrite {

enum class Word {
  kNone,
  kGlobal,         ///< __global__
  kDevice,         ///< __device__
  kHost,           ///< __host__
  kShared,         ///< __shared__
  kVariableSpace,  ///< __constant__, __managed__
  kForceInline,    ///< __forceinline__
  kNoInline,       ///< __noinline__
  kAlign,          ///< __align__(n), __builtin_align__(n)
  kLaunchBounds,   ///< __launch_bounds__(threads, blocks)
  kDropped,        ///< without meaning here
  kDroppedWithArguments,
  kIndexVariable,  ///< threadIdx, blockIdx, blockDim, gridDim
  kWarpSize,       ///< warpSize
  kAsm,            ///< asm, __asm__, __asm
};

/// The meaning of an identifier; kNone for an ordinary one.
Word find_word(std::string_view identifier);

/// What may stand between the other words of a declaration: the specifiers above, C++ attributes' keywords, alignas.
bool is_specifier(Word word);

/// A C++ keyword or built-in type name: never the name of a variable or function.
bool is_keyword(std::string_view identifier);

/// A keyword that names a type by itself: int, unsigned, auto, ...
bool is_builtin_type(std::string_view identifier);

/// A word after which an expression begins: return, case, sizeof, ...
bool is_expression_keyword(std::string_view identifier);

}  // namespace offgrid::emu::rewrite

#include "rewrite/words.h"

#include <unordered_map>
#include <unordered_set>

namespace offgrid::emu::rewrite {
namespace {

const std::unordered_map<std::string_view, Word>& words() {
  static const std::unordered_map<std::string_view, Word> table = {
      {"__global__", Word::kGlobal},
      {"__device__", Word::kDevice},
      {"__host__", Word::kHost},
      {"__shared__", Word::kShared},
      {"__constant__", Word::kVariableSpace},
      {"__managed__", Word::kVariableSpace},
      {"__forceinline__", Word::kForceInline},
      {"__noinline__", Word::kNoInline},
      {"__align__", Word::kAlign},
      {"__builtin_align__", Word::kAlign},
      {"__launch_bounds__", Word::kLaunchBounds},
      {"__grid_constant__", Word::kDropped},
      {"__inline_hint__", Word::kDropped},
      {"__nv_pure__", Word::kDropped},
      {"__maxnreg__", Word::kDroppedWithArguments},
      {"__cluster_dims__", Word::kDroppedWithArguments},
      {"__block_size__", Word::kDroppedWithArguments},
      {"threadIdx", Word::kIndexVariable},
      {"blockIdx", Word::kIndexVariable},
      {"blockDim", Word::kIndexVariable},
      {"gridDim", Word::kIndexVariable},
      {"warpSize", Word::kWarpSize},
      {"asm", Word::kAsm},
      {"__asm__", Word::kAsm},
      {"__asm", Word::kAsm},
  };
  return table;
}

const std::unordered_set<std::string_view>& builtin_types() {
  static const std::unordered_set<std::string_view> table = {
      "auto",     "bool",     "char",     "char8_t",  "char16_t",   "char32_t",   "double",     "float",   "int",
      "long",     "short",    "signed",   "unsigned", "void",       "wchar_t",    "__int128",   "__int64", "__signed__",
      "__signed", "_Float16", "_Float32", "_Float64", "__float128", "__int128_t", "__uint128_t"};
  return table;
}

const std::unordered_set<std::string_view>& expression_keywords() {
  static const std::unordered_set<std::string_view> table = {
      "return", "case",     "else",      "do",       "throw",    "goto",   "new",     "delete",
      "sizeof", "alignof",  "typeid",    "and",      "or",       "not",    "xor",     "bitand",
      "bitor",  "co_yield", "co_return", "co_await", "operator", "if",     "while",   "for",
      "switch", "noexcept", "decltype",  "default",  "compl",    "not_eq", "requires"};
  return table;
}

const std::unordered_set<std::string_view>& other_keywords() {
  static const std::unordered_set<std::string_view> table = {
      "const",        "volatile",      "static",        "extern",      "inline",
      "__inline__",   "__inline",      "constexpr",     "consteval",   "constinit",
      "register",     "thread_local",  "mutable",       "typename",    "template",
      "class",        "struct",        "union",         "enum",        "namespace",
      "using",        "typedef",       "friend",        "virtual",     "explicit",
      "__restrict__", "__restrict",    "__volatile__",  "__volatile",  "__const__",
      "__const",      "final",         "override",      "public",      "private",
      "protected",    "static_assert", "const_cast",    "static_cast", "reinterpret_cast",
      "dynamic_cast", "this",          "true",          "false",       "nullptr",
      "alignas",      "_Alignas",      "__attribute__", "__attribute", "__extension__",
      "__typeof__",   "typeof",        "__typeof",      "concept",     "try",
      "catch",        "break",         "continue",      "__declspec",  "__thread"};
  return table;
}

}  // namespace

Word find_word(std::string_view identifier) {
  const char first = identifier.empty() ? '\0' : identifier.front();
  if (first != '_' && first != 't' && first != 'b' && first != 'g' && first != 'w' && first != 'a') return Word::kNone;
  const auto found = words().find(identifier);
  return found == words().end() ? Word::kNone : found->second;
}

bool is_specifier(Word word) {
  switch (word) {
    case Word::kNone:
    case Word::kIndexVariable:
    case Word::kWarpSize:
    case Word::kAsm:
      return false;
    default:
      return true;
  }
}

bool is_builtin_type(std::string_view identifier) { return builtin_types().contains(identifier); }
bool is_expression_keyword(std::string_view identifier) { return expression_keywords().contains(identifier); }

bool is_keyword(std::string_view identifier) {
  return is_builtin_type(identifier) || is_expression_keyword(identifier) || other_keywords().contains(identifier) ||
         is_specifier(find_word(identifier));
}

}  // namespace offgrid::emu::rewrite

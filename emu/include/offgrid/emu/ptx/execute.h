/// Inline PTX. The rewriter turns each asm statement of device code into one call of execute(): the place, the text,
/// and the operands in their order. The text is parsed at the first execution and interpreted (emu/ptx/README.md lists
/// what is known). An instruction that is not known ends the launch when it is executed, by name; it is never an error
/// before.
///
/// Shared addresses, what `cvta.to.shared` and `__cvta_generic_to_shared` give, are distances from the start of the
/// block's shared memory (device/address_space.h); global and local addresses are pointers.
#pragma once

#include <offgrid/emu/source_line.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace offgrid::emu::ptx {

class Program;

/// One asm statement. The program is kept for the life of the process.
struct Site {
  SourceLine where;
  const Program* program = nullptr;
};

/// An operand: its constraint ("=r", "+f", "n"), its name if it has one, and its value.
struct AsmOperand {
  const char* constraint;
  const char* name;
  std::uint64_t bits;  ///< the register's content; unspecified for "="
  void* target;        ///< the variable of an output, or null
  void (*store)(void* target, std::uint64_t bits);
};

namespace detail {

inline char constraint_letter(const char* constraint) {
  while (*constraint == '=' || *constraint == '+' || *constraint == '&') ++constraint;
  return *constraint;
}

template <class T>
std::uint64_t memory_bits(const T& value) {
  std::uint64_t bits = 0;  // a 128-bit operand is refused when the statement is executed
  std::memcpy(&bits, &value, sizeof value < sizeof bits ? sizeof value : sizeof bits);
  return bits;
}

/// What a register of the constraint's type holds for `value`.
template <class T>
std::uint64_t register_bits(char letter, const T& value) {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    switch (letter) {
      case 'f':
        return memory_bits(static_cast<float>(value));
      case 'd':
        return memory_bits(static_cast<double>(value));
      default:
        break;
    }
  }
  std::uint64_t bits = 0;
  if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
    bits = static_cast<std::uint64_t>(value);
  } else {
    bits = memory_bits(value);
  }
  return letter == 'h' ? bits & 0xffff : letter == 'r' ? bits & 0xffffffff : bits;
}

template <class T>
void store_bits(void* target, std::uint64_t bits) {
  if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
    *static_cast<T*>(target) = static_cast<T>(bits);
  } else {
    std::memcpy(target, &bits, sizeof(T) < sizeof bits ? sizeof(T) : sizeof bits);
  }
}

/// Runs the statement. Operands of outputs come first, as in the statement. `caller` is the place of the statement in
/// the kernel's code.
void execute(Site& site, const char* text, AsmOperand* operands, unsigned count, const void* caller);

}  // namespace detail

template <class T>
AsmOperand output(const char* constraint, T& variable, const char* name = "") {
  using Value = std::remove_cv_t<T>;
  const char letter = detail::constraint_letter(constraint);
  const std::uint64_t before = *constraint == '+' ? detail::register_bits<Value>(letter, variable) : 0;
  return {constraint, name, before, const_cast<Value*>(&variable), &detail::store_bits<Value>};
}

template <class T>
AsmOperand input(const char* constraint, T value, const char* name = "") {
  return {constraint, name, detail::register_bits<T>(detail::constraint_letter(constraint), value), nullptr, nullptr};
}

template <class... Operands>
[[gnu::noinline]] void execute(Site& site, const char* text, Operands... operands) {
  AsmOperand all[sizeof...(operands) + 1] = {operands..., {}};
  detail::execute(site, text, all, sizeof...(operands), __builtin_return_address(0));
}

}  // namespace offgrid::emu::ptx

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

/// How the statement speaks of an operand: its constraint ("=r", "+f", "n"), and its name if it has one.
struct AsmOperand {
  const char* constraint;
  const char* name;
};

namespace detail {

[[gnu::always_inline]] inline char constraint_letter(const char* constraint) {
  while (*constraint == '=' || *constraint == '+' || *constraint == '&') ++constraint;
  return *constraint;
}

template <class T>
[[gnu::always_inline]] inline std::uint64_t memory_bits(const T& value) {
  std::uint64_t bits = 0;  // a 128-bit operand is refused when the statement is executed
  std::memcpy(&bits, &value, sizeof value < sizeof bits ? sizeof value : sizeof bits);
  return bits;
}

/// What a register of the constraint's type holds for `value`.
template <class T>
[[gnu::always_inline]] inline std::uint64_t register_bits(char letter, const T& value) {
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
[[gnu::always_inline]] inline void store_bits(void* target, std::uint64_t bits) {
  if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
    *static_cast<T*>(target) = static_cast<T>(bits);
  } else {
    std::memcpy(target, &bits, sizeof(T) < sizeof bits ? sizeof(T) : sizeof bits);
  }
}

bool checked_is_prepared(const Site& site) noexcept;  ///< for checked kernels: a site is no memory of theirs

/// True once the statement has been parsed.
[[gnu::always_inline]] inline bool is_prepared(const Site& site) {
#if OFFGRID_CHECKED
  return checked_is_prepared(site);
#else
  return __atomic_load_n(&site.program, __ATOMIC_ACQUIRE) != nullptr;
#endif
}

/// Parses the statement. Operands of outputs come first, as in the statement.
void prepare(Site& site, const char* text, const AsmOperand* operands, unsigned count);

/// Runs a statement that has been parsed, on the registers of its operands. The return address is the place of the
/// statement in the kernel's code.
void run(const Site& site, const SourceLine& where, std::uint64_t* registers);

template <class T>
struct Output {
  AsmOperand described;
  std::uint64_t bits;  ///< before the statement; unspecified for "="
  T* variable;

  [[gnu::always_inline]] void take(std::uint64_t result) const { store_bits<T>(variable, result); }
};

struct Input {
  AsmOperand described;
  std::uint64_t bits;

  [[gnu::always_inline]] void take(std::uint64_t) const {}
};

}  // namespace detail

template <class T>
[[gnu::always_inline]] inline detail::Output<std::remove_cv_t<T>> output(const char* constraint, T& variable,
                                                                         const char* name = "") {
  using Value = std::remove_cv_t<T>;
  const char letter = detail::constraint_letter(constraint);
  const std::uint64_t before = *constraint == '+' ? detail::register_bits<Value>(letter, variable) : 0;
  return {{constraint, name}, before, const_cast<Value*>(&variable)};
}

template <class T>
[[gnu::always_inline]] inline detail::Input input(const char* constraint, T value, const char* name = "") {
  return {{constraint, name}, detail::register_bits<T>(detail::constraint_letter(constraint), value)};
}

/// For headers that hold a statement once for all places that call them: `where` is the caller's.
template <class... Operands>
[[gnu::always_inline]] inline void execute_at(SourceLine where, Site& site, const char* text, Operands... operands) {
  if (__builtin_expect(!detail::is_prepared(site), 0)) {
    const AsmOperand described[sizeof...(operands) + 1] = {operands.described..., {}};
    detail::prepare(site, text, described, sizeof...(operands));
  }
  std::uint64_t registers[sizeof...(operands) + 1] = {operands.bits..., 0};
  detail::run(site, where, registers);
  unsigned n = 0;
  (operands.take(registers[n++]), ...);
}

template <class... Operands>
[[gnu::always_inline]] inline void execute(Site& site, const char* text, Operands... operands) {
  execute_at(site.where, site, text, operands...);
}

}  // namespace offgrid::emu::ptx

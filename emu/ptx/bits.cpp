// Moves and bit operations: mov, and, or, xor, not, shl, shr, lop3, bfe, bfi, popc, clz, brev, bfind, prmt, shf, bmsk.
#include <algorithm>

#include "ptx/machine.h"
#include "ptx/mnemonics.h"

namespace offgrid::emu::ptx {
namespace {

/// Also packs `{a, b}` into a wider register and unpacks one.
void move(Machine& m, const Instruction& i) {
  const Operand &to = i.operands[0], &from = i.operands[1];
  const unsigned bits = 8 * type_bytes(i.type);
  if (to.kind == OperandKind::kVector) {
    const unsigned part = bits / static_cast<unsigned>(to.parts.size());
    const std::uint64_t word = read<std::uint64_t>(m, from);
    for (std::size_t k = 0; k < to.parts.size(); ++k) {
      write(m, to.parts[k], (word >> (part * k)) & (~std::uint64_t{0} >> (64 - part)));
    }
  } else if (from.kind == OperandKind::kVector) {
    const unsigned part = bits / static_cast<unsigned>(from.parts.size());
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < from.parts.size(); ++k) {
      word |= (read<std::uint64_t>(m, from.parts[k]) & (~std::uint64_t{0} >> (64 - part))) << (part * k);
    }
    write(m, to, word);
  } else if (i.type == Type::kF32) {
    write(m, to, read<float>(m, from));
  } else if (i.type == Type::kF64) {
    write(m, to, read<double>(m, from));
  } else {
    const std::uint64_t word = read<std::uint64_t>(m, from);
    write(m, to, bits == 0 || bits == 64 ? word : word & (~std::uint64_t{0} >> (64 - bits)));
  }
}

template <class Choose>
Handler typed(Instruction& i, Modifiers& m, Choose choose) {
  i.type = m.take_type();
  return choose(i.type);
}
Handler choose_mov(Instruction& i, Modifiers& m) {
  i.type = m.take_type();
  return i.type == Type::kNone ? nullptr : &move;
}

struct And {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct Not {
  template <class T>
  static T apply(T a) {
    if constexpr (std::is_same_v<T, bool>) {
      return !a;
    } else {
      return static_cast<T>(~a);
    }
  }
};
struct Cnot {
  template <class T>
  static T apply(T a) {
    return static_cast<T>(a == 0);
  }
};

// Shifts by more than the width give 0, or copies of the sign.
template <class, class T>
void shift_left(Machine& m, const Instruction& i) {
  const std::uint32_t n = read<std::uint32_t>(m, i.operands[2]);
  const T a = read<T>(m, i.operands[1]);
  write(m, i.operands[0],
        static_cast<T>(n >= 8 * sizeof(T) ? T{0} : static_cast<T>(static_cast<std::uint64_t>(a) << n)));
}
template <class, class T>
void shift_right(Machine& m, const Instruction& i) {
  const std::uint32_t n = read<std::uint32_t>(m, i.operands[2]);
  const T a = read<T>(m, i.operands[1]);
  const T gone = static_cast<T>(a < T{0} ? -1 : 0);
  write(m, i.operands[0], n >= 8 * sizeof(T) ? gone : static_cast<T>(a >> n));
}

/// Any function of three bits: bit (4a + 2b + c) of the table.
void lop3(Machine& m, const Instruction& i) {
  const std::uint32_t a = read<std::uint32_t>(m, i.operands[1]), b = read<std::uint32_t>(m, i.operands[2]);
  const std::uint32_t c = read<std::uint32_t>(m, i.operands[3]), table = read<std::uint32_t>(m, i.operands[4]);
  std::uint32_t out = 0;
  for (unsigned k = 0; k < 8; ++k) {
    if (table >> k & 1) out |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
  }
  write(m, i.operands[0], out);
}

/// `length` bits of a from `position`, sign-extended for signed types.
template <class, class T>
void bfe(Machine& m, const Instruction& i) {
  constexpr unsigned kBits = 8 * sizeof(T);
  const T a = read<T>(m, i.operands[1]);
  const unsigned position = read<std::uint32_t>(m, i.operands[2]) & 0xff,
                 length = read<std::uint32_t>(m, i.operands[3]) & 0xff;
  using U = std::make_unsigned_t<T>;
  U out = position < kBits ? static_cast<U>(static_cast<U>(a) >> position) : U{0};
  const unsigned top = position + length == 0 ? 0 : std::min(position + length - 1, kBits - 1);
  const bool sign = std::is_signed_v<T> && length != 0 && (static_cast<U>(a) >> top & 1);
  if (length < kBits) {
    const U mask = static_cast<U>((U{1} << length) - 1);
    out = static_cast<U>(out & mask);
    const unsigned have = position < kBits ? std::min(length, kBits - position) : 0;
    if (sign && have < kBits) out = static_cast<U>(out | static_cast<U>(~U{0} << have));
  } else if (sign && position > 0) {
    out = position >= kBits ? static_cast<U>(~U{0}) : static_cast<U>(out | static_cast<U>(~U{0} << (kBits - position)));
  }
  write(m, i.operands[0], static_cast<T>(out));
}

/// The low `length` bits of a placed at `position` of b.
template <class, class T>
void bfi(Machine& m, const Instruction& i) {
  constexpr unsigned kBits = 8 * sizeof(T);
  const T a = read<T>(m, i.operands[1]), b = read<T>(m, i.operands[2]);
  const unsigned position = read<std::uint32_t>(m, i.operands[3]) & 0xff,
                 length = read<std::uint32_t>(m, i.operands[4]) & 0xff;
  T mask = length >= kBits ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
  mask = position >= kBits ? T{0} : static_cast<T>(mask << position);
  const T placed = position >= kBits ? T{0} : static_cast<T>(a << position);
  write(m, i.operands[0], static_cast<T>((placed & mask) | (b & ~mask)));
}

template <class, class T>
void popc(Machine& m, const Instruction& i) {
  write(m, i.operands[0], static_cast<std::uint32_t>(__builtin_popcountll(read<T>(m, i.operands[1]))));
}
template <class, class T>
void clz(Machine& m, const Instruction& i) {
  const T a = read<T>(m, i.operands[1]);
  constexpr unsigned kBits = 8 * sizeof(T);
  write(m, i.operands[0], a == 0 ? kBits : static_cast<unsigned>(__builtin_clzll(a)) - (64 - kBits));
}
template <class, class T>
void brev(Machine& m, const Instruction& i) {
  T a = read<T>(m, i.operands[1]), out = 0;
  for (unsigned k = 0; k < 8 * sizeof(T); ++k, a = static_cast<T>(a >> 1)) out = static_cast<T>((out << 1) | (a & 1));
  write(m, i.operands[0], out);
}
/// The highest bit that differs from the sign; all ones if there is none.
template <class, class T>
void bfind(Machine& m, const Instruction& i) {
  using U = std::make_unsigned_t<T>;
  const T a = read<T>(m, i.operands[1]);
  const U u = static_cast<U>(a < T{0} ? ~static_cast<U>(a) : static_cast<U>(a));
  if (u == 0) return write(m, i.operands[0], ~std::uint32_t{0});
  const auto top = static_cast<std::uint32_t>(63 - __builtin_clzll(u));
  write(m, i.operands[0], i.flags.variant ? static_cast<std::uint32_t>(8 * sizeof(T) - 1) - top : top);
}

/// Picks four bytes of {b, a}; the default mode takes a selector per byte, whose top bit copies the byte's sign.
void prmt(Machine& m, const Instruction& i) {
  const std::uint64_t bytes =
      read<std::uint32_t>(m, i.operands[1]) | static_cast<std::uint64_t>(read<std::uint32_t>(m, i.operands[2])) << 32;
  const std::uint32_t c = read<std::uint32_t>(m, i.operands[3]);
  const unsigned s = c & 3;
  std::uint32_t out = 0;
  for (unsigned k = 0; k < 4; ++k) {
    unsigned pick = 0;
    switch (i.flags.variant) {
      case 'f':
        pick = s + k;
        break;  // f4e
      case 'b':
        pick = (8 + s - k) & 7;
        break;  // b4e
      case 'r':
        pick = s;
        break;  // rc8
      case 'l':
        pick = std::max(k, s);
        break;  // ecl
      case 'e':
        pick = std::min(k, s);
        break;  // ecr
      case 'h':
        pick = (s & 1) * 2 + (k & 1);
        break;  // rc16
      default:
        pick = c >> (4 * k) & 15;
        break;
    }
    std::uint32_t byte = static_cast<std::uint32_t>(bytes >> (8 * (pick & 7))) & 0xff;
    if (pick & 8) byte = byte & 0x80 ? 0xff : 0;
    out |= byte << (8 * k);
  }
  write(m, i.operands[0], out);
}

/// 32 bits of {b, a} after a shift; variant 'l' or 'r', sat means .clamp.
void funnel_shift(Machine& m, const Instruction& i) {
  const std::uint64_t pair =
      read<std::uint32_t>(m, i.operands[1]) | static_cast<std::uint64_t>(read<std::uint32_t>(m, i.operands[2])) << 32;
  std::uint32_t n = read<std::uint32_t>(m, i.operands[3]);
  n = i.flags.sat ? std::min(n, 32u) : n & 31;
  write(m, i.operands[0],
        static_cast<std::uint32_t>(i.flags.variant == 'l' ? pair << n >> 32
                                   : n == 32              ? pair >> 32
                                                          : pair >> n));
}

/// `b` ones from bit `a` on.
void bmsk(Machine& m, const Instruction& i) {
  std::uint32_t a = read<std::uint32_t>(m, i.operands[1]), b = read<std::uint32_t>(m, i.operands[2]);
  if (i.flags.sat) {
    a = std::min(a, 32u), b = std::min(b, 32u);
  } else {
    a &= 31, b &= 31;
  }
  const std::uint64_t ones = ((std::uint64_t{1} << b) - 1) << a;
  write(m, i.operands[0], static_cast<std::uint32_t>(ones));
}

Handler choose_and(Instruction& i, Modifiers& m) {
  return typed(i, m, [](Type t) { return OFFGRID_PTX_BY_BITS(t, binary, And); });
}
Handler choose_or(Instruction& i, Modifiers& m) {
  return typed(i, m, [](Type t) { return OFFGRID_PTX_BY_BITS(t, binary, Or); });
}
Handler choose_xor(Instruction& i, Modifiers& m) {
  return typed(i, m, [](Type t) { return OFFGRID_PTX_BY_BITS(t, binary, Xor); });
}
Handler choose_not(Instruction& i, Modifiers& m) {
  return typed(i, m, [](Type t) { return OFFGRID_PTX_BY_BITS(t, unary, Not); });
}
Handler choose_cnot(Instruction& i, Modifiers& m) {
  return typed(i, m, [](Type t) { return OFFGRID_PTX_BY_BITS(t, unary, Cnot); });
}
/// The unsigned type of the same size, for operations that do not look at the sign.
Type unsigned_of(Type t) {
  return type_bytes(t) == 2   ? Type::kU16
         : type_bytes(t) == 4 ? Type::kU32
         : type_bytes(t) == 8 ? Type::kU64
                              : Type::kNone;
}
bool is_signed(Type t) { return t == Type::kS16 || t == Type::kS32 || t == Type::kS64; }
Handler choose_shl(Instruction& i, Modifiers& m) {
  return typed(i, m, [](Type t) { return OFFGRID_PTX_BY_INTEGER(unsigned_of(t), shift_left, And); });
}
Handler choose_shr(Instruction& i, Modifiers& m) {
  return typed(i, m,
               [](Type t) { return OFFGRID_PTX_BY_INTEGER(is_signed(t) ? t : unsigned_of(t), shift_right, And); });
}
Handler choose_lop3(Instruction& i, Modifiers& m) { return m.take("b32") && i.operands.size() == 5 ? &lop3 : nullptr; }
Handler choose_bfe(Instruction& i, Modifiers& m) {
  return typed(i, m, [](Type t) { return OFFGRID_PTX_BY_INTEGER(t, bfe, And); });
}
Handler choose_bfi(Instruction& i, Modifiers& m) {
  return typed(i, m, [](Type t) { return OFFGRID_PTX_BY_INTEGER(unsigned_of(t), bfi, And); });
}
Handler choose_popc(Instruction& i, Modifiers& m) {
  return typed(i, m, [](Type t) { return OFFGRID_PTX_BY_INTEGER(unsigned_of(t), popc, And); });
}
Handler choose_clz(Instruction& i, Modifiers& m) {
  return typed(i, m, [](Type t) { return OFFGRID_PTX_BY_INTEGER(unsigned_of(t), clz, And); });
}
Handler choose_brev(Instruction& i, Modifiers& m) {
  return typed(i, m, [](Type t) { return OFFGRID_PTX_BY_INTEGER(unsigned_of(t), brev, And); });
}
Handler choose_bfind(Instruction& i, Modifiers& m) {
  i.flags.variant = m.take("shiftamt");
  return typed(i, m, [](Type t) { return OFFGRID_PTX_BY_INTEGER(t, bfind, And); });
}
Handler choose_prmt(Instruction& i, Modifiers& m) {
  i.flags.variant = m.take_one_of("fbrleh", {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  return m.take("b32") ? &prmt : nullptr;
}
Handler choose_shf(Instruction& i, Modifiers& m) {
  i.flags.variant = m.take_one_of("lr", {"l", "r"});
  i.flags.sat = m.take("clamp");
  m.take("wrap");
  return m.take("b32") && i.flags.variant ? &funnel_shift : nullptr;
}
Handler choose_bmsk(Instruction& i, Modifiers& m) {
  i.flags.sat = m.take("clamp");
  m.take("wrap");
  return m.take("b32") ? &bmsk : nullptr;
}

}  // namespace

std::vector<MnemonicRow> bit_mnemonics() {
  return {{"mov", choose_mov},   {"and", choose_and},     {"or", choose_or},     {"xor", choose_xor},
          {"not", choose_not},   {"cnot", choose_cnot},   {"shl", choose_shl},   {"shr", choose_shr},
          {"lop3", choose_lop3}, {"bfe", choose_bfe},     {"bfi", choose_bfi},   {"clz", choose_clz},
          {"popc", choose_popc}, {"bfind", choose_bfind}, {"brev", choose_brev}, {"prmt", choose_prmt},
          {"shf", choose_shf},   {"bmsk", choose_bmsk}};
}

}  // namespace offgrid::emu::ptx

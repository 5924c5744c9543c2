/// One execution of a program: registers, and typed reading and writing of operands.
#pragma once

#include <offgrid/emu/source_line.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "device/taint.h"
#include "ptx/program.h"

namespace offgrid::emu::ptx {

struct Machine {
  std::uint64_t* slots = nullptr;
  SourceLine where;
  std::size_t next = 0;     ///< index of the instruction to run next
  Taint* taints = nullptr;  ///< of the slots; null in fast mode
  mutable Taint seen;       ///< of what the running instruction has read
  std::uintptr_t pc = 0;    ///< the statement's, as a return address

  bool is_checked() const { return taints != nullptr; }
};

/// The carry flag. PTX keeps it between asm statements.
extern thread_local bool carry_flag;

/// The value of %laneid, %tid.x, ...; see special_registers.cpp.
std::uint64_t special_register(unsigned which);
/// Its number by name, or -1.
int find_special_register(std::string_view name);

/// Ends the launch: the instruction is not modelled, or was given operands that it cannot have.
[[noreturn]] void unsupported(const Machine& machine, const Instruction& instruction);

inline std::uint64_t read_bits(const Machine& m, const Operand& o) {
  switch (o.kind) {
    case OperandKind::kSlot:
      if (m.is_checked()) m.seen.add(m.taints[o.slot]);
      return o.negated ? m.slots[o.slot] == 0 : m.slots[o.slot];
    case OperandKind::kSpecial:
      return special_register(o.slot);
    default:
      return o.bits;
  }
}

template <class T>
T read(const Machine& m, const Operand& o) {
  T value;
  if (o.kind == OperandKind::kFloatImmediate) {
    double literal;
    std::memcpy(&literal, &o.bits, sizeof literal);
    if constexpr (std::is_floating_point_v<T>) return static_cast<T>(literal);
    if constexpr (sizeof(T) == 4) {
      const float narrow = static_cast<float>(literal);
      std::memcpy(&value, &narrow, sizeof value);
      return value;
    }
  }
  const std::uint64_t bits = read_bits(m, o);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <class T>
void write(Machine& m, const Operand& o, T value) {
  if (o.kind != OperandKind::kSlot) return;  // the sink
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  m.slots[o.slot] = bits;
  if (m.is_checked()) m.taints[o.slot] = m.seen;
}

/// Denormals become zeros of their sign.
inline float flushed(float x) { return __builtin_fabsf(x) < 0x1p-126f ? __builtin_copysignf(0.0f, x) : x; }

/// Handlers of operations on one type. Op::apply<T> computes; the operands follow the destination.
template <class Op, class T>
void unary(Machine& m, const Instruction& i) {
  write(m, i.operands[0], Op::apply(read<T>(m, i.operands[1])));
}
template <class Op, class T>
void binary(Machine& m, const Instruction& i) {
  write(m, i.operands[0], Op::apply(read<T>(m, i.operands[1]), read<T>(m, i.operands[2])));
}
template <class Op, class T>
void ternary(Machine& m, const Instruction& i) {
  write(m, i.operands[0], Op::apply(read<T>(m, i.operands[1]), read<T>(m, i.operands[2]), read<T>(m, i.operands[3])));
}

/// A type for each kind of integer instruction; `Shape` is one of the handlers above, chosen by the macro's user.
#define OFFGRID_PTX_BY_INTEGER(type, shape, Op)                \
  ((type) == Type::kU16   ? Handler{&shape<Op, std::uint16_t>} \
   : (type) == Type::kS16 ? Handler{&shape<Op, std::int16_t>}  \
   : (type) == Type::kU32 ? Handler{&shape<Op, std::uint32_t>} \
   : (type) == Type::kS32 ? Handler{&shape<Op, std::int32_t>}  \
   : (type) == Type::kU64 ? Handler{&shape<Op, std::uint64_t>} \
   : (type) == Type::kS64 ? Handler{&shape<Op, std::int64_t>}  \
                          : nullptr)
#define OFFGRID_PTX_BY_BITS(type, shape, Op)                    \
  (type_bytes(type) == 2   ? Handler{&shape<Op, std::uint16_t>} \
   : type_bytes(type) == 4 ? Handler{&shape<Op, std::uint32_t>} \
   : type_bytes(type) == 8 ? Handler{&shape<Op, std::uint64_t>} \
   : (type) == Type::kPred ? Handler{&shape<Op, bool>}          \
                           : nullptr)

}  // namespace offgrid::emu::ptx

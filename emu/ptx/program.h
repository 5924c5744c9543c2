/// Parsed PTX: instructions whose registers are numbered slots and whose handlers have been chosen.
#pragma once

#include <offgrid/emu/engine/collectives.h>

#include <cstdint>
#include <string>
#include <vector>

namespace offgrid::emu::ptx {

struct Machine;
struct Instruction;

enum class Type : std::uint8_t {
  kNone,
  kPred,
  kB8,
  kB16,
  kB32,
  kB64,
  kU8,
  kU16,
  kU32,
  kU64,
  kS8,
  kS16,
  kS32,
  kS64,
  kF16,
  kF16x2,
  kBf16,
  kBf16x2,
  kF32,
  kF64,
  kTf32,
  kE4m3,
  kE5m2
};

/// Bytes of a value; 0 for kNone.
unsigned type_bytes(Type type);

enum class OperandKind : std::uint8_t {
  kSlot,
  kImmediate,
  kFloatImmediate,
  kSpecial,
  kAddress,
  kVector,
  kSink,
  kLabel
};

struct Operand {
  OperandKind kind = OperandKind::kSink;
  bool negated = false;        ///< `!p`
  unsigned slot = 0;           ///< kSlot: the register; kSpecial: which
  std::uint64_t bits = 0;      ///< kImmediate: the value; kFloatImmediate: a double's bits
  std::vector<Operand> parts;  ///< kVector: elements; kAddress: the base; otherwise the second half of `d|p`
  std::int64_t offset = 0;     ///< kAddress
  std::string label;           ///< kLabel
};

using Handler = void (*)(Machine& machine, const Instruction& instruction);

/// Properties that handlers ask for; what they mean depends on the instruction.
struct Flags {
  bool ftz = false, sat = false, carry_in = false, carry_out = false, is_volatile = false, shared = false, nan = false;
  char rounding = 0;        ///< 'n', 'z', 'p', 'm'; 0: none given
  bool to_integer = false;  ///< rounding was .rni, .rzi, ...
  char variant = 0;         ///< .lo .hi .wide, comparison, shuffle mode, ...
  char combine = 0;         ///< setp's second operation: and, or, xor
  bool releases = false;    ///< .release, .acq_rel of a memory operation
  AtomicScope scope = AtomicScope::kDevice;
};

struct Instruction {
  std::string text;           ///< as written, for messages
  Handler handler = nullptr;  ///< null: not modelled
  Type type = Type::kNone, source_type = Type::kNone;
  Type second_type = Type::kNone;  ///< of mma's b
  Flags flags;
  std::vector<Operand> operands;
  std::vector<unsigned> registers;  ///< slots of all operands and their parts, in order, if a handler asked for them
  int guard = -1;                   ///< predicate slot; -1: none
  bool guard_negated = false;
  unsigned target = 0;  ///< of bra: the instruction's index
};

class Program {
 public:
  std::vector<Instruction> instructions;
  unsigned slots = 0;     ///< registers, the statement's operands first
  unsigned operands = 0;  ///< of the statement
};

}  // namespace offgrid::emu::ptx

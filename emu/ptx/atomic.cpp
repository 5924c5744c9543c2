// atom and red: one compare-and-swap loop for all operations and types.
#include <offgrid/emu/engine/collectives.h>
#include <offgrid/emu/numerics/arithmetic.h>

#include <algorithm>

#include "ptx/address.h"
#include "ptx/machine.h"
#include "ptx/memory_order.h"
#include "ptx/mnemonics.h"

namespace offgrid::emu::ptx {
namespace {

template <class Word, class Next>
Word exchange(void* address, Next next) {
  auto* word = static_cast<Word*>(address);
  Word before = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(word, &before, next(before), true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
  }
  return before;
}

/// What an operation, by its initial, makes of the old value.
template <class T>
T result(char how, T old, T b, T c) {
  switch (how) {
    case '+':
      return static_cast<T>(old + b);
    case 'x':
      return b;
    case 'c':
      return old == b ? c : old;
    case '<':
      return std::min(old, b);
    case '>':
      return std::max(old, b);
    default:
      break;
  }
  if constexpr (std::is_unsigned_v<T>) {
    switch (how) {
      case '&':
        return old & b;
      case '|':
        return old | b;
      case '^':
        return old ^ b;
      case 'i':
        return old >= b ? 0 : old + 1;
      case 'd':
        return old == 0 || old > b ? b : old - 1;
      default:
        break;
    }
  }
  return old;
}

template <class F>
std::uint32_t add_pair(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t low = numerics::add<F>(static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b));
  const std::uint32_t high = numerics::add<F>(static_cast<std::uint16_t>(a >> 16), static_cast<std::uint16_t>(b >> 16));
  return low | high << 16;
}

/// Bits in, bits out, through the type that the instruction names.
template <class T, class Word>
Word next_bits(char how, Word old, Word b, Word c) {
  T values[3];
  std::memcpy(&values[0], &old, sizeof(T));
  std::memcpy(&values[1], &b, sizeof(T));
  std::memcpy(&values[2], &c, sizeof(T));
  const T out = result<T>(how, values[0], values[1], values[2]);
  Word bits = 0;
  std::memcpy(&bits, &out, sizeof(T));
  return bits;
}

template <class T, class Word>
void atomic(Machine& m, const Instruction& i) {
  take_turn();
  release(m, i);
  const bool returns = !is_address(i.operands[0]);
  const std::size_t at = returns ? 1 : 0;
  void* address = address_of(m, i, i.operands[at]);
  const Word b = read<Word>(m, i.operands[at + 1]);
  const Word c = i.operands.size() > at + 2 ? read<Word>(m, i.operands[at + 2]) : Word{0};
  check_atomic(m, address, sizeof(Word), i.flags.scope);
  const Word old = exchange<Word>(address, [&](Word before) { return next_bits<T>(i.flags.variant, before, b, c); });
  if (returns) write(m, i.operands[0], old);
}

template <class F>
void atomic_pair(Machine& m, const Instruction& i) {
  take_turn();
  release(m, i);
  const bool returns = !is_address(i.operands[0]);
  const std::size_t at = returns ? 1 : 0;
  void* address = address_of(m, i, i.operands[at]);
  const std::uint32_t b = read<std::uint32_t>(m, i.operands[at + 1]);
  check_atomic(m, address, sizeof b, i.flags.scope);
  const std::uint32_t old =
      exchange<std::uint32_t>(address, [&](std::uint32_t before) { return add_pair<F>(before, b); });
  if (returns) write(m, i.operands[0], old);
}

Handler choose_atom(Instruction& i, Modifiers& m) {
  read_memory_order(i, m);
  m.take("noftz");
  read_space(i, m);
  i.flags.variant = m.take_one_of("+xc<>&|^id", {"add", "exch", "cas", "min", "max", "and", "or", "xor", "inc", "dec"});
  i.type = m.take_type();
  if (!i.flags.variant || i.operands.size() < 2) return nullptr;
  if (!is_address(i.operands[0]) && !is_address(i.operands[1])) return nullptr;
  switch (i.type) {
    case Type::kB32:
    case Type::kU32:
      return &atomic<std::uint32_t, std::uint32_t>;
    case Type::kS32:
      return &atomic<std::int32_t, std::uint32_t>;
    case Type::kB64:
    case Type::kU64:
      return &atomic<std::uint64_t, std::uint64_t>;
    case Type::kS64:
      return &atomic<std::int64_t, std::uint64_t>;
    case Type::kF32:
      return i.flags.variant == '+' ? &atomic<float, std::uint32_t> : nullptr;
    case Type::kF64:
      return i.flags.variant == '+' ? &atomic<double, std::uint64_t> : nullptr;
    case Type::kF16x2:
      return i.flags.variant == '+' ? &atomic_pair<formats::Binary16> : nullptr;
    case Type::kBf16x2:
      return i.flags.variant == '+' ? &atomic_pair<formats::Bfloat16> : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

std::vector<MnemonicRow> atomic_mnemonics() { return {{"atom", choose_atom}, {"red", choose_atom}}; }

}  // namespace offgrid::emu::ptx

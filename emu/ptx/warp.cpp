// Operations of a warp's lanes together: shfl, vote, match, redux, activemask.
#include <offgrid/emu/device/vote.h>

#include "ptx/checks.h"
#include "ptx/machine.h"
#include "ptx/mnemonics.h"

namespace offgrid::emu::ptx {
namespace {

int line_of(const Machine& m) { return static_cast<int>(m.where.line); }

/// `shfl.sync.mode.b32 d|p, a, b, c, mask`: c holds the last lane and, from bit 8, the mask of the segment's bits.
void shfl(Machine& m, const Instruction& i) {
  const auto lane = static_cast<std::int32_t>(offgrid_tls.lane->index);
  const std::uint32_t b = read<std::uint32_t>(m, i.operands[2]) & 31, c = read<std::uint32_t>(m, i.operands[3]);
  const std::uint32_t segment = c >> 8 & 31;
  const auto last = static_cast<std::int32_t>((static_cast<std::uint32_t>(lane) & segment) | (c & 31 & ~segment));
  std::int32_t source = 0;
  switch (i.flags.variant) {
    case 'u':
      source = lane - static_cast<std::int32_t>(b);
      break;
    case 'd':
      source = lane + static_cast<std::int32_t>(b);
      break;
    case 'b':
      source = lane ^ static_cast<std::int32_t>(b);
      break;
    default:
      source = static_cast<std::int32_t>((static_cast<std::uint32_t>(lane) & segment) | (b & ~segment));
      break;
  }
  const bool inside = i.flags.variant == 'u' ? source >= last : source <= last;
  if (!inside) source = lane;
  const std::uint64_t mask = read<std::uint32_t>(m, i.operands[4]);
  use(m);  // which lane is read
  const std::uint32_t mine = read<std::uint32_t>(m, i.operands[1]);
  shuffle_taint(m, mask, static_cast<unsigned>(source));
  const std::uint64_t value = offgrid_shuffle(mask, mine, static_cast<unsigned>(source), m.where.file, line_of(m));
  write(m, i.operands[0], static_cast<std::uint32_t>(value));
  if (!i.operands[0].parts.empty()) write(m, i.operands[0].parts[0], std::uint64_t{inside});
}
Handler choose_shfl(Instruction& i, Modifiers& m) {
  if (!m.take("sync") || !m.take("b32") || i.operands.size() != 5) return nullptr;
  i.flags.variant = m.take_one_of("udbi", {"up", "down", "bfly", "idx"});
  return i.flags.variant ? &shfl : nullptr;
}

void vote(Machine& m, const Instruction& i) {
  const bool predicate = read<std::uint64_t>(m, i.operands[1]) != 0;
  const LaneMask mask = read<std::uint32_t>(m, i.operands[2]);
  auto ballot = [&](bool p) { return offgrid_vote(mask, p, m.where.file, line_of(m)); };
  switch (i.flags.variant) {
    case 'b':
      return write(m, i.operands[0], static_cast<std::uint32_t>(ballot(predicate)));
    case 'y':
      return write(m, i.operands[0], std::uint64_t{ballot(predicate) != 0});
    case 'l':
      return write(m, i.operands[0], std::uint64_t{ballot(!predicate) == 0});
    default: {
      const LaneMask yes = ballot(predicate), no = ballot(!predicate);
      return write(m, i.operands[0], std::uint64_t{yes == 0 || no == 0});
    }
  }
}
Handler choose_vote(Instruction& i, Modifiers& m) {
  if (!m.take("sync") || i.operands.size() != 3) return nullptr;
  i.flags.variant = m.take_one_of("bylu", {"ballot", "any", "all", "uni"});
  const bool typed = i.flags.variant == 'b' ? m.take("b32") : m.take("pred");
  return typed ? &vote : nullptr;
}

void active_mask(Machine& m, const Instruction& i) {
  note_site(m.where.file, line_of(m));
  LaneMask participants = 0;
  vote_converged(true, &participants);
  write(m, i.operands[0], static_cast<std::uint32_t>(participants));
}
Handler choose_activemask(Instruction&, Modifiers& m) { return m.take("b32") ? &active_mask : nullptr; }

void match(Machine& m, const Instruction& i) {
  note_site(m.where.file, line_of(m));
  const std::uint64_t value =
      type_bytes(i.type) == 4 ? read<std::uint32_t>(m, i.operands[1]) : read<std::uint64_t>(m, i.operands[1]);
  const LaneMask mask = read<std::uint32_t>(m, i.operands[2]);
  int all = 0;
  const LaneMask equal = i.flags.variant == 'y' ? match_any(mask, value) : match_all(mask, value, &all);
  write(m, i.operands[0], static_cast<std::uint32_t>(equal));
  if (!i.operands[0].parts.empty()) write(m, i.operands[0].parts[0], static_cast<std::uint64_t>(all));
}
Handler choose_match(Instruction& i, Modifiers& m) {
  if (!m.take("sync") || i.operands.size() != 3) return nullptr;
  i.flags.variant = m.take_one_of("yl", {"any", "all"});
  i.type = m.take_type();
  return i.flags.variant && (i.type == Type::kB32 || i.type == Type::kB64) ? &match : nullptr;
}

template <class T>
void redux(Machine& m, const Instruction& i) {
  note_site(m.where.file, line_of(m));
  const char how = i.flags.variant;
  const T value =
      reduce_warp(LaneMask{read<std::uint32_t>(m, i.operands[2])}, read<T>(m, i.operands[1]), [how](T a, T b) {
        switch (how) {
          case '+':
            return static_cast<T>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
          case '<':
            return a < b ? a : b;
          case '>':
            return a < b ? b : a;
          case '&':
            return static_cast<T>(a & b);
          case '|':
            return static_cast<T>(a | b);
          default:
            return static_cast<T>(a ^ b);
        }
      });
  write(m, i.operands[0], value);
}
Handler choose_redux(Instruction& i, Modifiers& m) {
  if (!m.take("sync") || i.operands.size() != 3) return nullptr;
  i.flags.variant = m.take_one_of("+<>&|^", {"add", "min", "max", "and", "or", "xor"});
  i.type = m.take_type();
  if (!i.flags.variant) return nullptr;
  return i.type == Type::kS32                           ? &redux<std::int32_t>
         : i.type == Type::kU32 || i.type == Type::kB32 ? &redux<std::uint32_t>
                                                        : nullptr;
}

}  // namespace

std::vector<MnemonicRow> warp_mnemonics() {
  return {{"shfl", choose_shfl},
          {"vote", choose_vote},
          {"activemask", choose_activemask},
          {"match", choose_match},
          {"redux", choose_redux}};
}

}  // namespace offgrid::emu::ptx

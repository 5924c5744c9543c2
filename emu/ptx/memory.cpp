// Memory: ld, st, prefetch and its kin, cvta, isspacep, cp.async. Cache hints have no effect.
#include <offgrid/emu/device/address_space.h>
#include <offgrid/emu/engine/cluster.h>
#include <offgrid/emu/engine/collectives.h>

#include "device/async_copy.h"
#include "ptx/address.h"
#include "ptx/machine.h"
#include "ptx/memory_order.h"
#include "ptx/mnemonics.h"

namespace offgrid::emu::ptx {
namespace {

template <class T>
std::uint64_t load(const void* address) {
  return static_cast<std::uint64_t>(*static_cast<const volatile T*>(address));  // signed types fill the register
}
std::uint64_t load(Type type, const void* address) {
  switch (type) {
    case Type::kS8:
      return load<std::int8_t>(address);
    case Type::kS16:
      return load<std::int16_t>(address);
    case Type::kS32:
      return load<std::int32_t>(address);
    default:
      break;
  }
  switch (type_bytes(type)) {
    case 1:
      return load<std::uint8_t>(address);
    case 2:
      return load<std::uint16_t>(address);
    case 4:
      return load<std::uint32_t>(address);
    default:
      return load<std::uint64_t>(address);
  }
}
void store(Type type, void* address, std::uint64_t bits) {
  switch (type_bytes(type)) {
    case 1:
      *static_cast<volatile std::uint8_t*>(address) = static_cast<std::uint8_t>(bits);
      return;
    case 2:
      *static_cast<volatile std::uint16_t*>(address) = static_cast<std::uint16_t>(bits);
      return;
    case 4:
      *static_cast<volatile std::uint32_t*>(address) = static_cast<std::uint32_t>(bits);
      return;
    default:
      *static_cast<volatile std::uint64_t*>(address) = bits;
      return;
  }
}

/// Volatile accesses count as atomic ones.
std::optional<AtomicScope> atomic_scope(const Instruction& i) {
  return i.flags.is_volatile ? std::optional(i.flags.scope) : std::nullopt;
}

void ld(Machine& m, const Instruction& i) {
  if (i.flags.is_volatile) take_turn();
  const auto* from = static_cast<const unsigned char*>(address_of(m, i, i.operands[1]));
  const Operand& to = i.operands[0];
  const std::size_t parts = to.kind == OperandKind::kVector ? to.parts.size() : 1;
  check_load(m, from, parts * type_bytes(i.type), atomic_scope(i));
  if (to.kind != OperandKind::kVector) return write(m, to, load(i.type, from));
  std::uint64_t values[8];  // all are read before any register, which may be the address, is written
  for (std::size_t k = 0; k < to.parts.size(); ++k) values[k] = load(i.type, from + k * type_bytes(i.type));
  for (std::size_t k = 0; k < to.parts.size(); ++k) write(m, to.parts[k], values[k]);
}

std::uint64_t stored_bits(const Machine& m, const Instruction& i, const Operand& o) {
  if (i.type == Type::kF32) return read<std::uint32_t>(m, o);
  return read<std::uint64_t>(m, o);
}
void st(Machine& m, const Instruction& i) {
  if (i.flags.is_volatile) take_turn();
  release(m, i);
  auto* to = static_cast<unsigned char*>(address_of(m, i, i.operands[0]));
  const Operand& from = i.operands[1];
  const unsigned bytes = type_bytes(i.type);
  const auto store_part = [&](unsigned char* address, const Operand& part) {
    m.seen = {};
    const std::uint64_t bits = stored_bits(m, i, part);
    check_store(m, address, bytes, atomic_scope(i));
    store(i.type, address, bits);
  };
  if (from.kind != OperandKind::kVector) return store_part(to, from);
  for (std::size_t k = 0; k < from.parts.size(); ++k) store_part(to + k * bytes, from.parts[k]);
}

Handler choose_access(Instruction& i, Modifiers& m, std::size_t address, Handler handler) {
  i.flags.is_volatile = read_memory_order(i, m);
  read_space(i, m);
  for (const char* word : {"nc", "ca", "cg", "cs", "lu", "cv", "wb", "wt"}) m.take(word);
  m.drop_prefixed("L1::");
  m.drop_prefixed("L2::");
  const char vector = m.take_one_of("248", {"v2", "v4", "v8"});
  i.type = m.take_type();
  if (i.type == Type::kNone || i.operands.size() < 2 || !is_address(i.operands[address])) return nullptr;
  const Operand& value = i.operands[1 - address];
  const std::size_t parts = value.kind == OperandKind::kVector ? value.parts.size() : 0;
  return parts == static_cast<std::size_t>(vector ? vector - '0' : 0) ? handler : nullptr;
}
Handler choose_ld(Instruction& i, Modifiers& m) { return choose_access(i, m, 1, &ld); }
Handler choose_st(Instruction& i, Modifiers& m) { return choose_access(i, m, 0, &st); }

void nothing(Machine&, const Instruction&) {}
Handler choose_nothing(Instruction&, Modifiers& m) {
  m.drop_prefixed("");
  return &nothing;
}
void zero(Machine& m, const Instruction& i) { write(m, i.operands[0], std::uint64_t{0}); }
Handler choose_policy(Instruction&, Modifiers& m) {
  m.drop_prefixed("");
  return &zero;
}

void to_shared(Machine& m, const Instruction& i) {
  write(m, i.operands[0],
        std::uint64_t{shared_address(reinterpret_cast<const void*>(read<std::uint64_t>(m, i.operands[1])))});
}
void from_shared(Machine& m, const Instruction& i) {
  write(m, i.operands[0], reinterpret_cast<std::uint64_t>(shared_pointer(read<std::uint32_t>(m, i.operands[1]))));
}
void same_address(Machine& m, const Instruction& i) { write(m, i.operands[0], read<std::uint64_t>(m, i.operands[1])); }
Handler choose_cvta(Instruction& i, Modifiers& m) {
  const bool to = m.take("to");
  read_space(i, m);
  i.type = m.take_type();
  return !i.flags.shared ? &same_address : to ? &to_shared : &from_shared;
}

void is_in_cluster(Machine& m, const Instruction& i) {
  const auto* address = reinterpret_cast<const void*>(read<std::uint64_t>(m, i.operands[1]));
  write(m, i.operands[0], std::uint64_t{is_cluster_shared(address)});
}
void is_space(Machine& m, const Instruction& i) {
  const auto* address = reinterpret_cast<const void*>(read<std::uint64_t>(m, i.operands[1]));
  const bool shared = is_shared_address(address);
  write(m, i.operands[0], std::uint64_t{i.flags.shared ? shared : !shared && !is_local_address(address)});
}
Handler choose_isspacep(Instruction& i, Modifiers& m) {
  if (m.take("shared::cluster")) return &is_in_cluster;
  Modifiers copy = m;
  read_space(i, m);
  return i.flags.shared || copy.take("global") ? &is_space : nullptr;
}

/// `cp.async [shared], [global], bytes, bytes_of_source`: what the source does not fill becomes zero.
void copy_async(Machine& m, const Instruction& i) {
  void* to = shared_operand(m, i.operands[0]);
  const void* from = generic_operand(m, i.operands[1]);
  const std::size_t bytes = read<std::uint32_t>(m, i.operands[2]);  // "n" operands are registers here
  if (bytes != 16 && (i.flags.variant == 'g' || (bytes != 4 && bytes != 8))) unsupported(m, i);
  const std::size_t given = i.operands.size() > 3 ? read<std::uint32_t>(m, i.operands[3]) : bytes;
  use(m);
  start_async_copy_at(to, from, bytes, given, m.pc);
}
void commit_copies(Machine&, const Instruction&) { commit_async_copies(); }
void wait_for_copies(Machine& m, const Instruction& i) { wait_for_async_copies(read<std::uint32_t>(m, i.operands[0])); }
void wait_for_all_copies(Machine&, const Instruction&) {
  commit_async_copies();
  wait_for_async_copies(0);
}

Handler choose_cp(Instruction& i, Modifiers& m) {
  if (!m.take("async")) return nullptr;
  if (m.take("commit_group")) return i.operands.empty() ? &commit_copies : nullptr;
  if (m.take("wait_all")) return i.operands.empty() ? &wait_for_all_copies : nullptr;
  if (m.take("wait_group")) return i.operands.size() == 1 ? &wait_for_copies : nullptr;
  const bool hinted = m.take("L2::cache_hint");
  m.drop_prefixed("L2::");
  i.flags.variant = m.take_one_of("ag", {"ca", "cg"});
  if (!i.flags.variant || (!m.take("shared") && !m.take("shared::cta")) || !m.take("global")) return nullptr;
  if (hinted) i.operands.pop_back();
  const std::size_t count = i.operands.size();
  return (count == 3 || count == 4) && is_address(i.operands[0]) && is_address(i.operands[1]) ? &copy_async : nullptr;
}

}  // namespace

std::vector<MnemonicRow> memory_mnemonics() {
  return {{"ld", choose_ld},
          {"ldu", choose_ld},
          {"st", choose_st},
          {"prefetch", choose_nothing},
          {"prefetchu", choose_nothing},
          {"applypriority", choose_nothing},
          {"createpolicy", choose_policy},
          {"cvta", choose_cvta},
          {"isspacep", choose_isspacep},
          {"cp", choose_cp}};
}

}  // namespace offgrid::emu::ptx

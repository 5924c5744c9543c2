#include "ptx/mnemonics.h"

#include <algorithm>
#include <unordered_map>

namespace offgrid::emu::ptx {
namespace {

constexpr std::pair<std::string_view, Type> kTypes[] = {
    {"pred", Type::kPred}, {"b8", Type::kB8},    {"b16", Type::kB16},       {"b32", Type::kB32},
    {"b64", Type::kB64},   {"u8", Type::kU8},    {"u16", Type::kU16},       {"u32", Type::kU32},
    {"u64", Type::kU64},   {"s8", Type::kS8},    {"s16", Type::kS16},       {"s32", Type::kS32},
    {"s64", Type::kS64},   {"f16", Type::kF16},  {"f16x2", Type::kF16x2},   {"bf16", Type::kBf16},
    {"f32", Type::kF32},   {"f64", Type::kF64},  {"bf16x2", Type::kBf16x2}, {"tf32", Type::kTf32},
    {"e4m3", Type::kE4m3}, {"e5m2", Type::kE5m2}};

const std::unordered_map<std::string_view, Chooser>& choosers() {
  static const auto table = [] {
    std::unordered_map<std::string_view, Chooser> all;
    for (const auto& rows : {integer_mnemonics(), bit_mnemonics(), float_mnemonics(), compare_mnemonics(),
                             convert_mnemonics(), memory_mnemonics(), atomic_mnemonics(), control_mnemonics(),
                             warp_mnemonics(), matrix_mnemonics(), multiply_mnemonics(), cluster_mnemonics()}) {
      for (const MnemonicRow& row : rows) all[row.name] = row.choose;
    }
    return all;
  }();
  return table;
}

}  // namespace

Modifiers::Modifiers(std::string_view rest) {
  while (!rest.empty()) {
    rest.remove_prefix(1);  // the dot
    const std::size_t end = std::min(rest.find('.'), rest.size());
    parts_.push_back(rest.substr(0, end));
    rest.remove_prefix(end);
  }
}

bool Modifiers::take(std::string_view name) {
  const auto found = std::find(parts_.begin(), parts_.end(), name);
  if (found == parts_.end()) return false;
  parts_.erase(found);
  return true;
}

char Modifiers::take_one_of(std::string_view initials, std::initializer_list<std::string_view> names) {
  std::size_t i = 0;
  for (std::string_view name : names) {
    if (take(name)) return initials[i];
    ++i;
  }
  return 0;
}

Type Modifiers::take_type() {
  for (auto part = parts_.begin(); part != parts_.end(); ++part) {
    for (const auto& [name, type] : kTypes) {
      if (*part != name) continue;
      parts_.erase(part);
      return type;
    }
  }
  return Type::kNone;
}

void Modifiers::drop_prefixed(std::string_view prefix) {
  std::erase_if(parts_, [&](std::string_view part) { return part.starts_with(prefix); });
}

Chooser find_chooser(std::string_view name) {
  const auto found = choosers().find(name);
  return found == choosers().end() ? nullptr : found->second;
}

void choose_handler(Instruction& instruction, std::string_view name) {
  const std::size_t dot = std::min(name.find('.'), name.size());
  const Chooser choose = find_chooser(name.substr(0, dot));
  if (!choose) return;
  Modifiers modifiers(name.substr(dot));
  const Handler handler = choose(instruction, modifiers);
  if (modifiers.empty()) instruction.handler = handler;
}

}  // namespace offgrid::emu::ptx

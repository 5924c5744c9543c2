/// From an instruction's name and modifiers to its handler.
#pragma once

#include <string_view>
#include <vector>

#include "ptx/program.h"

namespace offgrid::emu::ptx {

/// The parts of `ld.global.nc.v4.f32` behind the first, each to be taken by whoever understands it.
class Modifiers {
 public:
  explicit Modifiers(std::string_view rest);
  bool take(std::string_view name);                                                            ///< true if it was there
  char take_one_of(std::string_view initials, std::initializer_list<std::string_view> names);  ///< its initial, or 0
  Type take_type();  ///< the next type from the left, or kNone
  bool empty() const { return parts_.empty(); }
  std::string_view first() const { return parts_.empty() ? std::string_view() : parts_.front(); }
  void drop_prefixed(std::string_view prefix);  ///< all that begin so, such as "L2::"

 private:
  std::vector<std::string_view> parts_;
};

/// Chooses the handler: reads the modifiers it knows into the instruction. Null if it does not know the combination.
using Chooser = Handler (*)(Instruction& instruction, Modifiers& modifiers);

/// The chooser of a name, or null.
Chooser find_chooser(std::string_view name);

/// Sets the handler of a parsed instruction from its full name, "add.rn.ftz.f32"; leaves it null if unknown.
void choose_handler(Instruction& instruction, std::string_view name);

// One per group, each a table {name, chooser}; see the .cpp of that name.
struct MnemonicRow {
  std::string_view name;
  Chooser choose;
};
std::vector<MnemonicRow> integer_mnemonics();
std::vector<MnemonicRow> bit_mnemonics();
std::vector<MnemonicRow> float_mnemonics();
std::vector<MnemonicRow> compare_mnemonics();
std::vector<MnemonicRow> convert_mnemonics();
std::vector<MnemonicRow> memory_mnemonics();
std::vector<MnemonicRow> atomic_mnemonics();
std::vector<MnemonicRow> control_mnemonics();
std::vector<MnemonicRow> warp_mnemonics();
std::vector<MnemonicRow> matrix_mnemonics();
std::vector<MnemonicRow> multiply_mnemonics();
std::vector<MnemonicRow> cluster_mnemonics();

}  // namespace offgrid::emu::ptx

// A number for the program's code. See <offgrid/fuzz/token.h>.
#include <elf.h>
#include <offgrid/fuzz/token.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

namespace offgrid::fuzz {
namespace {

std::uint64_t fnv(std::string_view text, std::uint64_t hash = 0xcbf29ce484222325u) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

template <class T>
bool read_at(const std::string& file, std::size_t at, T& value) {
  if (at > file.size() || file.size() - at < sizeof value) return false;
  std::memcpy(&value, file.data() + at, sizeof value);
  return true;
}

// The sum over all functions of a hash of name and size: it depends neither on their order nor on their places.
std::uint64_t hash_of_functions(const std::string& file) {
  Elf64_Ehdr header;
  if (!read_at(file, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return 0;
  std::uint64_t sum = 0;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr symbols, names;
    if (!read_at(file, header.e_shoff + std::size_t{i} * header.e_shentsize, symbols)) return 0;
    if (symbols.sh_type != SHT_SYMTAB) continue;
    if (!read_at(file, header.e_shoff + std::size_t{symbols.sh_link} * header.e_shentsize, names)) return 0;
    for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      if (!read_at(file, symbols.sh_offset + at, symbol)) return 0;
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0) continue;
      const std::size_t name = names.sh_offset + symbol.st_name;
      if (name >= file.size()) return 0;
      sum += fnv(std::to_string(symbol.st_size), fnv(file.c_str() + name));
    }
  }
  return sum;
}

}  // namespace

std::uint64_t build_id() {
  static const std::uint64_t id = [] {
    std::ifstream in("/proc/self/exe", std::ios::binary);
    const std::string file{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const std::uint64_t functions = hash_of_functions(file);
    return functions ? functions : fnv(file);  // without symbols: the file itself
  }();
  return id;
}

}  // namespace offgrid::fuzz

// Reads the symbol table of the running program once: libbacktrace keeps names of functions, and only some variables.
#include "check/symbols.h"

#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace offgrid::emu::check {
namespace {

struct Entry {
  std::uintptr_t begin;
  std::size_t bytes;
  const char* name;  // in the mapped file
};

std::uintptr_t load_address() {
  std::uintptr_t at = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        *static_cast<std::uintptr_t*>(out) = info->dlpi_addr;
        return 1;
      },
      &at);
  return at;
}

/// The program's file, mapped for good. Null if it cannot be read.
const unsigned char* map_program(std::size_t& bytes) {
  const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (file < 0) return nullptr;
  struct stat status = {};
  void* p = MAP_FAILED;
  if (fstat(file, &status) == 0) {
    bytes = static_cast<std::size_t>(status.st_size);
    p = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
  }
  close(file);
  return p == MAP_FAILED ? nullptr : static_cast<const unsigned char*>(p);
}

struct Table {
  std::vector<Entry> variables, red_zones;  // by begin
};

bool names_red_zone(const char* name) { return std::strstr(name, "_offgrid_z") != nullptr; }

Table read_symbols() {
  Table table;
  std::size_t bytes = 0;
  const unsigned char* image = map_program(bytes);
  if (!image || bytes < sizeof(ElfW(Ehdr))) return table;
  const auto* header = reinterpret_cast<const ElfW(Ehdr)*>(image);
  if (header->e_shoff == 0 || header->e_shoff + header->e_shnum * sizeof(ElfW(Shdr)) > bytes) return table;
  const auto* sections = reinterpret_cast<const ElfW(Shdr)*>(image + header->e_shoff);
  const std::uintptr_t base = load_address();
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    const ElfW(Shdr)& section = sections[i];
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= header->e_shnum) continue;
    const ElfW(Shdr)& names = sections[section.sh_link];
    if (section.sh_offset + section.sh_size > bytes || names.sh_offset + names.sh_size > bytes) continue;
    const auto* symbols = reinterpret_cast<const ElfW(Sym)*>(image + section.sh_offset);
    for (std::size_t s = 0; s < section.sh_size / sizeof *symbols; ++s) {
      if ((symbols[s].st_info & 0xF) != STT_OBJECT || symbols[s].st_size == 0 || symbols[s].st_name >= names.sh_size)
        continue;
      const char* name = reinterpret_cast<const char*>(image + names.sh_offset + symbols[s].st_name);
      auto& list = names_red_zone(name) ? table.red_zones : table.variables;
      list.push_back({base + symbols[s].st_value, symbols[s].st_size, name});
    }
  }
  for (auto* list : {&table.variables, &table.red_zones}) {
    std::sort(list->begin(), list->end(), [](const Entry& a, const Entry& b) { return a.begin < b.begin; });
  }
  return table;
}

const Table& table() {
  static const Table all = read_symbols();
  return all;
}

/// The first entry that begins behind the address.
std::vector<Entry>::const_iterator behind(const std::vector<Entry>& entries, std::uintptr_t address) {
  return std::upper_bound(entries.begin(), entries.end(), address,
                          [](std::uintptr_t a, const Entry& e) { return a < e.begin; });
}

std::string demangled(const char* name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 && text ? text : name;
  std::free(text);
  return result;
}

}  // namespace

Symbol symbol_before(std::uintptr_t address) {
  const auto next = behind(table().variables, address);
  if (next == table().variables.begin()) return {};
  const Entry& entry = *std::prev(next);
  return {entry.begin, entry.bytes, demangled(entry.name)};
}

Symbol symbol_behind(std::uintptr_t address) {
  const auto next = behind(table().variables, address);
  return next == table().variables.end() ? Symbol{} : Symbol{next->begin, next->bytes, demangled(next->name)};
}

Symbol symbol_at(std::uintptr_t address) {
  const Symbol symbol = symbol_before(address);
  return address - symbol.begin < symbol.bytes ? symbol : Symbol{};
}

bool has_symbols() { return !table().variables.empty(); }

bool is_red_zone(std::uintptr_t address) {
  const auto next = behind(table().red_zones, address);
  return next != table().red_zones.begin() && address - std::prev(next)->begin < std::prev(next)->bytes;
}

}  // namespace offgrid::emu::check

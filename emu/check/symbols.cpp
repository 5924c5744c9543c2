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

std::vector<Entry> read_symbols() {
  std::vector<Entry> entries;
  std::size_t bytes = 0;
  const unsigned char* image = map_program(bytes);
  if (!image || bytes < sizeof(ElfW(Ehdr))) return entries;
  const auto* header = reinterpret_cast<const ElfW(Ehdr)*>(image);
  if (header->e_shoff == 0 || header->e_shoff + header->e_shnum * sizeof(ElfW(Shdr)) > bytes) return entries;
  const auto* sections = reinterpret_cast<const ElfW(Shdr)*>(image + header->e_shoff);
  const std::uintptr_t base = load_address();
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    const ElfW(Shdr)& table = sections[i];
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= header->e_shnum) continue;
    const ElfW(Shdr)& names = sections[table.sh_link];
    if (table.sh_offset + table.sh_size > bytes || names.sh_offset + names.sh_size > bytes) continue;
    const auto* symbols = reinterpret_cast<const ElfW(Sym)*>(image + table.sh_offset);
    for (std::size_t s = 0; s < table.sh_size / sizeof *symbols; ++s) {
      if ((symbols[s].st_info & 0xF) != STT_OBJECT || symbols[s].st_size == 0 || symbols[s].st_name >= names.sh_size)
        continue;
      entries.push_back({base + symbols[s].st_value, symbols[s].st_size,
                         reinterpret_cast<const char*>(image + names.sh_offset + symbols[s].st_name)});
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.begin < b.begin; });
  return entries;
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = read_symbols();
  return all;
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
  auto next = std::upper_bound(entries().begin(), entries().end(), address,
                               [](std::uintptr_t a, const Entry& e) { return a < e.begin; });
  if (next == entries().begin()) return {};
  const Entry& entry = *std::prev(next);
  return {entry.begin, entry.bytes, demangled(entry.name)};
}

Symbol symbol_at(std::uintptr_t address) {
  const Symbol symbol = symbol_before(address);
  return address - symbol.begin < symbol.bytes ? symbol : Symbol{};
}

bool has_symbols() { return !entries().empty(); }

}  // namespace offgrid::emu::check

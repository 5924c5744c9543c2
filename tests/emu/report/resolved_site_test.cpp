#include "report/resolved_site.h"

#include <dlfcn.h>
#include <offgrid/emu/report.h>

#include "catch.h"

using namespace offgrid::emu;

namespace {

/// An address inside the call of this function, and the line on which it is called.
[[gnu::noinline]] std::uintptr_t address_of_caller() {
  return reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1;
}

struct Marked {
  std::uintptr_t pc;
  int line;
};

[[gnu::noinline]] Marked marked_function() {
  const Marked marked{address_of_caller(), __LINE__};
  asm volatile("" ::: "memory");  // no tail call
  return marked;
}

[[gnu::always_inline]] inline Marked inlined_helper() {
  const Marked marked{address_of_caller(), __LINE__};
  asm volatile("" ::: "memory");
  return marked;
}

[[gnu::noinline]] Marked outer_function() { return inlined_helper(); }
constexpr int kOuterLine = __LINE__ - 1;

}  // namespace

TEST_CASE("SourceResolver.FindsFileLineAndFunction") {
  if (!can_resolve_lines()) return;
  const Marked marked = marked_function();
  const ResolvedSite site = resolve_site({"read", {}, marked.pc, "detail"});
  CHECK(site.file.find("resolved_site_test.cpp") != std::string::npos);
  CHECK(site.line == static_cast<unsigned>(marked.line));
  CHECK(site.function.find("marked_function") != std::string::npos);
  CHECK(site.role == "read");
  CHECK(site.detail == "detail");
}

TEST_CASE("SourceResolver.ListsInlinedFramesInnermostFirst") {
  if (!can_resolve_lines()) return;
  const Marked marked = outer_function();
  const ResolvedSite site = resolve_site({"read", {}, marked.pc, ""});
  CHECK(site.line == static_cast<unsigned>(marked.line));
  CHECK(site.function.find("inlined_helper") != std::string::npos);
  REQUIRE(site.callers.size() == 1);
  CHECK(site.callers[0].frame.line == static_cast<unsigned>(kOuterLine));
  CHECK(site.callers[0].frame.function.find("outer_function") != std::string::npos);
  CHECK(site.callers[0].inlined);
}

TEST_CASE("SourceResolver.NamesTheSymbolWhereNoLineIsKnown") {
  void* const symbol = dlsym(RTLD_DEFAULT, "getpid");
  REQUIRE(symbol != nullptr);
  const ResolvedSite site = resolve_site({"read", {}, reinterpret_cast<std::uintptr_t>(symbol) + 1, ""});
  CHECK(site.function.find("getpid+0x1 in libc.so") != std::string::npos);
}

TEST_CASE("SourceResolver.ShowsTheCallersLineForCodeOfSystemLibraries") {
  if (!can_resolve_lines()) return;
  const Marked marked = marked_function();
  const auto getpid_pc = reinterpret_cast<std::uintptr_t>(dlsym(RTLD_DEFAULT, "getpid")) + 1;
  FindingSite in_library{"read", {}, getpid_pc, ""};
  in_library.callers = {marked.pc, marked.pc};
  const ResolvedSite site = resolve_site(in_library);
  CHECK(site.line == static_cast<unsigned>(marked.line));
  CHECK(site.function.find("marked_function") != std::string::npos);
  CHECK(site.through.find("getpid+0x1 in libc.so") != std::string::npos);
  REQUIRE(site.callers.size() == 1);
  CHECK_FALSE(site.callers[0].inlined);
}

TEST_CASE("TextReport.CountsARunOfEqualCallers") {
  if (!can_resolve_lines()) return;
  const Marked marked = marked_function();
  FindingSite site{"at", {}, marked.pc, ""};
  site.callers = {marked.pc, marked.pc, marked.pc};
  Finding finding;
  finding.id = FindingId::kStackOverflow;
  finding.sites = {site};
  const std::string text = format_finding(finding);
  CHECK(text.find("   = called from ") != std::string::npos);
  CHECK(text.find(std::to_string(marked.line) + ", 3 times\n") != std::string::npos);
}

TEST_CASE("SourceResolver.SaysSoIfAnAddressBelongsToNothing") {
  CHECK(resolve_site({"read", {}, 0x10, ""}).function == "code that belongs to no module");
}

TEST_CASE("SourceResolver.PrefersTheLineKnownAtCompileTime") {
  const ResolvedSite site = resolve_site({"wait", {"k.cu", 12}, 0x10, ""});
  CHECK(site.file == "k.cu");
  CHECK(site.line == 12);
  CHECK(site.function.empty());
}

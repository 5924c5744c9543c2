// Lines with volatile accesses, as LLVM code tells them.
#include "cli/cc/volatile_lines.h"

#include "catch.h"

namespace offgrid::emu::cli {
namespace {

TEST_CASE("VolatileLines.MentionedByTheUser") {
  const auto mentions = [](const std::string& text) { return mentions_volatile(text, {"/our/include"}); };
  CHECK(mentions("# 1 \"a.cu\"\nvolatile int* p;\n"));
  CHECK_FALSE(mentions("# 1 \"a.cu\"\nint* p; const char* s = \"volatile\";\n"));
  CHECK_FALSE(mentions("# 1 \"a.cu\"\nasm volatile(\"\"); __asm__ __volatile__(\"\");\n"));
  CHECK(mentions("# 1 \"a.cu\"\nasm volatile(\"\"); int volatile x;\n"));
  CHECK_FALSE(mentions("# 1 \"/usr/include/a.h\" 1 3\nvolatile int* p;\n# 2 \"a.cu\" 2\nint x;\n"));
  CHECK_FALSE(mentions("# 1 \"/our/include/a.h\" 1\nvolatile int* p;\n# 2 \"a.cu\" 2\nint x;\n"));
  CHECK(mentions("# 1 \"/our/include2/a.h\" 1\nvolatile int* p;\n"));
}

constexpr const char* kCode = R"(define void @f(ptr %p) !dbg !10 {
  %q = load ptr, ptr %p, align 8, !dbg !20
  %v = load volatile i32, ptr %q, align 4, !dbg !21
  store volatile i32 1, ptr %q, align 4, !dbg !22
  store volatile i32 2, ptr %q, align 4, !dbg !22
  store i32 1, ptr %q, align 4, !dbg !23
}
!1 = !DIFile(filename: "a\22.cu", directory: "/src")
!2 = !DIFile(filename: "/lib/b.h", directory: "/src", checksumkind: CSK_MD5, checksum: "00")
!10 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 3, unit: !0)
!11 = distinct !DILexicalBlock(scope: !10, file: !1, line: 4, column: 3)
!12 = !DILexicalBlockFile(scope: !11, file: !2, discriminator: 0)
!20 = !DILocation(line: 4, column: 9, scope: !10)
!21 = !DILocation(line: 5, column: 9, scope: !11)
!22 = !DILocation(line: 16, column: 9, scope: !12, inlinedAt: !20)
!23 = !DILocation(line: 7, column: 9, scope: !10)
)";

TEST_CASE("VolatileLines.OfCode") {
  const std::vector<VolatileLine> expected{{"/lib/b.h", 16, true}, {"/src/a\".cu", 5, false}};
  CHECK((volatile_lines(kCode) == expected));
  CHECK(volatile_lines("").empty());
}

TEST_CASE("VolatileLines.AsAList") {
  CHECK(volatile_list({}).empty());
  const std::string list = volatile_list({{"/src/a\".cu", 5, false}, {"/src/b.cu", 6, true}});
  CHECK(list.find("{\"/src/a\\\".cu\", 5, false},\n  {\"/src/b.cu\", 6, true},\n") != std::string::npos);
  CHECK(list.find("offgrid_note_volatile_lines(offgrid_volatile_lines, 2);") != std::string::npos);
}

}  // namespace
}  // namespace offgrid::emu::cli

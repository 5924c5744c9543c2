#include "report/source_excerpt.h"

#include "catch.h"
#include "scratch_file.h"

using namespace offgrid::emu;
using offgrid::test::ScratchFile;

TEST_CASE("SourceExcerpt.ShowsTheLineBehindItsNumber") {
  const ScratchFile source("excerpt.cu", "first\n\tsecond;  \r\n\n" + std::string(200, 'x') + "\n");
  CHECK(source_excerpt(source.path(), 1, "") == "1 | first\n");
  CHECK(source_excerpt(source.path(), 2, "") == "2 |     second;\n");
  CHECK(source_excerpt(source.path(), 4, "") == "4 | " + std::string(137, 'x') + "...\n");
  CHECK(source_excerpt(source.name(), 1, source.folder()) == "1 | first\n");
}

TEST_CASE("SourceExcerpt.IsEmptyIfThereIsNothingToShow") {
  const ScratchFile source("excerpt.cu", "first\n\n");
  CHECK(source_excerpt(source.path(), 0, "").empty());
  CHECK(source_excerpt(source.path(), 2, "").empty());
  CHECK(source_excerpt(source.path(), 3, "").empty());
  CHECK(source_excerpt("/nonexistent/k.cu", 1, "").empty());
  CHECK(source_excerpt("", 1, "").empty());
}

TEST_CASE("SourceExcerpt.ShowsPathsRelativeOnlyBelowTheBase") {
  CHECK(display_path("/a/b/src/k.cu", "/a/b") == "src/k.cu");
  CHECK(display_path("/a/b/src/../k.cu", "/a/b") == "k.cu");
  CHECK(display_path("/a/bc/k.cu", "/a/b") == "/a/bc/k.cu");
  CHECK(display_path("src/k.cu", "/a/b") == "src/k.cu");
  CHECK(display_path("/a/b/k.cu", "") == "/a/b/k.cu");
}

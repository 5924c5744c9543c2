#include "golden.h"

#include "catch.h"
#include "scratch_file.h"

using offgrid::test::golden_difference;
using offgrid::test::normalise;
using offgrid::test::ScratchFile;

TEST_CASE("Golden.NormalisesAddressesButNotLaneMasks") {
  CHECK(normalise("at 0x7ffff7a01230, mask 0xffffffff of 0xffffffffffffffff") ==
        "at 0x<address>, mask 0xffffffff of 0xffffffffffffffff");
}

TEST_CASE("Golden.NormalisesPaths") {
  CHECK(normalise("/b/x/a.cu:3 and /b/x/b.cu", {{"/b/x", "<build>"}}) == "<build>/a.cu:3 and <build>/b.cu");
}

TEST_CASE("Golden.NamesTheFirstLineThatDiffers") {
  const ScratchFile golden("golden.txt", "one\ntwo\nthree\n");
  CHECK(golden_difference("one\ntwo\nthree\n", golden.path()).empty());
  const std::string difference = golden_difference("one\n2\nthree\n", golden.path());
  CHECK(difference.find(":2: differs\n  want two\n  got  2\n") != std::string::npos);
  CHECK(golden_difference("one\ntwo\n", golden.path()).find(":3: differs\n  want three\n  got  (end)\n") !=
        std::string::npos);
}

// Laws of rewriting that hold for any text.
#include "catch.h"
#include "golden.h"

namespace offgrid::emu::rewrite {
namespace {

constexpr std::string_view kNasty[] = {
    "const char* a = R\"x(k<<<1, 2>>>(\")x\"; // __global__ void f() {\n",
    "auto b = u8R\"(}\n}\n{)\"; char c = '{', d = '\\'', e = '\"', f = L'}';\n",
    "/* __shared__ int x; /* ( */ int g; // ( \\\n { continued\nint h;\n",
    "//*** a comment that opens nothing\nint i = 1'000'000 + 0x1.8p+3 + 1e-5;\n",
    "#define M(x) { ( \\\n  x\nint j = 2;\n",
    "struct S { S& operator<<(int); S& operator>>(int); bool operator()(int) const; };\n",
    "int k = a << b, l = a <<b<< c, m = x >> 3; A<B<C<int>>> n; bool o = p<q>(r);\n",
    "%:define X\nint t[] <% 1, 2 %>; int u = t<:0:>; std::vector<::std::string> v;\n",
    "# 5 \"other.h\" 1 3\nint w = 0;\n# 12 \"k.cu\" 2\nint x;\n",
};

TEST_CASE("Text.WithoutOurWordsIsUnchanged") {
  for (std::string_view text : kNasty) CHECK(rewritten(text) == text);
}

TEST_CASE("Text.NextToOurWordsIsUnchanged") {
  for (std::string_view text : kNasty)
    CHECK(rewritten(std::string(text) + "__host__ int y;") == std::string(text) + " int y;");
}

TEST_CASE("Text.LinesStay") {
  for (std::string_view text :
       {"__global__\nvoid __launch_bounds__(\n 4)\nk(\n int,\n int b =\n 3)\n{\n}\n",
        "__device__ void f()\n{ __shared__\n float\n a[2],\n b; extern __shared__ int\n c[];\n}\n",
        "void f() {\n k<\n T><<<g,\n\n b>>>(\n); }\n", "__device__ int f() { return threadIdx\n.\nx; }\n"}) {
    CHECK(lines(rewritten(text)) == lines(text));
  }
}

TEST_CASE("Text.LinesOfMarkersAreReported") {
  CHECK(rewritten("# 40 \"a.h\"\n\n__device__ void f() {\n__shared__ int x = 1; }\n") ==
        "42: a __shared__ variable cannot have an initializer");
}

TEST_CASE("Text.UnbalancedBracketsAreErrors") {
  CHECK(rewritten("__global__ void k() {\n(\n}\n") == "3: unbalanced brackets: '}' cannot close the '(' of line 2");
  CHECK(rewritten("__global__ void k() {\n") == "1: unbalanced brackets: '{' is never closed");
  CHECK(rewritten("__host__ int x;\n)\n") == "2: unbalanced brackets: nothing open for ')'");
}

TEST_CASE("Text.ErrorNamesTheMarkersFile") {
  const RewriteResult result = rewrite("# 3 \"dir/a \\\"b\\\".cu\"\n__global__ void k() {", {});
  REQUIRE(result.errors.size() == 1);
  CHECK(result.errors[0].file == "dir/a \"b\".cu");
  CHECK(result.errors[0].line == 3);
}

}  // namespace
}  // namespace offgrid::emu::rewrite

// The text that launches become.
#include "catch.h"
#include "golden.h"

namespace offgrid::emu::rewrite {
namespace {

std::string launched(const std::string& configuration, const std::string& call, int line = 1) {
  return "(::offgrid::emu::configure_launch({\"k.cu\", " + std::to_string(line) + "}, " + configuration + "), " + call +
         ")";
}

TEST_CASE("Launches.Plain") {
  CHECK(rewritten("void f() { k<<<g, b>>>(x, y); }") == "void f() { " + launched("g, b", "k(x, y)") + "; }");
  CHECK(rewritten("void f() { k <<< g, b, sm, st >>> (); }") ==
        "void f() { " + launched("g, b, sm, st", "k  ()") + "; }");
}

TEST_CASE("Launches.KernelExpressions") {
  CHECK(rewritten("f(n::S<int>::k<4, A<B<int>>><<<1, 2>>>(x))") ==
        "f(" + launched("1, 2", "n::S<int>::k<4, A<B<int>>>(x)") + ")");
  CHECK(rewritten("::k<(a > b), (1 << 3)><<<1, 2>>>()") == launched("1, 2", "::k<(a > b), (1 << 3)>()"));
  CHECK(rewritten("this->k<<<1, 2>>>()") == launched("1, 2", "this->k()"));
  CHECK(rewritten("o.p->template k<T><<<1, 2>>>()") == launched("1, 2", "o.p->template k<T>()"));
  CHECK(rewritten("(*f)<<<1, 2>>>()") == launched("1, 2", "(*f)()"));
  CHECK(rewritten("fn[i][j + 1]<<<1, 2>>>()") == launched("1, 2", "fn[i][j + 1]()"));
  CHECK(rewritten("get(x)<<<1, 2>>>()") == launched("1, 2", "get(x)()"));
  CHECK(rewritten("return (k<int>)<<<1, 2>>>();") == "return " + launched("1, 2", "(k<int>)()") + ";");
}

TEST_CASE("Launches.Configurations") {
  CHECK(rewritten("k<<<{1, 2}, dim3(n >> 1, (a < b)), sizeof(T) * 4>>>()") ==
        launched("{1, 2}, dim3(n >> 1, (a < b)), sizeof(T) * 4", "k()"));
  CHECK(rewritten("k<<<1, kBlock<N>>>>()") == launched("1, kBlock<N>", "k()"));
}

TEST_CASE("Launches.ConfigurationOverLinesMovesToOne") {
  CHECK(rewritten("k<T,\n  U><<<\n  g, // grid\n  b\n>>>(x,\n  y);\n") ==
        launched("g, b", "k<T,\n  U>\n   // grid\n  \n(x,\n  y)") + ";\n");
}

TEST_CASE("Launches.Statements") {
  CHECK(rewritten("if (a) k<<<1, 2>>>(); else k<<<3, 4>>>(), z();") ==
        "if (a) " + launched("1, 2", "k()") + "; else " + launched("3, 4", "k()") + ", z();");
}

TEST_CASE("Launches.ArgumentsKeepNestedCalls") {
  CHECK(rewritten("k<<<1, 2>>>(f(a), [&] { return g(b); }())") == launched("1, 2", "k(f(a), [&] { return g(b); }())"));
}

TEST_CASE("Launches.ShiftsAndTemplatesAreNone") {
  for (const char* text : {"int a = 1 << 3;", "x >> > y;", "std::cout << 1 << 2;", "A<B<C<int>>> x;",
                           "ostream& operator<<(S);", "a<<b<<c;", "a <<= 1, b >>= 2;"}) {
    CHECK(rewritten(text) == text);
  }
}

TEST_CASE("Launches.InsideALaunchAreErrors") {
  const std::string rest = " of a launch is not supported; make it a statement of its own before";
  CHECK(rewritten("k<<<1, 2>>>(a,\n(j<<<1, 2>>>(), b))") == "2: a launch inside the arguments" + rest);
  CHECK(rewritten("\nk<<<(j<<<1, 2>>>(), 1), 2>>>()") == "2: a launch inside the configuration" + rest);
  CHECK(rewritten("k<<<1, 2>>>([] { j<<<3, 4>>>(); })") ==
        launched("1, 2", "k([] { " + launched("3, 4", "j()") + "; })"));
  CHECK(rewritten("k<<<1, 2>>>(1 <<(3))") == launched("1, 2", "k(1 <<(3))"));
}

TEST_CASE("Launches.MissingPartsAreErrors") {
  CHECK(rewritten("\nk<<<>>>(x);") == "2: a launch needs a grid and a block size: <<<grid, block>>>");
  CHECK(rewritten("\n\n= <<<1, 2>>>(x);") == "3: cannot find the kernel in front of '<<<'");
}

}  // namespace
}  // namespace offgrid::emu::rewrite

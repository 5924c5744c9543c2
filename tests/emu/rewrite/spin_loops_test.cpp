// Which loops of device code give others a turn, and where the call stands.
#include "catch.h"
#include "golden.h"

namespace offgrid::emu::rewrite {
namespace {

const std::string kTurn = "::offgrid::emu::take_turn();";
const std::string kLoopTurn = "::offgrid::emu::take_loop_turn();";

std::string device(const std::string& text) { return rewritten("__device__ void f() { " + text + " }"); }
std::string function(const std::string& text) { return " void f() { " + text + " }"; }

void check_unchanged(const std::string& text) {
  INFO(text);
  CHECK(device(text) == function(text));
}

TEST_CASE("SpinLoops.WhileWithoutABody") {
  CHECK(device("while (*flag == 0) {}") == function("while (*flag == 0) { " + kTurn + "}"));
  CHECK(device("while (*flag == 0);") == function("while (*flag == 0){ " + kTurn + " ; }"));
  CHECK(device("while (*flag == 0)\n  ;\n") == function("while (*flag == 0)\n  { " + kTurn + " ; }\n"));
}

TEST_CASE("SpinLoops.WhileAroundOneStatement") {
  CHECK(device("while (v != k) v = *flag;") == function("while (v != k) { " + kTurn + " v = *flag; }"));
  CHECK(device("while (true) { if (*flag) break; }") == function("while (true) { " + kTurn + " if (*flag) break; }"));
  CHECK(device("while (v != k) { v = load<int>({flag, 1}); }") ==
        function("while (v != k) { " + kTurn + " v = load<int>({flag, 1}); }"));
  CHECK(device("while (1) if (*flag) { x = 1; break; } else nap(); y();") ==
        function("while (1) { " + kTurn + " if (*flag) { x = 1; break; } else nap(); } y();"));
  CHECK(device("while (!done) [[likely]] { nap(); }") == function("while (!done) [[likely]] { " + kTurn + " nap(); }"));
  CHECK(device("while (!done) [[likely]] nap();") == function("while (!done) { " + kTurn + " [[likely]] nap(); }"));
}

TEST_CASE("SpinLoops.DoWhile") {
  CHECK(device("do { v = *flag; } while (v != k);") == function("do { " + kTurn + " v = *flag; } while (v != k);"));
  CHECK(device("do v = *flag; while (v != k); g();") ==
        function("do { " + kTurn + " v = *flag; } while (v != k); g();"));
  CHECK(device("do ; while (*flag == 0);") == function("do { " + kTurn + " ; } while (*flag == 0);"));
  CHECK(device("do if (a) b(); else c(); while (*flag == 0);") ==
        function("do { " + kTurn + " if (a) b(); else c(); } while (*flag == 0);"));
}

TEST_CASE("SpinLoops.TailsOfLongDoLoopsStay") {
  check_unchanged("do { a(); b(); } while (*flag == 0);");
  check_unchanged("do { STEP; } while (0);");
  check_unchanged("do { x(); } while (false);");
  check_unchanged("do try { a(); } catch (...) { b(); c(); d(); e(); } while (*flag == 0);");
  check_unchanged("switch (x) { do case 1: a(); while (*flag == 0); }");
}

TEST_CASE("SpinLoops.ForWithoutAThirdPart") {
  CHECK(device("for (;;) if (*flag) break;") == function("for (;;) { " + kTurn + " if (*flag) break; }"));
  CHECK(device("for (;;) { int v = *flag; if (v == k) break; if (v < 0) return; }") ==
        function("for (;;) { " + kTurn + " int v = *flag; if (v == k) break; if (v < 0) return; }"));
  CHECK(device("for (int v = 0; v != k;) v = *flag;") ==
        function("for (int v = 0; v != k;) { " + kTurn + " v = *flag; }"));
  CHECK(device("for (int v = *f; v == 0; v = *f) {}") == function("for (int v = *f; v == 0; v = *f) { " + kTurn + "}"));
}

TEST_CASE("SpinLoops.ElseAndIfConstexpr") {
  CHECK(device("if (a) b(); else while (*flag == 0); c();") ==
        function("if (a) b(); else while (*flag == 0){ " + kTurn + " ; } c();"));
  CHECK(device("if (a) while (*flag == 0); else b();") ==
        function("if (a) while (*flag == 0){ " + kTurn + " ; } else b();"));
  CHECK(device("while (true) if constexpr (kWait) { if (*flag) break; } else return;") ==
        function("while (true) { " + kTurn + " if constexpr (kWait) { if (*flag) break; } else return; }"));
  CHECK(device("if constexpr (kWait) while (*flag == 0) {}") ==
        function("if constexpr (kWait) while (*flag == 0) { " + kTurn + "}"));
}

TEST_CASE("SpinLoops.LambdasAndKernels") {
  CHECK(device("auto l = [&] { while (*flag == 0) {} };") ==
        function("auto l = [&] { while (*flag == 0) { " + kTurn + "} };"));
  CHECK(rewritten("__global__ void k(int* p) { while (*p == 0) {} }").find("while (*p == 0) { " + kTurn + "}") !=
        std::string::npos);
  CHECK(device("while (*flag == 0) k<<<1, 2>>>();") ==
        function("while (*flag == 0) { " + kTurn + " (::offgrid::emu::configure_launch({\"k.cu\", 1}, 1, 2), k()); }"));
}

TEST_CASE("SpinLoops.LoopsThatComputeTakeRarerTurns") {
  for (const char* body : {"++n;", "n--;", "n += *flag;", "n <<= 1;", "n >>= 1;", "n = n / 2;", "p = p->next;",
                           "a[i] = a[j] + 1;", "if (++n > 10) { x = 1; return; }"}) {
    INFO(body);
    CHECK(device(std::string("while (c(n)) ") + body) ==
          function(std::string("while (c(n)) { ") + kLoopTurn + " " + body + " }"));
  }
  CHECK(device("while (n-- > 0) *a = 0;") == function("while (n-- > 0) { " + kLoopTurn + " *a = 0; }"));
  for (const char* body : {"v = *flag;", "v = a <= b;", "v = x >= 1;", "v = f == g;", "v = f != g;", "a[i] = b[i];"}) {
    INFO(body);
    CHECK(device(std::string("while (v) ") + body) ==
          function(std::string("while (v) { ") + kTurn + " " + body + " }"));
  }
}

TEST_CASE("SpinLoops.OtherLoopsStay") {
  for (const char* text :
       {"for (int i = 0; i < n; ++i) s += a[i];", "for (int i = 0; i < n; ++i) { s += a[i]; }",
        "for (int x : xs) f(x);", "for (auto y = ys(); int x : y) f(x);", "while (i < n) { s += a[i]; i += stride; }",
        "while (a) { for (int i = 0; i < n; ++i) f(i); }", "for (;;) { a(); b(); c(); if (d) break; }",
        "while (b != 0) { int t = a % b; a = b; b = t; }"}) {
    check_unchanged(text);
  }
}

TEST_CASE("SpinLoops.HostLoopsStay") {
  const std::string host = "void h() { while (*flag == 0) {} }";
  CHECK(rewritten("__device__ int d; " + host) == " int d; " + host);
}

}  // namespace
}  // namespace offgrid::emu::rewrite

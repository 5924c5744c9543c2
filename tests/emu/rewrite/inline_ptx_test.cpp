// The calls that asm statements of device code become.
#include "catch.h"
#include "golden.h"

namespace offgrid::emu::rewrite {
namespace {

/// A call with the given text and operands.
std::string executed(const std::string& rest) {
  return "::offgrid::emu::ptx::execute([]() -> ::offgrid::emu::ptx::Site& { static ::offgrid::emu::ptx::Site "
         "site{{\"k.cu\", 1}}; return site; }(), " +
         rest + ")";
}
std::string device(const std::string& text) { return rewritten("__device__ void f() { " + text + " }"); }
std::string function(const std::string& text) { return " void f() { " + text + " }"; }

TEST_CASE("InlinePtx.OutputsAndInputs") {
  CHECK(device("asm(\"add %0, %1, %2;\" : \"=r\"(x) : \"r\"(a + 1), \"r\"(threadIdx.x));") ==
        function(executed("\"add %0, %1, %2;\"  , ::offgrid::emu::ptx::output(\"=r\", (x))  , "
                          "::offgrid::emu::ptx::input(\"r\", (a + 1)) , ::offgrid::emu::ptx::input(\"r\", "
                          "(::offgrid_thread_x()))") +
                 ";"));
}

TEST_CASE("InlinePtx.DoubleColonIsAnEmptySection") {
  CHECK(device("asm volatile(\"st [%0], %1;\" :: \"l\"(p), \"f\"(v) : \"memory\");") ==
        function(
            executed("\"st [%0], %1;\"  , ::offgrid::emu::ptx::input(\"l\", (p)) , ::offgrid::emu::ptx::input(\"f\", "
                     "(v)) ")
                .insert(28, " ") +
            ";"));
}

TEST_CASE("InlinePtx.NamesAndStringsInPieces") {
  CHECK(device("asm(\"mov \" \"%[d], 1;\" : [d] \"=r\"(x));") ==
        function(executed("\"mov \" \"%[d], 1;\"   , ::offgrid::emu::ptx::output(\"=r\", (x), \"d\")") + ";"));
}

TEST_CASE("InlinePtx.NoOperands") { CHECK(device("asm(\"trap;\");") == function(executed("\"trap;\"") + ";")); }

TEST_CASE("InlinePtx.CompilerBarriersStay") {
  for (const char* text :
       {"asm volatile(\"\" ::: \"memory\");", "asm volatile(\"\\n\" : \"+r\"(x));", "__asm__ (\" \");"}) {
    CHECK(device(text) == function(text));
  }
}

TEST_CASE("InlinePtx.HostStatementsStay") {
  const std::string text = "void g() { asm volatile(\"rdtsc\" : \"=a\"(x)); }";
  CHECK(rewritten("__device__ int d; " + text) == " int d; " + text);
  for (const char* marker : {"# 1 \"/usr/include/x.h\" 1 3\n", "# 1 \"/native/x.h\" 1\n"}) {
    CHECK(rewritten(marker + std::string("__device__ void f() { asm(\"nop\"); }")) ==
          marker + std::string(" void f() { asm(\"nop\"); }"));
  }
}

TEST_CASE("InlinePtx.GotoIsAnError") {
  CHECK(device("asm goto(\"bra %l0;\" : : : : out);") == "1: asm goto is not supported in device code");
}

}  // namespace
}  // namespace offgrid::emu::rewrite

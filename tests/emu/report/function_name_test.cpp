#include "catch.h"
#include "report/source_resolver.h"

using offgrid::emu::short_function_name;

TEST_CASE("FunctionName.DropsReturnTypeAndParameters") {
  CHECK(short_function_name("_Z4copyPKfPfi") == "copy");
  CHECK(short_function_name("void k<16, (Mode)1>(float const*, int)") == "k<16, (Mode)1>");
  CHECK(short_function_name("(anonymous namespace)::load(int*)") == "(anonymous namespace)::load");
}

TEST_CASE("FunctionName.ShowsTheKernelInsteadOfItsBodysLambda") {
  CHECK(short_function_name("_ZZ4copyPKfPfiENKUlS0_S1_iE_clES0_S1_i") == "copy");
  CHECK(short_function_name("_ZZ5buggyPiENK3$_0clES_") == "buggy");
  CHECK(short_function_name("void k<3>(int*)::{lambda(int*)#1}::operator()(int*) const") == "k<3>");
  CHECK(short_function_name(
            "ns::k(int*)::{lambda(int*)#1}::operator()(int*) const::{lambda(int)#2}::operator()(int) const") ==
        "ns::k");
}

TEST_CASE("FunctionName.IsEmptyForALambdaOfAnUnknownFunction") { CHECK(short_function_name("operator()").empty()); }

TEST_CASE("FunctionName.KeepsOperatorsAndPlainSymbols") {
  CHECK(short_function_name("Half::operator bool() const") == "Half::operator bool() const");
  CHECK(short_function_name("main") == "main");
  CHECK(short_function_name("memcpy") == "memcpy");
}

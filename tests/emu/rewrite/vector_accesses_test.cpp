// Which accesses are told of in checked mode, and where the call stands.
#include <string>

#include "catch.h"
#include "rewrite/rewrite.h"

namespace offgrid::emu::rewrite {
namespace {

std::string rewritten(const std::string& text, bool checked) {
  RewriteOptions options;
  options.checked = checked;
  return rewrite(text, options).text;
}

std::string device(const std::string& text) { return rewritten("__device__ void f() { " + text + " }", true); }
std::string function(const std::string& text) { return rewritten("__device__ void f() { " + text + " }", false); }
std::string read(const std::string& access) { return "::offgrid::emu::vector_read(" + access + ")"; }
std::string write(const std::string& access) { return "::offgrid::emu::vector_write(" + access + ")"; }

void check_unchanged(const std::string& text) {
  INFO(text);
  CHECK(device(text) == function(text));
}

TEST_CASE("VectorAccesses.CastsThatAreDereferenced") {
  CHECK(device("v = *reinterpret_cast<const float4*>(x + i);") ==
        function("v = " + read("*reinterpret_cast<const float4*>(x + i)") + ";"));
  CHECK(device("*reinterpret_cast<uint2*>(y) = v;") == function(write("*reinterpret_cast<uint2*>(y)") + " = v;"));
  CHECK(device("g(*(Pack<T, 8>*)&x[4 * i], 1);") == function("g(" + read("*(Pack<T, 8>*)&x[4 * i]") + ", 1);"));
  CHECK(device("return *(const int4 *)(x + 1);") == function("return " + read("*(const int4 *)(x + 1)") + ";"));
}

TEST_CASE("VectorAccesses.CastsThatAreIndexed") {
  CHECK(device("v = reinterpret_cast<float4*>(x)[i];") ==
        function("v = " + read("reinterpret_cast<float4*>(x)[i]") + ";"));
  CHECK(device("((float2*)x)[i] = v;") == function(write("((float2*)x)[i]") + " = v;"));
}

TEST_CASE("VectorAccesses.NamesOfPointers") {
  CHECK(device("const float4* p = q; v = p[i]; w = *p;") ==
        function("const float4* p = q; v = " + read("p[i]") + "; w = " + read("*p") + ";"));
  CHECK(device("auto* p = reinterpret_cast<float4*>(x); p[i] = v;") ==
        function("auto* p = reinterpret_cast<float4*>(x); " + write("p[i]") + " = v;"));
}

TEST_CASE("VectorAccesses.WhatIsLeftAlone") {
  check_unchanged("float4* p = q; x = p[i].x; y = p->y; r = &p[i]; r = (float*)&p[i];");  // members, addresses
  check_unchanged("float4 *p = a, *q = b;");
  check_unchanged("{ float4* p; } float4 p[8]; const float4 q, *p[2];");  // the same name for arrays
  check_unchanged("float* p = q; v = p[i]; w = *p; x = a * p[i];");
  check_unchanged("v = (float4*)x; w = reinterpret_cast<float4*>(x) + i;");
  CHECK(rewritten("void f(const float4* p) { v = *p; }\n__device__ void g();", true) ==
        rewritten("void f(const float4* p) { v = *p; }\n__device__ void g();", false));  // the host's code
}

}  // namespace
}  // namespace offgrid::emu::rewrite

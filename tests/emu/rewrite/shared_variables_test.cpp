// The text that __shared__ declarations become.
#include "catch.h"
#include "golden.h"

namespace offgrid::emu::rewrite {
namespace {

std::string type_of(const std::string& n) {
  return ", ::offgrid::emu::element_type_of(static_cast<" + n + "_offgrid_t*>(nullptr))}";
}

/// The static variable and the reference behind the typedef of `name`.
std::string placed(const std::string& n, int line = 1) {
  return " static ::offgrid::emu::SharedVariable " + n + "_offgrid_v{\"" + n + "\", {\"k.cu\", " +
         std::to_string(line) + "}, sizeof(" + n + "_offgrid_t), alignof(" + n + "_offgrid_t)" + type_of(n) + "; " + n +
         "_offgrid_t& " + n + " = *static_cast<" + n + "_offgrid_t*>(" + n + "_offgrid_v.address());";
}

std::string dynamic(const std::string& n) {
  return " " + n + "_offgrid_t& " + n + " = *static_cast<" + n + "_offgrid_t*>(::offgrid::emu::dynamic_shared());";
}

std::string in_function(const std::string& text) { return rewritten("void f() { " + text + " }"); }
std::string function(const std::string& text) { return "void f() { " + text + " }"; }

TEST_CASE("SharedVariables.Arrays") {
  CHECK(in_function("__shared__ float s[16][17];") == function("typedef  float s_offgrid_t[16][17];" + placed("s")));
  CHECK(in_function("__shared__ int n;") == function("typedef  int n_offgrid_t;" + placed("n")));
}

TEST_CASE("SharedVariables.SeveralDeclarators") {
  CHECK(
      in_function("__shared__ float a[2], *p, b;") ==
      function("typedef  float a_offgrid_t[2], *p_offgrid_t, b_offgrid_t;" + placed("a") + placed("p") + placed("b")));
}

TEST_CASE("SharedVariables.SpecifierAnywhere") {
  CHECK(in_function("static __shared__ int x;") == function("typedef   int x_offgrid_t;" + placed("x")));
  CHECK(in_function("float __shared__ x[4];") == function("typedef float  x_offgrid_t[4];" + placed("x")));
  CHECK(in_function("volatile __shared__ int x;") == function("typedef volatile  int x_offgrid_t;" + placed("x")));
  CHECK(in_function("__shared__ volatile T x;") == function("typedef  volatile T x_offgrid_t;" + placed("x")));
  CHECK(in_function("unsigned int __shared__ x;") == function("typedef unsigned int  x_offgrid_t;" + placed("x")));
}

TEST_CASE("SharedVariables.Alignment") {
  CHECK(in_function("alignas(16) __shared__ float x[4];") ==
        function("typedef __attribute__((aligned(16)))  float x_offgrid_t[4];" + placed("x")));
  CHECK(in_function("__shared__ __align__(16) float x[4];") ==
        function("typedef  __attribute__((aligned(16))) float x_offgrid_t[4];" + placed("x")));
}

TEST_CASE("SharedVariables.AlignmentOfATypeOrAnExpression") {
  const std::string place =
      " static ::offgrid::emu::SharedVariable x_offgrid_v{\"x\", {\"k.cu\", 1}, sizeof(x_offgrid_t), "
      "alignof(x_offgrid_t) > "
      "alignof(x_offgrid_a) ? alignof(x_offgrid_t) : alignof(x_offgrid_a)" +
      type_of("x") +
      "; x_offgrid_t& x = "
      "*static_cast<x_offgrid_t*>(x_offgrid_v.address());";
  CHECK(in_function("__shared__ alignas(T) char x[4];") ==
        function("struct alignas(T) x_offgrid_a {}; typedef   char x_offgrid_t[4];" + place));
  CHECK(in_function("__shared__ __align__(sizeof(T)) char x[4];") ==
        function("struct alignas(sizeof(T)) x_offgrid_a {}; typedef   char x_offgrid_t[4];" + place));
  CHECK(in_function("extern __shared__ __align__(sizeof(T)) char s[];") ==
        function("typedef    char s_offgrid_t[];" + dynamic("s")));
}

TEST_CASE("SharedVariables.ClassesWithoutNames") {
  CHECK(in_function("__shared__ struct { int a; float b; } u, v[3];") ==
        function("typedef  struct { int a; float b; } u_offgrid_t, v_offgrid_t[3];" + placed("u") + placed("v")));
  CHECK(in_function("union __align__(8) { int a; } __shared__ u;") ==
        function("typedef union __attribute__((aligned(8))) { int a; }  u_offgrid_t;" + placed("u")));
}

TEST_CASE("SharedVariables.TypesWithCommas") {
  CHECK(in_function("__shared__ typename cub::BlockReduce<T, 256>::TempStorage t;") ==
        function("typedef  typename cub::BlockReduce<T, 256>::TempStorage t_offgrid_t;" + placed("t")));
  CHECK(in_function("__shared__ decltype(f(a, b)) t;") ==
        function("typedef  decltype(f(a, b)) t_offgrid_t;" + placed("t")));
}

TEST_CASE("SharedVariables.PointerDeclarators") {
  CHECK(in_function("__shared__ float (*p)[4];") == function("typedef  float (*p_offgrid_t)[4];" + placed("p")));
  CHECK(in_function("__shared__ const int* const* q;") ==
        function("typedef  const int* const* q_offgrid_t;" + placed("q")));
}

TEST_CASE("SharedVariables.AttributesStayInFront") {
  CHECK(in_function("[[maybe_unused]] __shared__ int x;") ==
        function("[[maybe_unused]] typedef  int x_offgrid_t;" + placed("x")));
}

TEST_CASE("SharedVariables.BehindALabel") {
  CHECK(in_function("switch (n) { case 3: __shared__ int x; }") ==
        function("switch (n) { case 3: typedef  int x_offgrid_t;" + placed("x") + " }"));
}

TEST_CASE("SharedVariables.Dynamic") {
  CHECK(in_function("extern __shared__ float s[];") == function("typedef   float s_offgrid_t[];" + dynamic("s")));
  CHECK(in_function("extern __shared__ __align__(16) unsigned char s[];") ==
        function("typedef   __attribute__((aligned(16))) unsigned char s_offgrid_t[];" + dynamic("s")));
}

TEST_CASE("SharedVariables.DynamicAtFileScope") {
  const std::string object =
      "typedef   float s_offgrid_t[]; static const "
      "::offgrid::emu::DynamicSharedArray<::std::remove_extent_t<s_offgrid_t>> "
      "s{};";
  CHECK(rewritten("extern __shared__ float s[];") == object);
  CHECK(rewritten("extern __shared__ float s[];\nextern __shared__ float s[];") == object + "\n;");
}

TEST_CASE("SharedVariables.UsesOfFileScopeNames") {
  const std::string declaration = "extern __shared__ char s[];\n";
  const std::string object = rewritten(declaration);
  CHECK(rewritten(declaration + "__device__ void f() { g((int*)s, reinterpret_cast<T*>(s), s[1], &s[2], o.s); }") ==
        object + " void f() { g((int*)(+s), reinterpret_cast<T*>((+s)), (+s)[1], &s[2], o.s); }");
  CHECK(rewritten(declaration + "__device__ void f(int* s) { s[0]; }") == object + " void f(int* s) { s[0]; }");
  CHECK(rewritten(declaration + "void f() { s[0]; }") == object + "void f() { s[0]; }");
}

TEST_CASE("SharedVariables.StaticAtFileScope") {
  CHECK(
      rewritten("__shared__ int n[4][5];\n__device__ void f() { n[1][2] = 3; }") ==
      "typedef  int n_offgrid_t[4][5]; static const ::offgrid::emu::StaticShared<n_offgrid_t> n{{\"n\", {\"k.cu\", 1}, "
      "sizeof(n_offgrid_t), alignof(n_offgrid_t)" +
          type_of("n") + "};\n void f() { (+n)[1][2] = 3; }");
}

TEST_CASE("SharedVariables.InitializersAreErrors") {
  CHECK(in_function("\n__shared__ int x = 3;") == "2: a __shared__ variable cannot have an initializer");
  CHECK(in_function("__shared__ int x{3};") == "1: a __shared__ variable cannot have an initializer");
}

}  // namespace
}  // namespace offgrid::emu::rewrite

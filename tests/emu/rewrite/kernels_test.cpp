// The text that kernels become, one form a test.
#include "catch.h"
#include "golden.h"

namespace offgrid::emu::rewrite {
namespace {

/// What stands around a rewritten body, for parameters whose lambda form is `lambda`, whose names are `names` in the
/// call and `list` in reports.
std::string entered(const std::string& lambda, const std::string& body, const std::string& names,
                    const std::string& list, const std::string& bounds = "0, 0", const std::string& cluster = "") {
  return "{ ::offgrid::emu::enter_kernel({__PRETTY_FUNCTION__, {\"k.cu\", 1}, " + bounds + ", \"" + list + "\"" +
         cluster + "}, [](" + lambda + ") -> void " + body + names + "); }";
}

TEST_CASE("Kernels.DefinitionHandsBodyAndArgumentsOver") {
  CHECK(rewritten("__global__ void k(const float* a, int n) { a[0]; return; }") ==
        "__attribute__((noinline)) void k(const float* a, int n) " +
            entered("decltype(a) a, decltype(n) n", "{ a[0]; return; }", ", a, n", "a,n"));
}

TEST_CASE("Kernels.NoParameters") {
  CHECK(rewritten("__global__ void k() {}") == "__attribute__((noinline)) void k() " + entered("", "{}", "", ""));
  CHECK(rewritten("__global__ void k(void) {}") ==
        "__attribute__((noinline)) void k(void) " + entered("", "{}", "", ""));
}

TEST_CASE("Kernels.LaunchBoundsAnywhere") {
  const std::string want = entered("decltype(n) n", "{}", ", n", "n", "256, 2");
  CHECK(rewritten("__global__ void __launch_bounds__(256, 2) k(int n) {}") ==
        "__attribute__((noinline)) void  k(int n) " + want);
  CHECK(rewritten("__launch_bounds__(256, 2) __global__ void k(int n) {}") ==
        " __attribute__((noinline)) void k(int n) " + want);
  CHECK(rewritten("__global__ __launch_bounds__(256, 2) void k(int n) {}") ==
        "__attribute__((noinline))  void k(int n) " + want);
}

TEST_CASE("Kernels.LaunchBoundsOfExpressions") {
  CHECK(rewritten("template <int B> __global__ void __launch_bounds__(2 * B) k() {}") ==
        "template <int B> __attribute__((noinline)) void  k() " +
            entered("", "{}", "", "", "static_cast<int>(2 * B), 0"));
  CHECK(rewritten("__global__ void __launch_bounds__(Size<1, 2>::value, 1, 4) k() {}") ==
        "__attribute__((noinline)) void  k() " +
            entered("", "{}", "", "", "static_cast<int>(Size<1, 2>::value), 1", ", {}, 4"));
}

TEST_CASE("Kernels.ClusterDimensions") {
  CHECK(rewritten("__global__ void __cluster_dims__(2, 1, 1) k() {}") ==
        "__attribute__((noinline)) void  k() " + entered("", "{}", "", "", "0, 0", ", {2, 1, 1}"));
  CHECK(rewritten("__cluster_dims__(8) __global__ void k() {}") ==
        " __attribute__((noinline)) void k() " + entered("", "{}", "", "", "0, 0", ", {8, 1, 1}"));
  CHECK(rewritten("template <int C> __global__ void __launch_bounds__(128, 1, C) __cluster_dims__(C / 2, 2) k() {}") ==
        "template <int C> __attribute__((noinline)) void   k() " +
            entered("", "{}", "", "", "128, 1", ", {static_cast<int>(C / 2), 2, 1}, static_cast<int>(C)"));
  CHECK(rewritten("__global__ void __cluster_dims__() k() {}") ==
        "__attribute__((noinline)) void  k() " + entered("", "{}", "", "", "0, 0", ", {-1, 1, 1}"));
}

TEST_CASE("Kernels.UnnamedParametersGetNames") {
  CHECK(rewritten("__global__ void k(int, const float*, unsigned long = 3, T<int, 4>, A::B&) {}") ==
        "__attribute__((noinline)) void k(int offgrid_unnamed_0, const float* offgrid_unnamed_1, unsigned long "
        "offgrid_unnamed_2 = 3, T<int, 4> offgrid_unnamed_3, A::B& offgrid_unnamed_4) " +
            entered("decltype(offgrid_unnamed_0), decltype(offgrid_unnamed_1), decltype(offgrid_unnamed_2), "
                    "decltype(offgrid_unnamed_3), decltype(offgrid_unnamed_4)",
                    "{}",
                    ", offgrid_unnamed_0, offgrid_unnamed_1, offgrid_unnamed_2, offgrid_unnamed_3, offgrid_unnamed_4",
                    ",,,,"));
}

TEST_CASE("Kernels.ArrayAndFunctionPointerParameters") {
  CHECK(rewritten(
            "__global__ void k(int a[4], float (*f)(int, float), const T (&r)[3], R (C::*m)(int), int (*)(int)) {}") ==
        "__attribute__((noinline)) void k(int a[4], float (*f)(int, float), const T (&r)[3], R (C::*m)(int), "
        "int (* offgrid_unnamed_0)(int)) " +
            entered("decltype(a) a, decltype(f) f, decltype(r) r, decltype(m) m, decltype(offgrid_unnamed_0)", "{}",
                    ", a, f, r, m, offgrid_unnamed_0", "a,f,r,m,"));
}

TEST_CASE("Kernels.TypesThatLookLikeNames") {
  CHECK(rewritten(
            "__global__ void k(struct S s, unsigned uint, typename A<T, 3>::type v, std::pair<int, int> p = {1, 2}, "
            "const float4 float4, decltype(x) y, T const* const q) {}") ==
        "__attribute__((noinline)) void k(struct S s, unsigned uint, typename A<T, 3>::type v, std::pair<int, int> p = "
        "{1, 2}, "
        "const float4 float4, decltype(x) y, T const* const q) " +
            entered("decltype(s) s, decltype(uint) uint, decltype(v) v, decltype(p) p, decltype(float4) float4, "
                    "decltype(y) y, decltype(q) q",
                    "{}", ", s, uint, v, p, float4, y, q", "s,uint,v,p,float4,y,q"));
}

TEST_CASE("Kernels.ParameterQualifiers") {
  CHECK(rewritten("__global__ void k(const __grid_constant__ P p, float* __restrict__ a, [[maybe_unused]] int n) {}") ==
        "__attribute__((noinline)) void k(const  P p, float* __restrict__ a, [[maybe_unused]] int n) " +
            entered("decltype(p) p, decltype(a) a, decltype(n) n", "{}", ", p, a, n", "p,a,n"));
}

TEST_CASE("Kernels.ParameterPacks") {
  CHECK(rewritten("template <class... Ts> __global__ void k(int n, Ts... ts) {}") ==
        "template <class... Ts> __attribute__((noinline)) void k(int n, Ts... ts) " +
            entered("decltype(n) n, decltype(ts)... ts", "{}", ", n, ts...", "n,ts..."));
}

TEST_CASE("Kernels.UnnamedParametersAreEmptyInTheList") {
  CHECK(
      rewritten("template <class... Ts> __global__ void k(int, float* a, T*, Ts...) {}") ==
      "template <class... Ts> __attribute__((noinline)) void k(int offgrid_unnamed_0, float* a, T* offgrid_unnamed_1, "
      "Ts... offgrid_unnamed_2) " +
          entered("decltype(offgrid_unnamed_0), decltype(a) a, decltype(offgrid_unnamed_1), "
                  "decltype(offgrid_unnamed_2)...",
                  "{}", ", offgrid_unnamed_0, a, offgrid_unnamed_1, offgrid_unnamed_2...", ",a,,..."));
}

TEST_CASE("Kernels.MembersNamespacesAndLinkage") {
  CHECK(rewritten("struct S { static __global__ void k() {} };") ==
        "struct S { static __attribute__((noinline)) void k() " + entered("", "{}", "", "") + " };");
  CHECK(rewritten("extern \"C\" __global__ void k() {}") ==
        "extern \"C\" __attribute__((noinline)) void k() " + entered("", "{}", "", ""));
  CHECK(rewritten("template <> __global__ void n::k<int>(int x) {}") ==
        "template <> __attribute__((noinline)) void n::k<int>(int x) " + entered("decltype(x) x", "{}", ", x", "x"));
}

TEST_CASE("Kernels.ConstraintsAndReturnTypes") {
  CHECK(rewritten("template <class T> requires C<T> __global__ auto k(T x) -> void requires (sizeof(T) > 4) {}") ==
        "template <class T> requires C<T> __attribute__((noinline)) auto k(T x) -> void requires (sizeof(T) > 4) " +
            entered("decltype(x) x", "{}", ", x", "x"));
  CHECK(rewritten("template <int N> __global__ std::enable_if_t<(N > 4), void> k(int x) {}") ==
        "template <int N> __attribute__((noinline)) std::enable_if_t<(N > 4), void> k(int x) " +
            entered("decltype(x) x", "{}", ", x", "x"));
}

TEST_CASE("Kernels.AttributesStay") {
  CHECK(rewritten("__attribute__((used)) __global__ [[gnu::cold]] void k() {}") ==
        "__attribute__((used)) __attribute__((noinline)) [[gnu::cold]] void k() " + entered("", "{}", "", ""));
}

TEST_CASE("Kernels.FunctionNames") {
  CHECK(
      rewritten("__global__ void k(int n) { f(__func__); if (n) { g(__FUNCTION__); } auto a = x[n] = {__func__}; }") ==
      "__attribute__((noinline)) void k(int n) " +
          entered("decltype(n) n", "{ f(\"k\"); if (n) { g(\"k\"); } auto a = x[n] = {\"k\"}; }", ", n", "n"));
  CHECK(
      rewritten("__global__ void k() { auto l = [&](int) mutable { if (1) { f(__func__); } }; [] { __func__; }(); }") ==
      "__attribute__((noinline)) void k() " +
          entered("", "{ auto l = [&](int) mutable { if (1) { f(__func__); } }; [] { __func__; }(); }", "", ""));
  CHECK(rewritten("__device__ void f() { __func__; }") == " void f() { __func__; }");
}

TEST_CASE("Kernels.PrototypesInstantiationsAndFriendsLoseTheWord") {
  CHECK(rewritten("__global__ void k(int);") == " void k(int);");
  CHECK(rewritten("template <class T> __global__ void __launch_bounds__(64) k(T);") ==
        "template <class T>  void  k(T);");
  CHECK(rewritten("template __global__ void k<int>(int*);") == "template  void k<int>(int*);");
  CHECK(rewritten("struct S { friend __global__ void k(S); };") == "struct S { friend  void k(S); };");
}

TEST_CASE("Kernels.LineIsThatOfTheName") {
  CHECK(rewritten("# 7 \"dir/a \\\"b\\\".cu\"\n__global__\nvoid\nk(int n)\n{\n}\n") ==
        "# 7 \"dir/a \\\"b\\\".cu\"\n__attribute__((noinline))\nvoid\nk(int n)\n{ "
        "::offgrid::emu::enter_kernel({__PRETTY_FUNCTION__, "
        "{\"dir/a \\\"b\\\".cu\", 9}, 0, 0, \"n\"}, [](decltype(n) n) -> void {\n}, n); }\n");
}

}  // namespace
}  // namespace offgrid::emu::rewrite

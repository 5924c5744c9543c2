// The remaining specifier words.
#include "catch.h"
#include "golden.h"

namespace offgrid::emu::rewrite {
namespace {

TEST_CASE("SpecifierWords.Disappear") {
  CHECK(rewritten("__host__ __device__ int f();") == "  int f();");
  CHECK(rewritten("__constant__ float c[3] = {1, 2, 3};") ==
        " __attribute__((used, section(\"offgrid_constant\"))) float c[3] = {1, 2, 3};");
  CHECK(rewritten("__constant__ const float c = 1;") == " const float c = 1;");
  CHECK(rewritten("__device__ __managed__ int x;") == "  int x;");
  CHECK(rewritten("__device__ Foo(int) -> Foo<int>;") == " Foo(int) -> Foo<int>;");
}

TEST_CASE("SpecifierWords.Inlining") {
  CHECK(rewritten("__device__ __forceinline__ int f() {}") == " inline __attribute__((always_inline)) int f() {}");
  CHECK(rewritten("static inline __forceinline__ int f() {}") ==
        "static inline __attribute__((always_inline)) int f() {}");
  CHECK(rewritten("__forceinline__ __inline__ int f() {}") == "__attribute__((always_inline)) __inline__ int f() {}");
  CHECK(rewritten("auto l = [] __device__ __forceinline__ (int i) {};") == "auto l = []   (int i) {};");
  CHECK(rewritten("__noinline__ __device__ int f();") == "__attribute__((noinline))  int f();");
}

TEST_CASE("SpecifierWords.InsideAttributesStay") {
  const std::string text =
      "__attribute__((__noinline__, __used__)) void f(); __attribute__((__cold__, __noinline__)) int g();";
  CHECK(rewritten("__host__ int x;" + text) == " int x;" + text);
}

TEST_CASE("SpecifierWords.Alignment") {
  CHECK(rewritten("struct __align__(16) S { float __builtin_align__(8) x; };") ==
        "struct __attribute__((aligned(16))) S { float __attribute__((aligned(8))) x; };");
}

TEST_CASE("SpecifierWords.WholeProgramKeepsDeviceNamesToTheFile") {
  CHECK(rewritten_alone("__device__ int x;") == "static int x;");
  CHECK(rewritten_alone("namespace n { __constant__ float c[2]; }") ==
        "namespace n { static __attribute__((used, section(\"offgrid_constant\"))) float c[2]; }");
  CHECK(rewritten_alone("__device__ float f(float x) { return x; }") == "static float f(float x) { return x; }");
  CHECK(rewritten_alone("template <> __device__ float f<int>(float x) { return x; }") ==
        "template <> inline float f<int>(float x) { return x; }");
}

TEST_CASE("SpecifierWords.WholeProgramLeavesOtherLinkage") {
  CHECK(rewritten_alone("__host__ __device__ int f() {}") == "  int f() {}");
  CHECK(rewritten_alone("static __device__ int x;") == "static  int x;");
  CHECK(rewritten_alone("__device__ inline int f() {}") == " inline int f() {}");
  CHECK(rewritten_alone("extern __device__ int x; __device__ int x = 3;") == "extern  int x;  int x = 3;");
  CHECK(rewritten_alone("__device__ int S::x = 3;") == " int S::x = 3;");
  CHECK(rewritten_alone("struct S { __device__ int f(); };") == "struct S {  int f(); };");
  CHECK(rewritten_alone("template <class T> __device__ T f() {}") == "template <class T>  T f() {}");
  CHECK(rewritten_alone("auto l = [] __device__ (int i) {};") == "auto l = []  (int i) {};");
}

}  // namespace
}  // namespace offgrid::emu::rewrite

// Built-in index variables: replaced in device code, left alone elsewhere.
#include "catch.h"
#include "golden.h"

namespace offgrid::emu::rewrite {
namespace {

TEST_CASE("DeviceNames.Components") {
  CHECK(rewritten("__device__ int f() { return threadIdx.x + blockIdx.y * blockDim . z + gridDim.x + warpSize; }") ==
        " int f() { return ::offgrid_thread_x() + ::offgrid_block_y() * ::offgrid_block_dim_z()   + "
        "::offgrid_grid_dim_x() + "
        "::offgrid_warp_size(); }");
}

TEST_CASE("DeviceNames.WholeVariables") {
  CHECK(rewritten("__device__ void f() { g(threadIdx, blockIdx, blockDim, gridDim); uint3 t = ::threadIdx; }") ==
        " void f() { g(::offgrid::emu::thread_index(), ::offgrid::emu::block_index(), ::offgrid::emu::block_dim(), "
        "::offgrid::emu::grid_dim()); uint3 t = ::offgrid::emu::thread_index(); }");
}

TEST_CASE("DeviceNames.NamesDoNotGrowTogetherWithTheTokenBefore") {
  CHECK(rewritten("__device__ int f(int i) { return i%threadIdx.x + (i?1:threadIdx.x) + (i<threadIdx.x); }") ==
        " int f(int i) { return i% ::offgrid_thread_x() + (i?1: ::offgrid_thread_x()) + (i<::offgrid_thread_x()); }");
}

TEST_CASE("DeviceNames.HostCodeKeepsItsOwn") {
  const std::string host = "void f() { dim3 blockDim(16, 16), gridDim; g(gridDim.x, blockDim); }";
  CHECK(rewritten("__device__ int d;" + host) == " int d;" + host);
}

TEST_CASE("DeviceNames.EveryKindOfDeviceFunction") {
  const std::string x = "::offgrid_thread_x()";
  CHECK(rewritten("struct S { __device__ S(int i) : a(i), b{i} { a = threadIdx.x; } int a, b; };") ==
        "struct S {  S(int i) : a(i), b{i} { a = " + x + "; } int a, b; };");
  CHECK(rewritten("struct S { __host__ __device__ int operator()(int i) const noexcept { return threadIdx.x; } };") ==
        "struct S {   int operator()(int i) const noexcept { return " + x + "; } };");
  CHECK(rewritten(
            "struct S { __device__ operator int() const { return threadIdx.x; } __device__ ~S() { threadIdx.x; } };") ==
        "struct S {  operator int() const { return " + x + "; }  ~S() { " + x + "; } };");
  CHECK(rewritten("__device__ S& S::operator<<(int i) { threadIdx.x; }") == " S& S::operator<<(int i) { " + x + "; }");
  CHECK(rewritten("auto __device__ f(int i) -> decltype(g(i)) { threadIdx.x; }") ==
        "auto  f(int i) -> decltype(g(i)) { " + x + "; }");
  CHECK(rewritten("template <class T> requires requires(T t) { t + 1; } __device__ void f(T t) { threadIdx.x; }") ==
        "template <class T> requires requires(T t) { t + 1; }  void f(T t) { " + x + "; }");
}

TEST_CASE("DeviceNames.Lambdas") {
  CHECK(rewritten(
            "void h() { auto l = [=] __device__ (int i) mutable -> int { return threadIdx.x; }; int threadIdx; }") ==
        "void h() { auto l = [=]  (int i) mutable -> int { return ::offgrid_thread_x(); }; int threadIdx; }");
  CHECK(rewritten("auto l = [](int i) __device__ { return threadIdx.x; };") ==
        "auto l = [](int i)  { return ::offgrid_thread_x(); };");
  CHECK(rewritten("auto l = [] __host__ __device__ { return threadIdx.x; };") ==
        "auto l = []   { return ::offgrid_thread_x(); };");
  CHECK(rewritten("__device__ void f() { auto l = [&](int i) { return threadIdx.x; }; }") ==
        " void f() { auto l = [&](int i) { return ::offgrid_thread_x(); }; }");
}

TEST_CASE("DeviceNames.ParametersAndLocalsHide") {
  CHECK(rewritten("__device__ int f(dim3 blockDim, int warpSize) { return blockDim.x + warpSize + gridDim.x; }") ==
        " int f(dim3 blockDim, int warpSize) { return blockDim.x + warpSize + ::offgrid_grid_dim_x(); }");
  CHECK(rewritten("__device__ int f() { warpSize; { const int warpSize = 32; warpSize; } return warpSize; }") ==
        " int f() { ::offgrid_warp_size(); { const int warpSize = 32; warpSize; } return ::offgrid_warp_size(); }");
}

TEST_CASE("DeviceNames.MembersAreOthers") {
  const std::string text = "int f() { return o.threadIdx.x + p->warpSize; }";
  CHECK(rewritten("__device__ " + text) == " " + text);
}

}  // namespace
}  // namespace offgrid::emu::rewrite

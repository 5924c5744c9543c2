// Which device variables are listed in checked mode.
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

/// What checked mode adds to the text.
std::string added(const std::string& text) {
  const std::string plain = rewritten(text, false), checked = rewritten(text, true);
  std::size_t same = 0;
  while (same < plain.size() && plain[same] == checked[same]) ++same;
  const std::size_t length = checked.size() - plain.size();
  CHECK(checked.substr(0, same) + checked.substr(same + length) == plain);
  return checked.substr(same, length);
}

std::string entry(const std::string& n) {
  return " static ::offgrid::emu::VariableType " + n +
         "_offgrid_v __attribute__((used, section(\"offgrid_variables\"))) = {__builtin_addressof(" + n +
         "), ::offgrid::emu::element_type_of(__builtin_addressof(" + n + "))};";
}

TEST_CASE("VariableTypes.DeviceAndConstantVariables") {
  CHECK(added("__device__ int counters[4];\nint x;") == entry("counters"));
  CHECK(added("__constant__ float weights[3][3];") == entry("weights"));
  CHECK(added("static __device__ unsigned long long total = 0;") == entry("total"));
  CHECK(added("namespace a { __device__ __managed__ Tile<4, 2> t;}") == entry("t"));
}

TEST_CASE("VariableTypes.SeveralDeclaratorsWithInitialisers") {
  CHECK(added("__device__ int a = f(1, 2), b{3}, *c[2];") == entry("a") + entry("b") + entry("c"));
}

TEST_CASE("VariableTypes.NotWhatHasItsPlaceElsewhere") {
  CHECK(added("extern __device__ int a[4];") == "");
  CHECK(added("template <class T> __device__ T a;") == "");
  CHECK(added("struct S { static __device__ int a; };") == "");
  CHECK(added("__device__ int f(int);") == "");
  CHECK(added("__device__ int f(int n) { static __device__ int a; return a; }") == "");
}

}  // namespace
}  // namespace offgrid::emu::rewrite

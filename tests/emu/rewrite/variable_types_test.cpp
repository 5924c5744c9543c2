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

/// The red zones of a declaration: 'b' before it, 'e' behind it.
std::string zones(const std::string& name, char place) {
  const std::string zone = "static __attribute__((used)) char " + name + "_offgrid_z" + place;
  return zone + "0[256]; " + zone + "1[256] = {1};";
}

/// Takes `part`, which must be there once, out of `text`, and gives its place.
std::size_t take_out(std::string& text, const std::string& part) {
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  text.erase(at, part.size());
  CHECK(text.find(part) == std::string::npos);
  return at;
}

/// What checked mode adds to the text, apart from red zones around the declaration of `first`.
std::string added(const std::string& text, const std::string& first = "") {
  const std::string plain = rewritten(text, false);
  std::string checked = rewritten(text, true);
  if (!first.empty()) {
    const std::size_t before = take_out(checked, zones(first, 'b') + " ");
    const std::size_t behind = take_out(checked, " " + zones(first, 'e'));
    CHECK(before < checked.find(first));
    CHECK(behind == checked.find(';', before) + 1);
  }
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
  CHECK(added("__device__ int counters[4];\nint x;", "counters") == entry("counters"));
  CHECK(added("__constant__ float weights[3][3];", "weights") == entry("weights"));
  CHECK(added("static __device__ unsigned long long total = 0;", "total") == entry("total"));
  CHECK(added("namespace a { __device__ __managed__ Tile<4, 2> t;}", "t") == entry("t"));
}

TEST_CASE("VariableTypes.SeveralDeclaratorsWithInitialisers") {
  CHECK(added("__device__ int a = f(1, 2), b{3}, *c[2];", "a") == entry("a") + entry("b") + entry("c"));
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

/// The standard library comes first, in both spellings. Then everything of std is let in.
#include <math.h>
#include <offgrid/emu/device/arithmetic.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <vector>

using namespace std;

#include "catch.h"
#include "coexistence.h"

TEST_CASE("Coexistence.StandardHeadersFirstOverloadsAreUnambiguous") {
  REQUIRE(mixed_calls(0.25f, 0.5, -1, 2u, 3, 4, 5, 6) > 0);
  REQUIRE(min(-1, 1u) == 1u);  // compared as unsigned
  REQUIRE(std::norm(complex<float>(3, 4)) == 25.0f);
  REQUIRE(min(complex<int>(1).real(), 2) == 1);
}

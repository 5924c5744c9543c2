/// Catch2 under one name: version 2 (Debian 12) and version 3 (newer systems) differ only in their headers.
#pragma once

#if OFFGRID_CATCH2_VERSION >= 3
#include <catch2/catch_all.hpp>
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
#else
#include <catch2/catch.hpp>

inline auto ContainsSubstring(const std::string& text) { return Catch::Contains(text); }
#endif

/// Cache hints change no value, for any type; the pointer decides what is stored.
#include <offgrid/emu/device/load_store.h>
#include <offgrid/emu/device/vector_types.h>

#include "catch.h"

TEST_CASE("LoadStore.EveryHintReadsTheValue") {
  const float4 v = make_float4(1, 2, 3, 4);
  REQUIRE((__ldg(&v).x == 1 && __ldca(&v).y == 2 && __ldcg(&v).z == 3 && __ldcs(&v).w == 4));
  const long long n = -5;
  REQUIRE((__ldlu(&n) == -5 && __ldcv(&n) == -5));
}

TEST_CASE("LoadStore.EveryHintWritesTheValue") {
  short s[4] = {};
  __stwb(&s[0], 1);  // an int literal converts to what the pointer points to
  __stcg(&s[1], 2);
  __stcs(&s[2], 3);
  __stwt(&s[3], 4);
  REQUIRE((s[0] == 1 && s[1] == 2 && s[2] == 3 && s[3] == 4));
}

TEST_CASE("LoadStore.NontemporalFormsExistForBothCompilers") {
  float x = 0;
  __builtin_nontemporal_store(2.5f, &x);
  REQUIRE(__builtin_nontemporal_load(&x) == 2.5f);
}

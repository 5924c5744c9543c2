// Short kernel names from what clang and g++ print for a function.
#include <offgrid/emu/launch.h>

#include "catch.h"

using namespace offgrid::emu;

TEST_CASE("KernelName.FromBothCompilersSpellings") {
  struct Row {
    const char *pretty, *name;
  };
  const Row row =
      GENERATE(Row{"void scale(float *, int)", "scale"}, Row{"void scale(float*, int)", "scale"},
               Row{"void scale(T *, int) [T = float]", "scale<float>"},
               Row{"void scale(T*, int) [with T = float]", "scale<float>"},
               Row{"void mla::decode(const T *, Params) [T = bf16, K = 576]", "mla::decode<bf16, 576>"},
               Row{"void mla::decode(const T*, Params) [with T = bf16; int K = 576]", "mla::decode<bf16, 576>"},
               Row{"void k(std::array<int, 3>) [T = std::pair<int, float>]", "k<std::pair<int, float>>"},
               Row{"void k(std::array<int, 3>) [with T = std::pair<int, float>; bool B = true]",
                   "k<std::pair<int, float>, true>"},
               Row{"void k(F) [F = (lambda at a.cu:3:7)]", "k<(lambda at a.cu:3:7)>"},
               Row{"void k(void (*)(int), int)", "k"}, Row{"static void Outer<float>::k(int)", "Outer<float>::k"});
  KernelDescriptor kernel;
  kernel.pretty_name = row.pretty;
  INFO(row.pretty);
  CHECK(kernel_name(kernel) == row.name);
}

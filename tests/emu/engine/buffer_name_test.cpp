// Which name reports choose for memory, and how they count its elements.
#include "engine/buffer_name.h"

#include <offgrid/emu/kernel_entry.h>

#include "catch.h"
#include "engine/state.h"

using namespace offgrid::emu;

namespace {

constexpr std::uintptr_t kBegin = 0x10000;

Allocation allocation(std::size_t bytes) {
  Allocation a;
  a.begin = kBegin;
  a.bytes = bytes;
  a.id = 3;
  return a;
}

KernelArgument pointer(const char* name, std::uintptr_t value, const char* type, std::size_t size) {
  KernelArgument p;
  p.name = name;
  p.value = value;
  p.is_pointer = true;
  p.has_elements = size != 0;
  p.pointee = type;
  p.pointee_bytes = size ? size : 1;
  return p;
}

KernelArgument word(const char* name, std::uintptr_t value) {
  KernelArgument p;
  p.name = name;
  p.value = value;
  return p;
}

std::string sentence(const std::vector<KernelArgument>& arguments, const Allocation& a, std::ptrdiff_t at,
                     std::size_t bytes = 1) {
  return name_of_buffer(arguments, a, kBegin + static_cast<std::uintptr_t>(at), bytes).sentence();
}

[[gnu::noinline]] void scale(float* data, int n) {
  enter_kernel({__PRETTY_FUNCTION__, {__FILE__, __LINE__}, 0, 0, "data,n"}, [](float*, int) -> void {}, data, n);
}

}  // namespace

TEST_CASE("BufferName.ParameterThatPointsToTheBegin") {
  const std::vector<KernelArgument> arguments = {word("n", 160), pointer("scale", kBegin, "float", 4)};
  const Allocation a = allocation(160);
  CHECK(sentence(arguments, a, 160) == "element 40 of `scale`, which is float[40], global memory");
  CHECK(sentence(arguments, a, 20, 4) == "element 5 of `scale`, which is float[40], global memory");
  CHECK(sentence(arguments, a, 16, 16) == "elements 4..7 of `scale`, which is float[40], global memory");
  CHECK(sentence(arguments, a, 22) == "byte 2 of element 5 of `scale`, which is float[40], global memory");
  CHECK(sentence(arguments, a, -4, 4) == "element -1 of `scale`, which is float[40], global memory");
  CHECK(sentence(arguments, a, -5) == "byte 3 of element -2 of `scale`, which is float[40], global memory");
  CHECK(sentence(arguments, a, -8, 8) == "elements -2..-1 of `scale`, which is float[40], global memory");
  CHECK(sentence(arguments, allocation(162), 0) ==
        "element 0 of `scale`, which is float[40] and 2 bytes, global memory");
}

TEST_CASE("BufferName.BytesWhereTheTypeIsUnknown") {
  CHECK(sentence({}, allocation(160), 160) == "byte 160 of allocation #3, which is 160 bytes, global memory");
  CHECK(sentence({}, allocation(160), -3) == "byte -3 of allocation #3, which is 160 bytes, global memory");
  CHECK(sentence({pointer("raw", kBegin, "void", 0)}, allocation(160), 8, 4) ==
        "bytes 8..11 of `raw`, which is 160 bytes, global memory");
  CHECK(sentence({word("params+16", kBegin)}, allocation(160), 8) ==
        "byte 8 of `params+16`, which is 160 bytes, global memory");
  CHECK(sentence({pointer("mask", kBegin, "unsigned char", 1)}, allocation(160), 8) ==
        "element 8 of `mask`, which is unsigned char[160], global memory");
}

TEST_CASE("BufferName.OtherPointersDoNotCount") {
  const std::vector<KernelArgument> arguments = {pointer("before", kBegin - 4, "float", 4),
                                                 pointer("end", kBegin + 160, "float", 4),
                                                 pointer("", kBegin, "float", 4)};
  const BufferName name = name_of_buffer(arguments, allocation(160), kBegin + 160);
  CHECK(name.name == "allocation #3");
  CHECK(name.also.empty());
}

TEST_CASE("BufferName.ExactPointersComeFirstThenTheClosestBefore") {
  const Allocation a = allocation(160);
  const KernelArgument low = pointer("low", kBegin + 32, "float", 4), high = pointer("high", kBegin + 64, "double", 8),
                       object = word("params+8", kBegin);
  CHECK(sentence({low, high}, a, 80) ==
        "element 2 of `high`, which is double[12] at byte 64 of allocation #3, global memory");
  CHECK(sentence({low, high}, a, 63) ==
        "byte 3 of element 7 of `low`, which is float[32] at byte 32 of allocation #3, global memory");
  CHECK(sentence({low, high}, a, 8) == "byte 8 of allocation #3, which is 160 bytes, global memory");
  CHECK(sentence({low, high, object}, a, 80) == "byte 80 of `params+8`, which is 160 bytes, global memory");
  CHECK(sentence({low, high, object, pointer("base", kBegin, "int", 4)}, a, 80) ==
        "element 20 of `base`, which is int[40], global memory");
}

TEST_CASE("BufferName.WhatElseItIsCalled") {
  const Allocation a = allocation(160);
  const std::vector<KernelArgument> arguments = {pointer("x", kBegin, "float", 4), pointer("y", kBegin, "int", 4),
                                                 pointer("tail", kBegin + 80, "float", 4)};
  using Texts = std::vector<std::string>;
  CHECK(name_of_buffer(arguments, a, kBegin + 8).also == Texts{"element 2 of `y`, which is int[40]"});
  CHECK(name_of_buffer(arguments, a, kBegin + 88).also ==
        Texts{"element 2 of `tail`, which is float[20] at byte 80 of allocation #3"});
  CHECK(name_of_buffer(std::vector{arguments[2]}, a, kBegin - 4).also ==
        Texts{"element -21 of `tail`, which is float[20] at byte 80 of allocation #3"});
  CHECK(name_of_buffer(std::vector{arguments[0]}, a, kBegin).also.empty());
}

TEST_CASE("BufferName.TheHostsNameAndShapeWin") {
  Allocation a = allocation(160);
  a.name = "kv_cache";
  CHECK(sentence({pointer("x", kBegin, "float", 4)}, a, 8) ==
        "element 2 of `kv_cache`, which is float[40], global memory");
  CHECK(sentence({pointer("x", kBegin + 4, "float", 4)}, a, 8) ==
        "byte 8 of `kv_cache`, which is 160 bytes, global memory");
  a.shape = {"bf16", 2, {{"pages", 2}, {"slot", 4}, {"", 10}}};
  a.kind = MemoryKind::kManaged;
  CHECK(sentence({pointer("x", kBegin, "float", 4)}, a, 2 * 57) ==
        "element 57 = [pages 1, slot 1, 7] of `kv_cache`, which is bf16[pages 2, slot 4, 10], host-visible memory");
  CHECK(sentence({}, a, 160) ==
        "element 80 = [pages 2, slot 0, 0] of `kv_cache`, which is bf16[pages 2, slot 4, 10], host-visible memory");
  CHECK(sentence({}, a, -2) == "element -1 of `kv_cache`, which is bf16[pages 2, slot 4, 10], host-visible memory");
  const BufferName name = name_of_buffer(std::vector{pointer("x", kBegin, "float", 4)}, a, kBegin);
  CHECK(name.also.empty());
  a.name.clear();
  CHECK(sentence({pointer("x", kBegin, "float", 4)}, a, -2) ==
        "element -1 of `x`, which is bf16[pages 2, slot 4, 10], host-visible memory");
}

TEST_CASE("BufferName.ItemsForHeadlines") {
  const Allocation a = allocation(160);
  const std::vector<KernelArgument> x = {pointer("x", kBegin, "float", 4)};
  CHECK(name_of_buffer(x, a, kBegin + 8).item == "`x[2]`");
  CHECK(name_of_buffer(x, a, kBegin + 8, 8).item == "`x[2..3]`");
  CHECK(name_of_buffer(x, a, kBegin + 9).item == "byte 1 of `x[2]`");
  CHECK(name_of_buffer(a, kBegin + 9).item == "byte 9 of allocation #3");
  CHECK(name_of_buffer(std::vector{word("p+8", kBegin)}, a, kBegin + 9).item == "byte 9 of `p+8`");
}

TEST_CASE("BufferName.FromTheLaunchInANote") {
  static KernelCall call;
  const SubmitFunction before = set_submit([](KernelCall c) {
    call = std::move(c);
    return LaunchError::kNone;
  });
  (configure_launch({__FILE__, __LINE__}, 1, 1), scale(reinterpret_cast<float*>(kBegin), 4));
  set_submit(before);
  LaunchState launch;
  launch.kernel = call.kernel;
  launch.closure = call.closure.get();
  Allocation a = allocation(16);
  a.site = {"main.cu", 7};
  const BufferName name = name_of_buffer(launch, a, kBegin + 16);
  CHECK(name.name == "`data`");
  Finding finding;
  describe_buffer(finding, name, a);
  CHECK(finding.notes == std::vector<std::string>{"element 4 of `data`, which is float[4], global memory"});
  REQUIRE(finding.sites.size() == 1);
  CHECK(finding.sites[0].role == "allocated");
  CHECK(finding.sites[0].where.line == 7);
}

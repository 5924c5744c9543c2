// Instructions against the definitions of the PTX manual, on hand-computed values.
#include <cmath>
#include <limits>

#include "catch.h"
#include "ptx_program.h"

namespace offgrid::emu::ptx {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST_CASE("Ptx.IntegerArithmetic") {
  CHECK(run32("add.s32 %0, %1, %2;", 7, -9) == static_cast<std::uint32_t>(-2));
  CHECK(run32("add.sat.s32 %0, %1, %2;", 0x7fffffff, 1) == 0x7fffffff);
  CHECK(run32("sub.u32 %0, %1, %2;", 3u, 5u) == 0xfffffffeu);
  CHECK(run32("mul.hi.u32 %0, %1, %2;", 0x80000000u, 6u) == 3);
  CHECK(run32("mul.hi.s32 %0, %1, %2;", -1, 1) == 0xffffffffu);
  CHECK(run32("mad.lo.s32 %0, %1, %2, %3;", 3, -4, 5) == static_cast<std::uint32_t>(-7));
  CHECK(run32("mul24.lo.s32 %0, %1, %2;", 0x00ffffff, 2) == static_cast<std::uint32_t>(-2));
  CHECK(run32("div.s32 %0, %1, %2;", -7, 2) == static_cast<std::uint32_t>(-3));
  CHECK(run32("rem.s32 %0, %1, %2;", -7, 2) == static_cast<std::uint32_t>(-1));
  CHECK(run32("sad.u32 %0, %1, %2, %3;", 3u, 10u, 100u) == 107);
  CHECK(run32("abs.s32 %0, %1;", -5) == 5);
  CHECK(run32("min.s32 %0, %1, %2;", -5, 3) == static_cast<std::uint32_t>(-5));
  CHECK(run32("max.u32 %0, %1, %2;", -5, 3) == static_cast<std::uint32_t>(-5));
  CHECK(run32("dp4a.s32.s32 %0, %1, %2, %3;", 0x01ff0203, 0x01020304, 10) == 10u + 1 - 2 + 6 + 12);
}

TEST_CASE("Ptx.WideProducts") {
  Site site;
  std::uint64_t wide = 0;
  execute(site, "mul.wide.u32 %0, %1, %2;", output("=l", wide), input("r", 0xffffffffu), input("r", 2));
  CHECK(wide == 0x1fffffffeull);
  Site signed_site;
  execute(signed_site, "mad.wide.s32 %0, %1, %2, %3;", output("=l", wide), input("r", -3), input("r", 5),
          input("l", 20ll));
  CHECK(wide == 5);
}

TEST_CASE("Ptx.CarryChain") {
  Site site;
  std::uint32_t low = 0, high = 0;
  execute(site, "add.cc.u32 %0, %2, %3; addc.u32 %1, %4, %5;", output("=r", low), output("=r", high),
          input("r", 0xffffffffu), input("r", 2u), input("r", 1u), input("r", 3u));
  CHECK(low == 1);
  CHECK(high == 5);
  Site borrow;
  execute(borrow, "sub.cc.u32 %0, %2, %3; subc.u32 %1, %4, %5;", output("=r", low), output("=r", high), input("r", 1u),
          input("r", 2u), input("r", 7u), input("r", 3u));
  CHECK(low == 0xffffffffu);
  CHECK(high == 3);
}

TEST_CASE("Ptx.Bits") {
  CHECK(run32("lop3.b32 %0, %1, %2, %3, 0xe8;", 0b11110000, 0b11001100, 0b10101010) == 0b11101000);
  CHECK(run32("shl.b32 %0, %1, %2;", 1, 32) == 0);
  CHECK(run32("shr.s32 %0, %1, %2;", -8, 40) == 0xffffffffu);
  CHECK(run32("shr.u32 %0, %1, %2;", -8, 28) == 0xf);
  CHECK(run32("bfe.u32 %0, %1, %2, %3;", 0xabcd1234u, 8, 12) == 0xd12);
  CHECK(run32("bfe.s32 %0, %1, %2, %3;", 0x00000f00, 8, 4) == 0xffffffffu);
  CHECK(run32("bfe.u32 %0, %1, %2, %3;", 0xffffffffu, 28, 12) == 0xf);
  CHECK(run32("bfi.b32 %0, %1, %2, %3, %4;", 0xff, 0x12345678, 8, 4) == 0x12345f78);
  CHECK(run32("popc.b32 %0, %1;", 0xf0f0) == 8);
  CHECK(run32("clz.b32 %0, %1;", 1) == 31);
  CHECK(run32("clz.b32 %0, %1;", 0) == 32);
  CHECK(run32("brev.b32 %0, %1;", 1) == 0x80000000u);
  CHECK(run32("bfind.u32 %0, %1;", 0x00100000) == 20);
  CHECK(run32("bfind.s32 %0, %1;", -1) == 0xffffffffu);
  CHECK(run32("prmt.b32 %0, %1, %2, %3;", 0x33221100, 0x77665544, 0x7531) == 0x77553311);
  CHECK(run32("prmt.b32 %0, %1, %2, %3;", 0x000000f0, 0, 0x8888) == 0xffffffffu);
  CHECK(run32("shf.l.wrap.b32 %0, %1, %2, %3;", 0x80000001u, 0x00000001, 1) == 3);
  CHECK(run32("shf.r.clamp.b32 %0, %1, %2, %3;", 0x12345678, 0x9abcdef0u, 40) == 0x9abcdef0u);
}

TEST_CASE("Ptx.MovesPackAndUnpack") {
  Site pack;
  std::uint64_t word = 0;
  execute(pack, "mov.b64 %0, {%1, %2};", output("=l", word), input("r", 1), input("r", 2));
  CHECK(word == 0x200000001ull);
  Site unpack;
  std::uint32_t low = 0, high = 0;
  execute(unpack, "mov.b64 {%0, %1}, %2;", output("=r", low), output("=r", high), input("l", word));
  CHECK(low == 1);
  CHECK(high == 2);
  CHECK(run32("mov.b32 %0, 0x10;") == 16);
  CHECK(run_float("mov.f32 %0, 0f40490FDB;") == std::bit_cast<float>(0x40490fdb));
  CHECK(run_float("mov.f32 %0, -1.5;") == -1.5f);
}

TEST_CASE("Ptx.FloatingPoint") {
  CHECK(run_float("add.rn.f32 %0, %1, %2;", 1.0f, 0x1p-24f) == 1.0f);
  CHECK(run_float("add.rp.f32 %0, %1, %2;", 1.0f, 0x1p-24f) == 1.0f + 0x1p-23f);
  CHECK(run_float("mul.ftz.f32 %0, %1, %2;", 0x1p-100f, 0x1p-40f) == 0.0f);
  CHECK(run_float("mul.f32 %0, %1, %2;", 0x1p-100f, 0x1p-40f) == 0x1p-140f);
  CHECK(run_float("fma.rn.sat.f32 %0, %1, %2, %3;", 2.0f, 3.0f, 1.0f) == 1.0f);
  CHECK(run_float("rcp.approx.ftz.f32 %0, %1;", 4.0f) == 0.25f);
  CHECK(run_float("sqrt.rn.f32 %0, %1;", 9.0f) == 3.0f);
  CHECK(run_float("rsqrt.approx.f32 %0, %1;", 16.0f) == 0.25f);
  CHECK(run_float("ex2.approx.ftz.f32 %0, %1;", 5.0f) == 32.0f);
  CHECK(run_float("lg2.approx.f32 %0, %1;", 8.0f) == 3.0f);
  CHECK(run_float("tanh.approx.f32 %0, %1;", kInfinity) == 1.0f);
  CHECK(run_float("max.f32 %0, %1, %2;", NAN, 2.0f) == 2.0f);
  CHECK(std::isnan(run_float("max.NaN.f32 %0, %1, %2;", NAN, 2.0f)));
  CHECK(std::signbit(run_float("min.f32 %0, %1, %2;", 0.0f, -0.0f)));
}

TEST_CASE("Ptx.HalfPairs") {
  CHECK(run32("add.f16x2 %0, %1, %2;", 0x3c003c00, 0x40003c00) == 0x42004000);                      // {1,1} + {2,1}
  CHECK(run32("fma.rn.bf16x2 %0, %1, %2, %3;", 0x40004000, 0x40403f80, 0x3f803f80) == 0x40e04040);  // 2*{3,1}+1
  CHECK(run32("max.f16x2 %0, %1, %2;", 0x3c00c000, 0x00003c00) == 0x3c003c00);
}

TEST_CASE("Ptx.Predicates") {
  CHECK(run32("{.reg .pred p; setp.lt.s32 p, %1, %2; selp.u32 %0, 1, 2, p;}", -1, 1) == 1);
  CHECK(run32("{.reg .pred p; setp.lt.u32 p, %1, %2; selp.u32 %0, 1, 2, p;}", -1, 1) == 2);
  CHECK(run32("{.reg .pred p, q; setp.eq.u32 p|q, %1, %2; @q mov.u32 %0, 5; @p mov.u32 %0, 6; @!p add.u32 %0, %0, 10;}",
              1, 2) == 15);
  CHECK(run32("{.reg .pred p; setp.ne.and.u32 p, %1, 0, 1; selp.u32 %0, 1, 2, !p;}", 3) == 2);
}

TEST_CASE("Ptx.Branches") {
  CHECK(run32("{.reg .pred p; mov.u32 %0, 0; L: add.u32 %0, %0, 3; setp.lt.u32 p, %0, %1; @!p bra DONE; bra L; DONE:}",
              10) == 12);
}

TEST_CASE("Ptx.Conversions") {
  auto from_float = [](const char* text, float x) {
    Site site;
    std::int32_t out = 0;
    execute(site, text, output("=r", out), input("f", x));
    return out;
  };
  CHECK(from_float("cvt.rzi.s32.f32 %0, %1;", -3.7f) == -3);
  CHECK(from_float("cvt.rni.s32.f32 %0, %1;", 2.5f) == 2);
  CHECK(from_float("cvt.rpi.s32.f32 %0, %1;", 2.1f) == 3);
  CHECK(from_float("cvt.rzi.s32.f32 %0, %1;", 1e20f) == 0x7fffffff);
  CHECK(from_float("cvt.rzi.u32.f32 %0, %1;", -5.0f) == 0);
  CHECK(from_float("cvt.rzi.s32.f32 %0, %1;", NAN) == 0);
  CHECK(from_float("cvt.rna.tf32.f32 %0, %1;", std::bit_cast<float>(0x3f801000)) == 0x3f802000);
  CHECK(run_float("cvt.rmi.f32.f32 %0, %1;", -1.5f) == -2.0f);
  CHECK(run32("cvt.s32.s8 %0, %1;", 0x80) == 0xffffff80u);
  CHECK(run32("cvt.sat.u8.s32 %0, %1;", 300) == 255);
  CHECK(run32("cvt.u32.u16 %0, %1;", 0x12345678) == 0x5678);
  Site site;
  std::uint32_t pair = 0;
  execute(site, "cvt.rn.f16x2.f32 %0, %1, %2;", output("=r", pair), input("f", 1.0f), input("f", 2.0f));
  CHECK(pair == 0x3c004000);
  Site rounded;
  float value = 0;
  execute(rounded, "cvt.rz.f32.s32 %0, %1;", output("=f", value), input("r", 0x01ffffff));
  CHECK(value == 0x01fffffe);
}

TEST_CASE("Ptx.PairsOfNarrowFloats") {
  auto from_floats = [](const char* text, float high, float low) {
    Site site;
    std::uint32_t pair = 0;
    execute(site, text, output("=r", pair), input("f", high), input("f", low));
    return pair;
  };
  CHECK(from_floats("cvt.rn.bf16x2.f32 %0, %1, %2;", 1.0f, -2.0f) == 0x3f80c000);
  CHECK(from_floats("cvt.rn.bf16x2.f32 %0, %1, %2;", std::bit_cast<float>(0x3f808000), NAN) == 0x3f807fff);
  CHECK(from_floats("cvt.rz.bf16x2.f32 %0, %1, %2;", std::bit_cast<float>(0x3f80ffff), 0.0f) == 0x3f800000);
  CHECK(from_floats("cvt.rn.relu.f16x2.f32 %0, %1, %2;", -0.0f, -3.0f) == 0);
  CHECK(from_floats("cvt.rn.f16x2.f32 %0, %1, %2;", 65520.0f, 65519.0f) == 0x7c007bff);
  CHECK(from_floats("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;", 1000.0f, -1.0f) == 0x7eb8);
  CHECK(run32("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;", 0x7c00bc00) == 0x7eb8);
  CHECK(run32("cvt.rn.satfinite.relu.e5m2x2.f16x2 %0, %1;", 0x3c00bc00) == 0x3c00);
  CHECK(run32("cvt.rn.f16x2.e4m3x2 %0, %1;", 0x01fe) == 0x1800df00);  // 2^-9, -448
  CHECK(run32("cvt.rn.f16x2.e4m3x2 %0, %1;", 0x7f80) == 0x7fff8000);
  CHECK(run32("cvt.rn.relu.f16x2.e4m3x2 %0, %1;", 0x38b8) == 0x3c000000);
  CHECK(run32("cvt.rn.f16x2.e5m2x2 %0, %1;", 0x3cfc) == 0x3c00fc00);
}

TEST_CASE("Ptx.Tf32") {
  const auto to = [](const char* text, std::uint32_t bits) { return run32(text, static_cast<int>(bits)); };
  CHECK(to("cvt.rna.tf32.f32 %0, %1;", 0x3f801000) == 0x3f802000);
  CHECK(to("cvt.rn.tf32.f32 %0, %1;", 0x3f801000) == 0x3f800000);
  CHECK(to("cvt.rz.tf32.f32 %0, %1;", 0x3f801fff) == 0x3f800000);
  CHECK(to("cvt.rn.relu.tf32.f32 %0, %1;", 0xbf801000) == 0);
  CHECK(to("cvt.rn.tf32.f32 %0, %1;", 0x7f800001) == 0x7fffe000);
  CHECK(to("cvt.rna.tf32.f32 %0, %1;", 0xff812345) == 0xff812000);
}

TEST_CASE("Ptx.MemoryAndAtomics") {
  std::uint32_t words[4] = {1, 2, 3, 4};
  Site load;
  std::uint32_t a = 0, b = 0;
  execute(load, "ld.global.nc.L1::no_allocate.L2::128B.v2.u32 {%0, %1}, [%2 + 8];", output("=r", a), output("=r", b),
          input("l", words));
  CHECK(a == 3);
  CHECK(b == 4);
  Site store;
  execute(store, "st.global.cs.v2.b32 [%0], {%1, 9};", input("l", words), input("r", 7));
  CHECK(words[0] == 7);
  CHECK(words[1] == 9);
  std::int8_t byte = -3;
  Site narrow;
  std::int32_t wide = 0;
  execute(narrow, "ld.s8 %0, [%1];", output("=r", wide), input("l", &byte));
  CHECK(wide == -3);
}

TEST_CASE("Ptx.InOutAndNamedOperands") {
  Site site;
  std::uint32_t x = 5;
  execute(site, "add.u32 %[x], %[x], %[y];", output("+r", x, "x"), input("n", 3, "y"));
  CHECK(x == 8);
}

TEST_CASE("Ptx.CommentsAndRanges") {
  CHECK(run32("// first\n\t.reg .u32 %%t<3>; /* mov */ mov.u32 %%t1, 4;\n\tadd.u32 %0, %%t1, %1;\n", 3) == 7);
}

}  // namespace
}  // namespace offgrid::emu::ptx

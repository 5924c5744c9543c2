// Device profiles, libraries and the toolchain file behind a command line.
#include "cli/cc/toolchain.h"

#include <fstream>

#include "catch.h"
#include "cli/cc/architecture.h"
#include "cli/cc/libraries.h"
#include "cli/cc/process.h"

namespace offgrid::emu::cli {
namespace {

using Words = std::vector<std::string>;

DeviceProfile row(std::string_view name, Vendor vendor, int major) {
  DeviceProfile p{};
  p.name = name;
  p.vendor = vendor;
  p.major = major;
  return p;
}

std::string profile(const Words& architectures, Dialect dialect = Dialect::kCuda) {
  static const DeviceProfile kRows[] = {row("sm_90", Vendor::kNvidia, 9), row("sm_70", Vendor::kNvidia, 7),
                                        row("sm_120", Vendor::kNvidia, 12), row("gfx1030", Vendor::kAmd, 10)};
  return std::string(choose_profile(kRows, dialect, architectures).name);
}

TEST_CASE("Architecture.NearestProfile") {
  CHECK(profile({}) == "sm_90");
  CHECK(profile({"sm_90a"}) == "sm_90");
  CHECK(profile({"compute_60"}) == "sm_70");
  CHECK(profile({"sm_86"}) == "sm_70");
  CHECK(profile({"sm_100"}) == "sm_90");
  CHECK(profile({"sm_60", "sm_120"}) == "sm_120");
  CHECK(profile({"gfx1030"}) == "gfx1030");
  CHECK(profile({}, Dialect::kHip) == "gfx1030");
  CHECK_THROWS_WITH(profile({"avx"}), "unknown architecture 'avx'; expected one like sm_90, compute_90 or gfx1030");
}

TEST_CASE("Architecture.Macros") {
  CHECK(architecture_macros(*find_device_profile("sm_120")) ==
        Words{"-D__CUDA_ARCH__=1200", "-D__CUDA_ARCH_LIST__=1200"});
  CHECK(architecture_macros(*find_device_profile("gfx1030")) ==
        Words{"-D__gfx1030__=1", "-D__AMDGCN_WAVEFRONT_SIZE=32"});
}

TEST_CASE("Libraries.ReplacedAndMissing") {
  CHECK(usable_link_flags({"-lcudart", "-L/x", "-lm", "-lcuda", "-lcudadevrt"}) == Words{"-L/x", "-lm"});
  CHECK_THROWS_WITH(usable_link_flags({"-lcublas"}),
                    "the library 'cublas' does not exist for the emulator; it runs kernels from source");
}

TEST_CASE("Toolchain.FileIsRelativeToItsRoot") {
  const std::filesystem::path root = "toolchain_test_root";
  std::filesystem::create_directories(root / "lib" / "offgrid");
  std::ofstream(root / "lib" / "offgrid" / "toolchain.txt")
      << "# comment\ncxx clang++\ninclude ${root}/include\ncompile -march=x\nlink ${root}/lib/a.a\nlink -lm\n";
  const Toolchain t = read_toolchain(root, "");
  CHECK(t.cxx == Words{"clang++"});
  CHECK(t.is_clang());
  CHECK(t.include_folders == Words{"toolchain_test_root/include"});
  CHECK(t.compile_flags == Words{"-march=x"});
  CHECK(t.link_flags == Words{"toolchain_test_root/lib/a.a", "-lm"});
  const Toolchain other = read_toolchain(root, "ccache g++");
  CHECK(other.cxx == Words{"ccache", "g++"});
  CHECK_FALSE(other.is_clang());
  std::filesystem::remove_all(root);
  CHECK_THROWS_WITH(read_toolchain(root, ""), ContainsSubstring("is offgrid installed completely?"));
}

TEST_CASE("Process.ShellLineQuotes") {
  CHECK(shell_line({"a", "b c", "it's", "", "-DX=\"y\""}) == "a 'b c' 'it'\\''s' '' '-DX=\"y\"'");
}

TEST_CASE("Process.ExitCodes") {
  CHECK(run_process({"true"}) == 0);
  CHECK(run_process({"sh", "-c", "exit 3"}) == 3);
  CHECK(run_process({"sh", "-c", "kill -9 $$"}) == 137);
}

}  // namespace
}  // namespace offgrid::emu::cli

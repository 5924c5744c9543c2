// Campaigns as processes: what is found stays found, whatever ends them.
#include <offgrid/fuzz/campaign.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "catch.h"

using namespace offgrid::fuzz;
namespace fs = std::filesystem;

namespace {

/// A folder of its own that goes with it.
struct Folder {
  explicit Folder(const std::string& name)
      : path(fs::temp_directory_path() / ("offgrid_campaign_" + name + std::to_string(getpid()))) {
    fs::remove_all(path);
  }
  ~Folder() {
    fs::remove_all(path);
    fs::remove(path.string() + ".out");
  }
  fs::path path;
};

int run(const Folder& folder, const std::string& arguments, const std::string& environment = "") {
  const std::string command = environment + " " PLANTED_FUZZ " fuzz --dir " + folder.path.string() + " " + arguments +
                              " > " + folder.path.string() + ".out 2>&1";
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string output_of(const Folder& folder) {
  std::ifstream in(folder.path.string() + ".out");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::set<std::string> keys_of(const Folder& folder) {
  std::set<std::string> keys;
  for (const StoredFinding& finding : read_findings(folder.path)) keys.insert(finding.key);
  return keys;
}

}  // namespace

TEST_CASE("Campaign.FindsThePlantedBugsAndNothingInTheTwins") {
  const Folder folder("finds");
  INFO(output_of(folder));
  REQUIRE(run(folder, "--shapes 400 --seconds 60 --jobs 2") == 1);
  const auto keys = keys_of(folder);
  for (const char* name :
       {"missing_barrier", "overwrite_without_second_barrier", "missing_warp_barrier", "atomic_order", "check_then_act",
        "two_variable_order", "producer_lags", "last_block_without_fence"}) {
    INFO(name);
    CHECK(keys.count(std::string(name) + ": wrong result") == 1);
  }
  for (const std::string& key : keys) CHECK(key.find("_fenced") == key.npos);
  CHECK_THAT(output_of(folder), ContainsSubstring("replay  offgrid replay 'offgrid1;"));
}

TEST_CASE("Campaign.ShardsFindTheSameSetAsOne") {
  const Folder one("one"), two("two");
  run(one, "--shapes 200 --seconds 60");
  run(two, "--shapes 200 --seconds 60", "OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2");
  const auto half = keys_of(two);
  run(two, "--shapes 200 --seconds 60", "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2");
  CHECK(keys_of(one) == keys_of(two));
  CHECK(half.size() <= keys_of(two).size());
}

TEST_CASE("Campaign.AKillLosesNothing") {
  const Folder folder("killed");
  std::set<std::string> before;
  for (int round = 0; round < 3; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      setpgid(0, 0);
      (void)!freopen("/dev/null", "w", stderr);
      execl(PLANTED_FUZZ, PLANTED_FUZZ, "fuzz", "--seconds", "60", "--dir", folder.path.c_str(), nullptr);
      _exit(127);
    }
    setpgid(child, child);
    while (keys_of(folder).size() <= before.size() && waitpid(child, nullptr, WNOHANG) == 0) usleep(10000);
    const auto seen = keys_of(folder);
    kill(-child, SIGKILL);
    waitpid(child, nullptr, 0);
    const auto after = keys_of(folder);
    CHECK(std::includes(after.begin(), after.end(), seen.begin(), seen.end()));
    CHECK(after.size() > before.size());
    before = after;
  }
}

TEST_CASE("Campaign.ALineThatAKillHasCutIsLeftOut") {
  const Folder folder("cut");
  run(folder, "--shapes 20 --seconds 60");
  const auto before = keys_of(folder);
  REQUIRE_FALSE(before.empty());
  std::ofstream(folder.path / "findings.0of1.0of1", std::ios::app) << "{\"key\":\"half";
  CHECK(keys_of(folder) == before);
  run(folder, "--shapes 100 --seconds 60");
  CHECK(keys_of(folder).size() > before.size());
}

TEST_CASE("Campaign.GoesOnWhereItWas") {
  const Folder folder("goes_on");
  run(folder, "--shapes 30 --seconds 60");
  run(folder, "--shapes 30 --seconds 60");
  CHECK_THAT(output_of(folder), ContainsSubstring(" 0 shapes, 0 schedules"));
}

TEST_CASE("Campaign.AnotherOneInTheFolderIsRefused") {
  const Folder folder("other");
  run(folder, "--shapes 2");
  CHECK(run(folder, "--shapes 2 --seed 8") == 2);
  CHECK_THAT(output_of(folder), ContainsSubstring("holds another campaign"));
}

TEST_CASE("Campaign.WrongUsageIsNamed") {
  const Folder folder("usage");
  for (const auto& [arguments, text] : {std::pair{"--seconds x", "--seconds must be a number"},
                                        {"--jobs 0", "--jobs must be a number from 1"},
                                        {"--only nothing_like_that", "no target matches 'nothing_like_that'"},
                                        {"--shard 3/2", "the index must be below the count"},
                                        {"--what", "unexpected argument '--what'"}}) {
    INFO(arguments);
    CHECK(run(folder, arguments) == 2);
    CHECK_THAT(output_of(folder), ContainsSubstring(text));
  }
  CHECK(run(folder, "--shapes 2", "SLURM_ARRAY_TASK_ID=q SLURM_ARRAY_TASK_COUNT=2") == 2);
}

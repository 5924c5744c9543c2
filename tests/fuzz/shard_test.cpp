// The shard that the environment tells of.
#include <offgrid/fuzz/campaign.h>

#include <cstdlib>
#include <map>

#include "catch.h"

using namespace offgrid::fuzz;

namespace {

/// Variables for as long as it lives.
struct Environment {
  explicit Environment(std::map<std::string, std::string> all) : variables(std::move(all)) {
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  }
  ~Environment() {
    for (const auto& [name, value] : variables) unsetenv(name.c_str());
  }
  std::map<std::string, std::string> variables;
};

std::pair<unsigned, unsigned> shard_of(const std::map<std::string, std::string>& variables) {
  const Environment environment(variables);
  CampaignOptions options;
  shard_from_environment(options);
  return {options.shard, options.shards};
}

}  // namespace

TEST_CASE("Shard.ComesFromSlurmAndMpirun") {
  CHECK(shard_of({}) == std::pair{0u, 1u});
  CHECK(shard_of({{"OFFGRID_SHARD", "2/5"}}) == std::pair{2u, 5u});
  CHECK(shard_of({{"SLURM_ARRAY_TASK_ID", "7"}, {"SLURM_ARRAY_TASK_COUNT", "4"}, {"SLURM_ARRAY_TASK_MIN", "5"}}) ==
        std::pair{2u, 4u});
  CHECK(shard_of({{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}}) == std::pair{1u, 2u});
  CHECK(shard_of({{"PMI_RANK", "3"}, {"PMI_SIZE", "8"}}) == std::pair{3u, 8u});
  CHECK(shard_of({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "3"}}) == std::pair{0u, 3u});
}

TEST_CASE("Shard.MalformedVariablesAreNamed") {
  for (const char* text : {"5/5", "x", "1/", "/2", "1/2x"}) {
    const Environment environment({{"OFFGRID_SHARD", text}});
    CampaignOptions options;
    INFO(text);
    CHECK_THROWS_WITH(shard_from_environment(options), ContainsSubstring("OFFGRID_SHARD="));
  }
  const Environment environment({{"SLURM_ARRAY_TASK_ID", "9"}, {"SLURM_ARRAY_TASK_COUNT", "4"}});
  CampaignOptions options;
  CHECK_THROWS_WITH(shard_from_environment(options), ContainsSubstring("must have the step 1"));
}

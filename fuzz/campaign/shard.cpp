// Which part of a campaign this process has: Slurm arrays and tasks, mpirun. No MPI library is needed, since shards
// meet only in the folder.
#include <offgrid/fuzz/campaign.h>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace offgrid::fuzz {
namespace {

[[noreturn]] void wrong(const std::string& name, const std::string& rule) {
  throw std::runtime_error(name + "=" + std::getenv(name.c_str()) + ": " + rule);
}

std::optional<unsigned> number_in(const char* name) {
  const char* text = std::getenv(name);
  if (!text || !*text) return std::nullopt;
  const std::string_view all = text;
  unsigned value = 0;
  const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), value);
  if (error != std::errc{} || end != all.data() + all.size()) wrong(name, "must be a number");
  return value;
}

struct Row {
  const char *index, *count, *first;  // `first`: the number that counts as 0, if it is not 0
};
constexpr Row kRows[] = {
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", nullptr},
    {"PMI_RANK", "PMI_SIZE", nullptr},
    {"SLURM_PROCID", "SLURM_NTASKS", nullptr},
};

}  // namespace

void shard_from_environment(CampaignOptions& options) {
  if (const char* text = std::getenv("OFFGRID_SHARD")) {
    const std::string_view all = text;
    const auto [slash, error] = std::from_chars(all.data(), all.data() + all.size(), options.shard);
    const char* const end = all.data() + all.size();
    const bool has_slash = error == std::errc{} && slash != end && *slash == '/';
    if (!has_slash || std::from_chars(slash + 1, end, options.shards).ptr != end) {
      wrong("OFFGRID_SHARD", "must be INDEX/COUNT, such as 0/8");
    }
    if (options.shard >= options.shards) wrong("OFFGRID_SHARD", "the index must be below the count");
    return;
  }
  for (const Row& row : kRows) {
    const auto index = number_in(row.index), count = number_in(row.count);
    if (!index || !count) continue;
    const unsigned first = row.first ? number_in(row.first).value_or(0) : 0;
    if (*index < first || *index - first >= *count) {
      wrong(row.index, "lies outside of the " + std::to_string(*count) + " that " + row.count +
                           " tells of; arrays must have the step 1");
    }
    options.shard = *index - first;
    options.shards = *count;
    return;
  }
}

}  // namespace offgrid::fuzz

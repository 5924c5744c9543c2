/// A campaign: processes that try targets, shapes, inputs and schedules for some time and keep what they find.
///
/// Everything lies in one folder: `campaign` says what is searched, `findings.*` hold one JSON object a line, written
/// and synced the moment something is found, `progress.*` say how far each process has come. A campaign that was
/// killed goes on where it was; several machines may share the folder, each with its shard.
#pragma once

#include <offgrid/fuzz/token.h>

#include <cstdint>
#include <string>
#include <vector>

namespace offgrid::fuzz {

struct CampaignOptions {
  std::string folder = "offgrid-fuzz";
  std::string only{};  ///< pattern of target names
  std::uint64_t seed = 1;
  double seconds = 60;
  std::uint64_t groups = 0;  ///< shapes to try in all, of all shards together; 0: as many as there is time for
  unsigned jobs = 1;
  unsigned shard = 0, shards = 1;  ///< from the environment of Slurm or mpirun, if there is one
  unsigned schedules_per_shape = 40;
  bool quiet = false;  ///< no progress line
};

struct StoredFinding {
  std::string key, token, headline;
};

/// All distinct findings of the folder, by key; a last line that was cut off is left out.
std::vector<StoredFinding> read_findings(const std::string& folder);

/// Runs, or continues, a campaign. Returns how many distinct findings the folder then has.
///
/// errors  std::runtime_error: the folder cannot be used, or holds a campaign of another build or pattern
std::size_t run_campaign(const CampaignOptions& options);

/// Sets shard and shards from OFFGRID_SHARD=k/n, Slurm's array variables, or the rank variables of Open MPI, MPICH and
/// Slurm tasks.
/// errors  std::runtime_error that names the variable
void shard_from_environment(CampaignOptions& options);

}  // namespace offgrid::fuzz

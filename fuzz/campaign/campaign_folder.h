/// The files of a campaign. Whatever was written is whole after a kill: findings are appended and synced one by one,
/// the others are written under another name first.
#pragma once

#include <offgrid/fuzz/campaign.h>

#include <cstdint>
#include <string>

namespace offgrid::fuzz {

class CampaignFolder {
 public:
  /// Makes the folder, or checks that it holds the same campaign.
  /// errors  std::runtime_error
  explicit CampaignFolder(const CampaignOptions& options);

  /// errors  std::runtime_error if the file cannot be written: a finding that is not kept is no finding
  void add(const std::string& part, const StoredFinding& finding) const;
  void save_progress(const std::string& part, std::uint64_t next_group) const;
  std::uint64_t load_progress(const std::string& part) const;  ///< 0 without a file

 private:
  std::string path_;
};

/// One JSON object with its newline.
std::string json_of(const StoredFinding& finding);

}  // namespace offgrid::fuzz

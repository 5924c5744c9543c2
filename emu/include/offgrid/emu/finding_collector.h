/// For tests: collects findings instead of printing them, for as long as it lives.
#pragma once

#include <offgrid/emu/engine.h>
#include <offgrid/emu/finding.h>
#include <offgrid/emu/report.h>

#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace offgrid::emu {

/// Becomes the process's finding sink when made, and gives the sink before it its place back when it goes.
///
///   FindingCollector findings;
///   launch_my_kernel(...);
///   INFO(findings.text());
///   REQUIRE(findings.empty());
class FindingCollector final : public FindingSink {
 public:
  FindingCollector() : previous_(set_finding_sink(this)) {}
  ~FindingCollector() override { set_finding_sink(previous_); }
  FindingCollector(const FindingCollector&) = delete;
  FindingCollector& operator=(const FindingCollector&) = delete;

  void add(Finding finding) override {
    const std::lock_guard lock(mutex_);
    findings_.push_back(std::move(finding));
  }

  bool empty() const { return count() == 0; }
  std::size_t count() const {
    const std::lock_guard lock(mutex_);
    return findings_.size();
  }
  std::size_t count(FindingId id) const {
    const std::lock_guard lock(mutex_);
    std::size_t n = 0;
    for (const Finding& finding : findings_) n += finding.id == id;
    return n;
  }
  std::vector<Finding> findings() const {
    const std::lock_guard lock(mutex_);
    return findings_;
  }
  /// The full reports, as they would have been printed.
  std::string text() const {
    std::string all;
    for (const Finding& finding : findings()) all += format_finding(finding, FormatOptions{}) + "\n";
    return all;
  }

 private:
  FindingSink* previous_;
  mutable std::mutex mutex_;
  std::vector<Finding> findings_;
};

}  // namespace offgrid::emu

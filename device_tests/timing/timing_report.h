// What a timing run measured, and its forms: a line of a table, JSON, a picture.
#pragma once

#include <offgrid/timing/balanced.h>

#include <string>
#include <vector>

namespace offgrid::timing {

/// The arms under one way to measure: "graph", "eager" or "enqueue". Microseconds a call.
struct Measurement {
  std::string name;
  std::vector<Samples> arms;
};

/// One problem. Rows of a panel share a picture.
struct TimingRow {
  std::string panel;  ///< "mla_decode, 16 heads, bf16 cache"
  std::string shape;  ///< "32 x 512"
  double bytes = 0;   ///< that have to move, each once
  double flops = 0;
  bool in_mean = true;  ///< counts in the geometric means; control rows do not
  std::vector<Measurement> measurements;
};

struct TimingReport {
  std::string device;         ///< "NVIDIA H200, driver 13.0, runtime 13.0"
  double copy_bandwidth = 0;  ///< bytes a second that a copy on the device reads and writes, measured in this run
  int calls = 0;              ///< in a graph, or launched one after the other
  int blocks = 0;             ///< balanced blocks: two samples an arm in each
  std::vector<TimingRow> rows;

  /// The time below which the bytes cannot move at the copy rate. Rows that stay in a cache between calls can beat it.
  double floor_us(const TimingRow& row) const { return row.bytes / copy_bandwidth * 1e6; }
};

/// A row as text, with a newline: medians [least, most], how many times faster the last arm is than the first, and the
/// rate at which the last arm's graph moves the bytes.
std::string row_text(const TimingReport& report, const TimingRow& row);
/// Geometric means of the speed-up of the last arm over the first, a line a panel and measurement.
std::string means_text(const TimingReport& report);

/// One object: device, copy_bandwidth, calls, blocks, rows with every sample.
std::string timing_json(const TimingReport& report);

/// A picture a panel: times of the graphs (or of the first measurement) and the floor, and the achieved rate against
/// the copy rate. Stands alone, no scripts.
std::string timing_svg(const TimingReport& report);

}  // namespace offgrid::timing

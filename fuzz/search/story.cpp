// An interleaving as a story and as a trace. See <offgrid/fuzz/shrink.h>.
#include <offgrid/emu/report.h>
#include <offgrid/fuzz/shrink.h>

#include <cstdio>

namespace offgrid::fuzz {
namespace {

using emu::RecordedPoint;

std::string name_of(emu::ThreadId id) {
  if (id == emu::kNoThread) return "nobody";
  return "thread " + std::to_string(id % emu::kThreadsPerBlockId) + " of block " +
         std::to_string(id / emu::kThreadsPerBlockId);
}

std::string file_and_line(const emu::SourceLine& where) {
  const std::string file = where.file;
  return file.substr(file.find_last_of('/') + 1) + ":" + std::to_string(where.line);
}

std::string place_of(const RecordedPoint& point) {
  if (point.pc) return emu::place_of_code(point.pc);
  return point.where.file ? file_and_line(point.where) : "";
}

const char* name_of(emu::PointKind kind) {
  return kind == emu::PointKind::kAccess ? "access" : kind == emu::PointKind::kYield ? "yield" : "sync";
}

/// Why the running thread stopped.
std::string reason_of(const RecordedPoint& point) {
  const std::string place = place_of(point);
  const std::string at = place.empty() ? "" : " at " + place;
  if (point.kind == emu::PointKind::kYield) return "spins" + at;
  if (point.kind == emu::PointKind::kAccess) {
    if (point.access.bytes == 0) return "stops before a fence" + at;
    const char* what = point.access.is_atomic ? "an atomic" : point.access.writes ? "a write" : "a read";
    return std::string("stops before ") + what + at;
  }
  return (point.could_run_on ? "has completed a barrier or shuffle" : "can go no further") + at;
}

}  // namespace

std::string story(const Trial& trial) {
  const TrialResult run = run_trial(trial, true);
  std::string text;
  unsigned shown = 0;
  std::size_t by_default = 0;
  for (const RecordedPoint& point : run.recorded) {
    if (point.chosen == point.running) continue;
    if (point.is_default) {
      ++by_default;
      continue;
    }
    if (by_default) text += "      (" + std::to_string(by_default) + " changes to the first thread that can run)\n";
    by_default = 0;
    char number[16];
    std::snprintf(number, sizeof number, "%4u  ", ++shown);
    text += number;
    text += point.running == emu::kNoThread ? "the launch begins" : name_of(point.running) + " " + reason_of(point);
    text += "; " + name_of(point.chosen) + " runs\n";
  }
  if (shown == 0) text += "      no switch is needed: it fails in order\n";
  if (!run.switches.stale.empty()) {
    text += "      reads that see what was there before an unfenced write of another block: " +
            std::to_string(run.switches.stale.size()) + "\n";
  }
  if (run.failed) text += "      then: " + run.headline + "\n";
  return text;
}

std::string chrome_trace(const Trial& trial) {
  const TrialResult run = run_trial(trial, true);
  std::string text;
  const auto add = [&](emu::ThreadId thread, const std::string& name, const char* kind, std::size_t from,
                       std::size_t to) {
    if (thread == emu::kNoThread) return;
    text += (text.empty() ? "\n" : ",\n") + std::string("{\"name\":\"") + name + "\",\"cat\":\"" + kind +
            "\",\"ph\":\"X\",\"ts\":" + std::to_string(from) + ",\"dur\":" + std::to_string(to - from) +
            ",\"pid\":" + std::to_string(thread / emu::kThreadsPerBlockId) +
            ",\"tid\":" + std::to_string(thread % emu::kThreadsPerBlockId) + "}";
  };
  std::size_t since = 0;
  for (std::size_t i = 0; i < run.recorded.size(); ++i) {
    const RecordedPoint& point = run.recorded[i];
    if (point.running == point.chosen) continue;
    const std::string place = place_of(point);
    add(point.running, place.empty() ? "to its end" : "to " + place, name_of(point.kind), since, i + 1);
    since = i + 1;
  }
  if (!run.recorded.empty()) add(run.recorded.back().chosen, "to its end", "sync", since, run.recorded.size() + 1);
  return "{\"traceEvents\":[" + text + "\n],\"displayTimeUnit\":\"ns\"}\n";
}

}  // namespace offgrid::fuzz

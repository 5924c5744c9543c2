/// The sink that prints, folds, waives and counts.
#include <mutex>
#include <unordered_map>

#include "report/json_report.h"
#include "report/json_text.h"
#include "report/large_stack.h"
#include "report/report_files.h"
#include "report/run_record.h"
#include "report/text_report.h"
#include "report/waivers.h"

namespace offgrid::emu {
namespace {

/// What identifies a finding before its addresses are resolved: cheap enough for every repeat.
std::string raw_key(const Finding& f) {
  std::string key = std::to_string(static_cast<int>(f.id)) + "|" + f.place.kernel + "|";
  if (f.sites.empty()) return key + f.headline;
  const FindingSite& main = f.sites.front();
  if (main.where.file != nullptr) return key + main.where.file + ":" + std::to_string(main.where.line);
  return key + std::to_string(main.pc);
}

std::string counted(std::uint64_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

std::string summary_text(const FindingCounts& counts) {
  std::string text;
  const auto append = [&](std::uint64_t n, const std::string& part) {
    if (n != 0) text += (text.empty() ? "" : ", ") + part;
  };
  append(counts.errors, counted(counts.errors, "error"));
  append(counts.warnings, counted(counts.warnings, "warning"));
  append(counts.notes, counted(counts.notes, "note"));
  append(counts.waived, std::to_string(counts.waived) + " waived");
  if (text.empty()) return "offgrid: no findings";
  if (counts.folded != 0) text += " (" + std::to_string(counts.folded) + " folded)";
  return "offgrid: " + text;
}

std::string waiver_place(const Waiver& waiver) { return waiver.source_file + ":" + std::to_string(waiver.source_line); }

}  // namespace

struct TextReporter::Impl {
  explicit Impl(ReporterOptions o)
      : options(std::move(o)), waivers(options.waivers), files(options, [this](const std::string& t) { print(t); }) {}

  void add(const Finding& finding) {
    const std::string raw = raw_key(finding);
    if (const auto known = by_raw_key.find(raw); known != by_raw_key.end()) {
      fold(*known->second, finding);
      return;
    }
    on_large_stack([&] { by_raw_key[raw] = &add_resolved(finding); });
  }

  /// A finding with an address not seen before; it may still stand on a known line.
  SeenFinding& add_resolved(const Finding& finding) {
    std::vector<ResolvedSite> sites = resolve_sites(finding);
    const auto [at, is_new] = by_label.try_emplace(finding_label(finding, sites, options.format));
    if (!is_new) {
      fold(*at->second, finding);
      return *at->second;
    }
    auto seen = std::make_unique<SeenFinding>();
    SeenFinding& added = *seen;
    at->second = &added;
    added.waiver = waivers.find(finding, sites);
    added.range.add(finding);
    count(added, finding);
    if (listed_of(added) < options.max_findings) {
      added.finding = finding;
      added.sites = std::move(sites);
      list(std::move(seen));
    } else {
      only_count(std::move(seen));
    }
    return added;
  }

  /// Waived findings have a cap of their own: they must not hide others.
  std::size_t& listed_of(const SeenFinding& seen) { return seen.waiver ? listed_waived : listed_others; }

  void list(std::unique_ptr<SeenFinding> seen) {
    const SeenFinding& added = *seen;
    ++listed_of(added);
    run.listed.push_back(std::move(seen));
    if (added.waiver == nullptr) print(format_resolved(added.finding, added.sites, options.format) + "\n");
    files.append_json(json_resolved(added.finding, added.sites, options.format, added.waiver));
    files.update(run);
  }

  void only_count(std::unique_ptr<SeenFinding> seen) {
    if (!said_cap && seen->waiver == nullptr) {
      print("offgrid: more than " + counted(options.max_findings, "finding") + "; further ones are only counted\n");
      said_cap = true;
    }
    ++run.unlisted;
    unlisted.push_back(std::move(seen));
  }

  void fold(SeenFinding& seen, const Finding& finding) {
    seen.repeats += 1 + finding.folded;
    seen.range.add(finding);
    (seen.waiver ? run.counts.folded_waived : run.counts.folded) += 1 + finding.folded;
  }

  void count(const SeenFinding& seen, const Finding& finding) {
    FindingCounts& counts = run.counts;
    if (seen.waiver != nullptr) {
      ++counts.waived;
      counts.folded_waived += finding.folded;
      return;
    }
    counts.folded += finding.folded;
    (finding.severity == Severity::kError     ? counts.errors
     : finding.severity == Severity::kWarning ? counts.warnings
                                              : counts.notes) += 1;
    failed = failed || finding.severity >= options.fail_on;
  }

  void print(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), options.out);
    std::fflush(options.out);
  }

  std::string label_of(const SeenFinding& seen) const {
    return finding_label(seen.finding, seen.sites, options.format);
  }

  void finish(std::optional<int> exit_status) {
    if (run.finished) return;
    run.finished = true;
    run.exit_status = exit_status;
    run.unmatched = waivers.unmatched();
    files.append_json(summary_json());
    files.update(run);
    std::string text;
    for (const auto& seen : run.listed) {
      if (seen->waiver == nullptr) text += repeats_line(*seen);
    }
    for (const auto& seen : run.listed) {
      if (seen->waiver != nullptr) text += waived_line(*seen);
    }
    for (const Waiver* waiver : run.unmatched) {
      text += "offgrid: note: " + waiver_place(*waiver) + ": waiver " + waiver_columns(*waiver) + " matched nothing\n";
    }
    if (run.counts.any()) text += summary_text(run.counts) + "\n";
    print(text);
  }

  std::string repeats_line(const SeenFinding& seen) const {
    if (seen.repeats == 0) return "";
    const std::string range = seen.range.text();
    return "offgrid: " + label_of(seen) + ": " + std::to_string(seen.repeats) + " more like it" +
           (range.empty() ? "" : ", " + range) + "\n";
  }

  std::string waived_line(const SeenFinding& seen) const {
    std::string text = "offgrid: waived " + label_of(seen);
    if (seen.repeats != 0) text += ", and " + std::to_string(seen.repeats) + " more like it";
    return text + ": " + seen.waiver->reason + " (" + waiver_place(*seen.waiver) + ")\n";
  }

  std::string summary_json() const {
    const auto number = [](const char* name, std::uint64_t n) { return json_field(name, std::to_string(n)); };
    std::vector<const SeenFinding*> repeated;
    for (const auto& seen : run.listed) {
      if (seen->repeats != 0) repeated.push_back(seen.get());
    }
    const auto repeat = [&](const SeenFinding* seen) {
      const std::string range = seen->range.json_members();
      return "{" + json_field("finding", json_string(label_of(*seen))) + "," + number("count", seen->repeats) +
             (range.empty() ? "" : "," + range) + "}";
    };
    const auto unmatched = [](const Waiver* waiver) {
      return json_string(waiver_place(*waiver) + ": " + waiver_columns(*waiver));
    };
    const FindingCounts& c = run.counts;
    return "{" + program_field() + ",\"summary\":{" + number("errors", c.errors) + "," +
           number("warnings", c.warnings) + "," + number("notes", c.notes) + "," + number("folded", c.folded) + "," +
           number("waived", c.waived) + "," + number("unlisted", run.unlisted) + "}," +
           json_field("repeats", json_array(repeated, repeat)) + "," +
           json_field("unmatched_waivers", json_array(run.unmatched, unmatched)) + "}\n";
  }

  std::mutex mutex;
  const ReporterOptions options;
  WaiverList waivers;
  ReportFiles files;
  RunRecord run;
  std::vector<std::unique_ptr<SeenFinding>> unlisted;  // only what folding needs
  std::size_t listed_others = 0, listed_waived = 0;
  std::unordered_map<std::string, SeenFinding*> by_label, by_raw_key;
  bool failed = false, said_cap = false;
};

TextReporter::TextReporter(ReporterOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
TextReporter::~TextReporter() = default;

void TextReporter::add(Finding finding) {
  const std::lock_guard lock(impl_->mutex);
  impl_->add(finding);
}

FindingCounts TextReporter::counts() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->run.counts;
}

bool TextReporter::failed() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->failed;
}

std::string TextReporter::summary() const { return summary_text(counts()); }

void TextReporter::finish(std::optional<int> exit_status) {
  const std::lock_guard lock(impl_->mutex);
  on_large_stack([&] { impl_->finish(exit_status); });
}

}  // namespace offgrid::emu

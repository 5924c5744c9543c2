/// The sink that prints, folds and counts.
#include <map>
#include <mutex>
#include <unordered_map>

#include "report/json_report.h"
#include "report/large_stack.h"
#include "report/source_excerpt.h"
#include "report/text_report.h"

namespace offgrid::emu {
namespace {

/// One distinct finding and how often it came again.
struct Seen {
  std::string label;  ///< "error[oob-read] at kernel.cu:12 in copy"
  std::uint64_t repeats = 0;
};

/// What identifies a finding before its addresses are resolved: cheap enough for every repeat.
std::string raw_key(const Finding& f) {
  std::string key = std::to_string(static_cast<int>(f.id)) + "|" + f.place.kernel + "|";
  if (f.sites.empty()) return key + f.headline;
  const FindingSite& main = f.sites.front();
  if (main.where.file != nullptr) return key + main.where.file + ":" + std::to_string(main.where.line);
  return key + std::to_string(main.pc);
}

std::string label_of(const Finding& f, const std::vector<ResolvedSite>& sites, const FormatOptions& format) {
  std::string label = std::string(severity_name(f.severity)) + "[" + kind_name(f) + "]";
  if (sites.empty()) {
    label += ": " + f.headline;
  } else if (!sites.front().file.empty()) {
    label +=
        " at " + display_path(sites.front().file, format.base_directory) + ":" + std::to_string(sites.front().line);
  } else if (!sites.front().function.empty()) {
    label += " in " + sites.front().function;
  } else {
    label += ": " + f.headline;
  }
  return label + (f.place.kernel.empty() ? "" : " in " + f.place.kernel);
}

std::string counted(std::uint64_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

std::string summary_text(const FindingCounts& counts) {
  std::string text;
  const auto append = [&](std::uint64_t n, const char* what) {
    if (n != 0) text += (text.empty() ? "" : ", ") + counted(n, what);
  };
  append(counts.errors, "error");
  append(counts.warnings, "warning");
  append(counts.notes, "note");
  if (text.empty()) return "offgrid: no findings";
  if (counts.folded != 0) text += " (" + std::to_string(counts.folded) + " folded)";
  return "offgrid: " + text;
}

}  // namespace

struct TextReporter::Impl {
  explicit Impl(ReporterOptions o) : options(std::move(o)) {
    if (options.json_path.empty()) return;
    json = std::fopen(options.json_path.c_str(), "a");
    if (json == nullptr) print("offgrid: cannot write JSON lines to " + options.json_path + "\n");
  }
  ~Impl() {
    if (json != nullptr) std::fclose(json);
  }

  void add(const Finding& finding) {
    const std::string raw = raw_key(finding);
    if (const auto known = by_raw_key.find(raw); known != by_raw_key.end()) {
      fold(*known->second, finding);
      return;
    }
    on_large_stack([&] { by_raw_key[raw] = &add_resolved(finding); });
  }

  /// A finding with an address not seen before; it may still stand on a known line.
  Seen& add_resolved(const Finding& finding) {
    const std::vector<ResolvedSite> sites = resolve_sites(finding);
    const std::string label = label_of(finding, sites, options.format);
    const auto [at, is_new] = by_label.try_emplace(label, Seen{label});
    if (!is_new) {
      fold(at->second, finding);
      return at->second;
    }
    count(finding);
    if (++distinct <= options.max_printed) {
      print(format_resolved(finding, sites, options.format) + "\n");
    } else if (distinct == options.max_printed + 1) {
      print("offgrid: more than " + counted(options.max_printed, "finding") + "; further ones are only counted\n");
    }
    write_json(json_resolved(finding, sites, options.format));
    return at->second;
  }

  void fold(Seen& seen, const Finding& finding) {
    seen.repeats += 1 + finding.folded;
    counts.folded += 1 + finding.folded;
  }

  void count(const Finding& finding) {
    counts.folded += finding.folded;
    (finding.severity == Severity::kError     ? counts.errors
     : finding.severity == Severity::kWarning ? counts.warnings
                                              : counts.notes) += 1;
  }

  void print(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), options.out);
    std::fflush(options.out);
  }

  void write_json(const std::string& line) {
    if (json == nullptr) return;
    std::fwrite(line.data(), 1, line.size(), json);
    std::fflush(json);
  }

  std::string summary_json() const {
    std::string repeats;
    for (const auto& [label, seen] : by_label) {
      if (seen.repeats == 0) continue;
      repeats += (repeats.empty() ? "" : ",") + ("{\"finding\":" + json_string(label)) +
                 ",\"count\":" + std::to_string(seen.repeats) + "}";
    }
    return "{" + program_field() + ",\"summary\":{\"errors\":" + std::to_string(counts.errors) +
           ",\"warnings\":" + std::to_string(counts.warnings) + ",\"notes\":" + std::to_string(counts.notes) +
           ",\"folded\":" + std::to_string(counts.folded) + "},\"repeats\":[" + repeats + "]}\n";
  }

  std::mutex mutex;
  ReporterOptions options;
  std::FILE* json = nullptr;
  FindingCounts counts;
  std::size_t distinct = 0;
  std::map<std::string, Seen> by_label;  // references into it stay valid
  std::unordered_map<std::string, Seen*> by_raw_key;
  bool finished = false;
};

TextReporter::TextReporter(ReporterOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
TextReporter::~TextReporter() = default;

void TextReporter::add(Finding finding) {
  const std::lock_guard lock(impl_->mutex);
  impl_->add(finding);
}

FindingCounts TextReporter::counts() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->counts;
}

std::string TextReporter::summary() const { return summary_text(counts()); }

void TextReporter::finish() {
  const std::lock_guard lock(impl_->mutex);
  if (impl_->finished) return;
  impl_->finished = true;
  impl_->write_json(impl_->summary_json());
  if (!impl_->counts.any()) return;
  std::string text;
  for (const auto& [label, seen] : impl_->by_label) {
    if (seen.repeats != 0) text += "offgrid: " + label + ": " + std::to_string(seen.repeats) + " more like it\n";
  }
  impl_->print(text + summary_text(impl_->counts) + "\n");
}

}  // namespace offgrid::emu

#include "report/sarif_report.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <map>

#include "report/finding_table.h"
#include "report/json_report.h"
#include "report/json_text.h"
#include "report/source_excerpt.h"
#include "report/text_report.h"
#include "report/waivers.h"

namespace offgrid::emu {
namespace {

constexpr const char* kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
constexpr std::size_t kMaxCallers = 32;   // a recursion that used up its stack has hundreds
constexpr const char* kRoot = "SRCROOT";  // stands for the folder in which the program was started

/// {member,...} of those that are not empty.
std::string object(std::initializer_list<std::string> members) {
  std::string json;
  for (const std::string& member : members) json += (json.empty() || member.empty() ? "" : ",") + member;
  return "{" + json + "}";
}

std::string text_message(const std::string& text) { return object({json_field("text", json_string(text))}); }

std::string level(Severity severity) { return json_field("level", json_string(std::string(severity_name(severity)))); }

/// FNV-1a, 64 bits.
std::string hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016" PRIx64, hash);
  return digits;
}

std::string file_uri(const std::string& path, bool is_folder) {
  return json_field("uri", json_string("file://" + uri_path(path) + (is_folder && path.back() != '/' ? "/" : "")));
}

std::string rule(const KindName& kind) {
  const std::string help = kind.info->help.empty() ? "see the notes of the finding" : std::string(kind.info->help);
  return object({json_field("id", json_string(kind.name)), json_field("shortDescription", text_message(kind.name)),
                 json_field("help", text_message(help)),
                 json_field("defaultConfiguration", object({level(kind.info->severity)}))});
}

class SarifRun {
 public:
  SarifRun(const RunRecord& run, const ReporterOptions& options)
      : run_(run), base_(options.format.base_directory), rules_(all_kind_names()) {}

  std::string text() {
    const std::string driver =
        object({json_field("name", "\"offgrid\""), json_field("semanticVersion", "\"" OFFGRID_VERSION "\""),
                json_field("rules", json_array(rules_, rule))});
    const std::string results = json_array(run_.listed, [&](const auto& seen) { return "\n" + result(*seen); });
    return object({json_field("tool", object({json_field("driver", driver)})),
                   json_field("invocations", "[" + invocation() + "]"), root(), json_field("results", results)});
  }

 private:
  std::string root() const {
    if (base_.empty()) return "";
    return json_field("originalUriBaseIds", object({json_field(kRoot, object({file_uri(base_, true)}))}));
  }

  std::string artifact(const std::string& file) const {
    const std::filesystem::path whole = std::filesystem::path(base_) / file;  // an absolute `file` replaces base_
    const std::string shown = display_path(whole.lexically_normal().string(), base_);
    if (shown.front() == '/') return object({file_uri(shown, false)});
    return object({json_field("uri", json_string(uri_path(shown))),
                   base_.empty() ? "" : json_field("uriBaseId", json_string(kRoot))});
  }

  std::string physical(const std::string& file, unsigned line) const {
    if (file.empty()) return "";
    const std::string snippet = source_line_text(file, line, base_);
    const std::string region =
        object({json_field("startLine", std::to_string(line)),
                snippet.empty() ? "" : json_field("snippet", object({json_field("text", json_string(snippet))}))});
    return json_field("physicalLocation", object({json_field("artifactLocation", artifact(file)),
                                                  line == 0 ? "" : json_field("region", region)}));
  }

  /// A location with what is known of it; `says` is its message, `id` (not 0) tells it from its neighbours.
  std::string location(const std::string& file, unsigned line, const std::string& function, const std::string& says,
                       std::size_t id = 0) const {
    const std::string logical =
        object({json_field("fullyQualifiedName", json_string(function)), json_field("kind", "\"function\"")});
    return object({id == 0 ? "" : json_field("id", std::to_string(id)), physical(file, line),
                   function.empty() ? "" : json_field("logicalLocations", "[" + logical + "]"),
                   says.empty() ? "" : json_field("message", text_message(says))});
  }

  std::string site_location(const ResolvedSite& site, const std::string& kernel, std::size_t id) const {
    std::string says = site.role;
    for (const std::string& more : {site.detail, site.value}) says += (more.empty() || says.empty() ? "" : ", ") + more;
    const bool is_kernels_own = !is_background_role(site.role);
    return location(site.file, site.line, site.function.empty() && is_kernels_own ? kernel : site.function, says, id);
  }

  /// The site and the calls that led there, innermost first.
  std::string stack(const ResolvedSite& site) const {
    if (site.callers.empty()) return "";
    const auto frame = [](const std::string& where) { return object({json_field("location", where)}); };
    std::string frames = frame(location(site.file, site.line, site.function, ""));
    for (std::size_t i = 0; i < std::min(site.callers.size(), kMaxCallers); ++i) {
      const ResolvedCaller& caller = site.callers[i];
      frames += "," + frame(location(caller.frame.file, caller.frame.line, caller.frame.function,
                                     caller.inlined ? "inlined into this" : "called from here"));
    }
    return json_field("stacks", "[" + object({json_field("frames", "[" + frames + "]")}) + "]");
  }

  /// The same for the same finding in the next version of the source: made of names and the line's text, not its
  /// number. Several of one identity are numbered.
  std::string fingerprint(const SeenFinding& seen) {
    std::string identity = kind_name(seen.finding) + "\n" + seen.finding.place.kernel + "\n";
    if (seen.sites.empty() || seen.sites.front().file.empty()) {
      identity += seen.finding.headline;
    } else {
      const ResolvedSite& main = seen.sites.front();
      const std::string line = source_line_text(main.file, main.line, base_);
      const std::size_t begin = line.find_first_not_of(' ');
      identity += display_path(main.file, base_) + "\n" +
                  (begin == std::string::npos ? std::to_string(main.line) : line.substr(begin));
    }
    const std::string number = std::to_string(++identities_[identity]);
    return object({json_field("findingIdentity/v1", json_string(hash_of(identity) + ":" + number))});
  }

  std::string suppressions(const Waiver* waiver) const {
    if (waiver == nullptr) return "[]";
    const std::string place =
        waiver->source_file.empty() ? "" : location(waiver->source_file, waiver->source_line, "", "");
    return "[" +
           object({json_field("kind", "\"external\""), json_field("status", "\"accepted\""),
                   json_field("justification", json_string(waiver->reason)),
                   place.empty() ? "" : json_field("location", place)}) +
           "]";
  }

  std::string result(const SeenFinding& seen) {
    const Finding& f = seen.finding;
    std::string says = f.headline;
    for (const std::string& note : f.notes) says += "\n" + note;
    if (const std::string help = help_text(f); !help.empty()) says += "\nhelp: " + help;
    std::string related;
    for (std::size_t i = 1; i < seen.sites.size(); ++i) {
      related += (related.empty() ? "" : ",") + site_location(seen.sites[i], f.place.kernel, i);
    }
    const std::string main = seen.sites.empty() ? "" : site_location(seen.sites.front(), f.place.kernel, 0);
    const std::string extent = seen.range.json_members();
    return object({json_field("ruleId", json_string(kind_name(f))),
                   json_field("ruleIndex", std::to_string(rule_index(kind_name(f)))), level(f.severity),
                   json_field("message", text_message(says)), json_field("locations", "[" + main + "]"),
                   related.empty() ? "" : json_field("relatedLocations", "[" + related + "]"),
                   seen.sites.empty() ? "" : stack(seen.sites.front()),
                   json_field("partialFingerprints", fingerprint(seen)),
                   json_field("occurrenceCount", std::to_string(1 + f.folded + seen.repeats)),
                   json_field("suppressions", suppressions(seen.waiver)),
                   json_field("properties", object({place_members(f.place), extent}))});
  }

  std::size_t rule_index(const std::string& kind) const {
    std::size_t i = 0;
    while (rules_[i].name != kind) ++i;
    return i;
  }

  std::string invocation() const {
    std::error_code ignored;
    const std::string program = std::filesystem::read_symlink("/proc/self/exe", ignored).string();
    std::string notes;
    const auto note = [&](const char* level, const std::string& says) {
      notes += (notes.empty() ? "" : ",") +
               object({json_field("level", json_string(level)), json_field("message", text_message(says))});
    };
    if (!run_.finished) note("error", "the program did not reach its end");
    if (run_.unlisted != 0) note("warning", std::to_string(run_.unlisted) + " more findings were only counted");
    for (const Waiver* waiver : run_.unmatched) {
      note("note", waiver->source_file + ":" + std::to_string(waiver->source_line) + ": waiver " +
                       waiver_columns(*waiver) + " matched nothing");
    }
    return object({json_field("executionSuccessful", run_.finished ? "true" : "false"),
                   run_.exit_status ? json_field("exitCode", std::to_string(*run_.exit_status)) : "",
                   program.empty() ? "" : json_field("executableLocation", object({file_uri(program, false)})),
                   base_.empty() ? "" : json_field("workingDirectory", object({file_uri(base_, true)})),
                   json_field("toolExecutionNotifications", "[" + notes + "]")});
  }

  const RunRecord& run_;
  const std::string& base_;
  const std::vector<KindName> rules_;
  std::map<std::string, int> identities_;
};

}  // namespace

std::string uri_path(const std::string& path) {
  constexpr std::string_view kPlain = "-._~/!$&'()*+,;=@";
  std::string uri;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_letter_or_digit =
        (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
    if (is_letter_or_digit || kPlain.find(c) != kPlain.npos) {
      uri += c;
    } else {
      char escape[4];
      std::snprintf(escape, sizeof escape, "%%%02X", byte);
      uri += escape;
    }
  }
  return uri;
}

std::string sarif_report(const RunRecord& run, const ReporterOptions& options) {
  return object({json_field("$schema", json_string(kSchema)), json_field("version", "\"2.1.0\""),
                 json_field("runs", "[" + SarifRun(run, options).text() + "]")}) +
         "\n";
}

}  // namespace offgrid::emu

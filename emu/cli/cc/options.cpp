#include "cli/cc/options.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>

#include "cli/cc/option_table.h"
#include "cli/cc/usage.h"

namespace offgrid::emu::cli {
namespace {

/// Calls `visit` for each of a row's names.
template <class Visit>
void for_each_name(std::string_view names, Visit visit) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    if (end > 0) visit(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
}

struct Match {
  const OptionRow* row = nullptr;
  std::string_view name;
  std::optional<std::string> value;  ///< given in the same argument
};

/// Finds the row for `-name`, `--name`, `-name=value` or `-Nvalue`.
Match match_option(std::span<const OptionRow> rows, std::string_view argument) {
  const bool two_dashes = argument.starts_with("--");
  std::string_view body = argument.substr(two_dashes ? 2 : 1);
  const std::size_t equals = body.find('=');
  Match joined;
  for (const OptionRow& row : rows) {
    Match exact;
    for_each_name(row.names, [&](std::string_view name) {
      if (body == name) exact = {&row, name, std::nullopt};
      if (row.takes != Takes::kNothing && equals != body.npos && body.substr(0, equals) == name) {
        exact = {&row, name, std::string(body.substr(equals + 1))};
      }
      if (row.takes == Takes::kJoined && name.size() == 1 && !two_dashes && body.size() > 1 && body.starts_with(name)) {
        joined = {&row, name, std::string(body.substr(1))};
      }
    });
    if (exact.row) return exact;
  }
  return joined;
}

Language language_of(std::string_view path, Dialect dialect) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".cu" || extension == ".cuh" || extension == ".hip") return Language::kDevice;
  if (extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".C" || extension == ".c++") {
    return dialect == Dialect::kHip ? Language::kDevice : Language::kCxx;
  }
  if (extension == ".c") return Language::kC;
  if (extension == ".ii" || extension == ".i") return Language::kPreprocessed;
  return Language::kObject;
}

/// Flags of the host compiler that nvcc would want behind -Xcompiler. Taken as they are.
bool is_host_flag(std::string_view argument) {
  for (std::string_view prefix :
       {"-f", "-m", "-W", "-g", "-static", "-pthread", "-pedantic", "-ansi", "-pipe", "-rdynamic"}) {
    if (argument.starts_with(prefix)) return true;
  }
  return argument == "-s" || argument.starts_with("-Wl,") || argument.starts_with("-Wa,");
}

class OptionReader {
 public:
  explicit OptionReader(Dialect dialect) { options_.dialect = dialect; }

  void read(std::span<const std::string> arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::string& argument = arguments[i];
      if (argument.size() < 2 || argument[0] != '-') {
        if (argument.starts_with("@")) {
          read_file(argument.substr(1));
        } else {
          options_.inputs.push_back({argument, forced_ ? *forced_ : language_of(argument, options_.dialect)});
        }
        continue;
      }
      if (inform(argument)) continue;
      auto value = [&](std::string_view name, Match& m) {
        if (m.value) return *m.value;
        if (++i >= arguments.size()) throw UsageError("option '-" + std::string(name) + "' needs a value");
        return arguments[i];
      };
      if (special(argument, value)) continue;
      Match m;
      if (options_.dialect == Dialect::kHip) m = match_option(hip_option_rows(), argument);
      if (!m.row) m = match_option(option_rows(), argument);
      if (m.row && m.row->takes == Takes::kJoined && m.value && is_host_flag_instead(argument)) m.row = nullptr;
      if (!m.row) {
        unknown(argument);
        continue;
      }
      if (!m.row->rejected.empty()) {
        throw UsageError("option '" + argument + "' is not supported: " + std::string(m.row->rejected));
      }
      const std::string v = m.row->takes == Takes::kNothing ? "" : value(m.name, m);
      if (m.row->apply) m.row->apply(options_, v);
    }
  }

  CcOptions finish() {
    if (options_.mode == CcMode::kInform) return std::move(options_);
    if (options_.inputs.empty()) throw UsageError("no input files");
    const bool one_output =
        options_.mode != CcMode::kLink && options_.mode != CcMode::kArchive && options_.mode != CcMode::kDeviceLink;
    if (one_output && !options_.output.empty() && options_.inputs.size() > 1) {
      throw UsageError("-o names one file, but there are several inputs");
    }
    return std::move(options_);
  }

 private:
  /// `-mavx2` and `-march=...` are the host's, although -m64 is nvcc's.
  static bool is_host_flag_instead(std::string_view argument) {
    return argument.starts_with("-m") && argument.size() > 2 &&
           std::isdigit(static_cast<unsigned char>(argument[2])) == 0;
  }

  bool inform(const std::string& argument) {
    std::string text;
    if (argument == "--help" || argument == "-h" || argument == "-help") text = help_text();
    if (argument == "--version" || argument == "-V" || argument == "-version") text = version_text(options_.dialect);
    if (argument == "--list-gpu-arch" || argument == "-list-gpu-arch") text = architectures_text("compute_");
    if (argument == "--list-gpu-code" || argument == "-list-gpu-code") text = architectures_text("sm_");
    if (text.empty()) return false;
    options_.mode = CcMode::kInform;
    options_.information = text;
    return true;
  }

  /// Options that change how the rest is read.
  template <class Value>
  bool special(const std::string& argument, Value value) {
    static constexpr OptionRow kSpecial[] = {{"x", Takes::kJoined}, {"options-file optf", Takes::kValue}};
    Match m = match_option(kSpecial, argument);
    if (!m.row || (m.name == "x" && m.value && argument.find('=') == argument.npos && !is_language(*m.value)))
      return false;
    const std::string v = value(m.name, m);
    if (m.name == "x") {
      force_language(v);
    } else {
      read_file(v);
    }
    return true;
  }

  static bool is_language(std::string_view name) {
    return name == "cu" || name == "hip" || name == "c++" || name == "c" || name == "none" || name == "cuda";
  }

  void force_language(const std::string& name) {
    if (!is_language(name)) throw UsageError("unknown language '" + name + "'; known are cu, hip, c++ and c");
    if (name == "hip") options_.dialect = Dialect::kHip;
    if (name == "none") {
      forced_.reset();
    } else {
      forced_ = name == "c++" ? Language::kCxx : name == "c" ? Language::kC : Language::kDevice;
    }
  }

  void read_file(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw UsageError("cannot read the options file '" + path + "'");
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    read(split_words(text));
  }

  void unknown(const std::string& argument) {
    if (!is_host_flag(argument)) {
      throw UsageError("unknown option '" + argument + "'; put options of the host compiler behind -Xcompiler");
    }
    const bool links =
        argument.starts_with("-Wl,") || argument == "-s" || argument.starts_with("-static") || argument == "-rdynamic";
    (links ? options_.link_flags : options_.host_flags).push_back(argument);
  }

  CcOptions options_;
  std::optional<Language> forced_;
};

}  // namespace

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool started = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size() && (quote == 0 || text[i + 1] == quote)) {
      word += text[++i];
      started = true;
    } else if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      started = true;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      if (started) words.push_back(std::move(word));
      word.clear();
      started = false;
    } else {
      word += c;
      started = true;
    }
  }
  if (started) words.push_back(std::move(word));
  return words;
}

CcOptions read_options(Dialect dialect, std::span<const std::string> arguments) {
  OptionReader reader(dialect);
  reader.read(arguments);
  return reader.finish();
}

}  // namespace offgrid::emu::cli

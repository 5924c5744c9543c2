#include "campaign/campaign_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace offgrid::fuzz {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot(const std::string& what, const std::string& path) {
  throw std::runtime_error("cannot " + what + " " + path + ": " + std::strerror(errno) +
                           "; choose a folder that can be written with --dir");
}

void write_whole(const std::string& path, const std::string& text) {
  const std::string other = path + "." + std::to_string(getpid()) + ".new";
  {
    std::ofstream out(other, std::ios::binary);
    out << text;
    if (!out.flush()) cannot("write", other);
  }
  if (std::rename(other.c_str(), path.c_str()) != 0) cannot("write", path);
}

std::string read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string identity_of(const CampaignOptions& options) {
  std::ostringstream text;
  text << "seed " << options.seed << "\nonly " << options.only << "\nschedules_per_shape "
       << options.schedules_per_shape << "\nbuild " << std::hex << build_id() << "\n";
  return text.str();
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    char code[8];
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
      out += code;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

/// The string behind `"name":` in a line that json_of wrote.
std::optional<std::string> field(const std::string& line, const std::string& name) {
  const std::string start = "\"" + name + "\":\"";
  std::size_t at = line.find(start);
  if (at == line.npos) return std::nullopt;
  std::string value;
  for (at += start.size(); at < line.size() && line[at] != '"'; ++at) {
    if (line[at] == '\\' && at + 5 < line.size() && line[at + 1] == 'u') {
      value += static_cast<char>(std::stoi(line.substr(at + 2, 4), nullptr, 16));
      at += 5;
    } else {
      if (line[at] == '\\') ++at;
      value += line[at];
    }
  }
  return value;
}

}  // namespace

std::string json_of(const StoredFinding& finding) {
  return "{\"key\":" + quoted(finding.key) + ",\"token\":" + quoted(finding.token) +
         ",\"headline\":" + quoted(finding.headline) + "}\n";
}

CampaignFolder::CampaignFolder(const CampaignOptions& options) : path_(options.folder) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) {
    errno = error.value();
    cannot("make the folder", path_);
  }
  const std::string file = path_ + "/campaign", wanted = identity_of(options), there = read_whole(file);
  if (there.empty()) {
    write_whole(file, wanted);
  } else if (there != wanted) {
    throw std::runtime_error("folder " + path_ + " holds another campaign:\n" + there + "this one is\n" + wanted +
                             "go on with the same program and options, or choose another folder with --dir");
  }
}

void CampaignFolder::add(const std::string& part, const StoredFinding& finding) const {
  const std::string file = path_ + "/findings." + part;
  const int out = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (out < 0) cannot("open", file);
  std::string line = json_of(finding);
  // What a kill has cut off gets an end of its own.
  struct Closer {
    int fd;
    ~Closer() { close(fd); }
  } closer{out};
  const std::string before = read_whole(file);
  if (!before.empty() && before.back() != '\n') line.insert(0, "\n");
  if (write(out, line.data(), line.size()) != static_cast<ssize_t>(line.size()) || fsync(out) != 0) {
    cannot("write", file);
  }
}

void CampaignFolder::save_progress(const std::string& part, std::uint64_t next_group) const {
  write_whole(path_ + "/progress." + part, std::to_string(next_group) + "\n");
}

std::uint64_t CampaignFolder::load_progress(const std::string& part) const {
  const std::string text = read_whole(path_ + "/progress." + part);
  return text.empty() ? 0 : std::strtoull(text.c_str(), nullptr, 10);
}

std::vector<StoredFinding> read_findings(const std::string& folder) {
  std::error_code error;
  std::map<std::string, StoredFinding> found;
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().filename().string().starts_with("findings.")) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    std::istringstream lines(read_whole(file));
    for (std::string line; std::getline(lines, line);) {
      if (!line.ends_with('}')) continue;
      const auto key = field(line, "key"), token = field(line, "token"), headline = field(line, "headline");
      if (key && token && headline) found.try_emplace(*key, StoredFinding{*key, *token, *headline});
    }
  }
  std::vector<StoredFinding> all;
  for (const auto& [key, finding] : found) all.push_back(finding);
  return all;
}

}  // namespace offgrid::fuzz

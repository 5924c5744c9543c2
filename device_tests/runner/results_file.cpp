// See results_file.h.
#include "runner/results_file.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <istream>
#include <iterator>
#include <optional>
#include <ostream>
#include <sstream>
#include <stdexcept>

#include "runner/result_format.h"

namespace offgrid::cases {
namespace {

constexpr std::string_view kFirstLine = "offgrid-results 2";

// FNV-1a, 64 bits.
class Hash {
 public:
  void add(unsigned char byte) { state_ = (state_ ^ byte) * 0x100000001b3u; }
  void add(std::string_view text) {
    for (const char c : text) add(static_cast<unsigned char>(c));
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325u;
};

std::string hexadecimal(std::uint64_t x) {
  char text[24];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(x));
  return text;
}

template <typename Integer>
bool parse_whole(std::string_view text, Integer& value, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size();
}

constexpr std::int64_t kMostElements = std::int64_t{1} << 31;

// "tensor NAME FORMAT DIM=SIZE ... digest=D", or nothing.
std::optional<ResultTensor> tensor_of(const std::string& line) {
  std::istringstream words(line);
  std::string word;
  ResultTensor t;
  words >> word >> t.name >> t.format;
  if (t.name.empty() || !ResultFormat::named(t.format)) return std::nullopt;
  bool has_digest = false;
  while (words >> word) {
    const auto equal = word.find('=');
    if (equal == std::string::npos || has_digest) return std::nullopt;
    const std::string_view value = std::string_view(word).substr(equal + 1);
    if (word.substr(0, equal) == "digest") {
      has_digest = value.size() == 16 && parse_whole(value, t.digest, 16);
      if (!has_digest) return std::nullopt;
      continue;
    }
    std::int64_t size = -1;
    if (!parse_whole(value, size, 10) || size < 0 || size > kMostElements) return std::nullopt;
    t.dims.emplace_back(word.substr(0, equal), size);
    if (element_count(t) > kMostElements) return std::nullopt;
  }
  if (!has_digest) return std::nullopt;
  return t;
}

bool append_codes(ResultTensor& t, const std::string& line) {
  const int bits = ResultFormat::named(t.format)->bits();
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    std::uint32_t code = 0;
    if (!parse_whole(word, code, 16) || (bits < 32 && code >> bits != 0)) return false;
    t.codes.push_back(code);
  }
  return true;
}

void write_tensor(std::ostream& to, const ResultTensor& t) {
  to << "tensor " << t.name << " " << t.format;
  for (const auto& [name, size] : t.dims) to << " " << name << "=" << size;
  to << " digest=" << hexadecimal(digest(t)) << "\n";
  if (element_count(t) > kRawElements) return;
  to << std::hex;
  for (std::size_t i = 0; i < t.codes.size(); ++i) to << (i == 0 ? "" : i % 32 == 0 ? "\n" : " ") << t.codes[i];
  to << std::dec << (t.codes.empty() ? "" : "\n");
}

// Reads line by line, and says what is wrong with which.
class Reader {
 public:
  explicit Reader(std::istream& from) : from_(from) {}

  ResultsFile file() {
    require(next() && line_ == kFirstLine, "expected the first line '" + std::string(kFirstLine) + "'");
    file_.origin.device = field("device ");
    file_.origin.driver = field("driver ");
    file_.origin.compiler = field("compiler ");
    file_.origin.build = field("build ");
    while (true) {
      const std::uint64_t before = hash_.value();
      require(next(), "the file ends before its line 'end N cases, checksum ...': it was cut off");
      if (line_.starts_with("end ")) {
        take_end(before);
        return std::move(file_);
      }
      take();
    }
  }

 private:
  bool next() {
    ++number_;
    if (!std::getline(from_, line_)) {
      line_ = "the end";
      return false;
    }
    hash_.add(line_);
    hash_.add('\n');
    return true;
  }
  void require(bool ok, const std::string& rule) const {
    if (ok) return;
    throw std::runtime_error("line " + std::to_string(number_) + " '" + line_.substr(0, 60) + "': " + rule);
  }
  std::string field(const std::string& name) {
    require(next() && line_.starts_with(name), "expected a line '" + name + "...'");
    return line_.substr(name.size());
  }
  Results* results() { return file_.cases.empty() ? nullptr : &file_.cases.back().second; }

  void take() {
    if (line_.starts_with("case ")) {
      close_tensor();
      const std::string name = line_.substr(5);
      require(file_.find(name) == nullptr, "this case is in the file twice");
      file_.cases.emplace_back(name, Results{});
    } else if (line_.starts_with("skipped ")) {
      require(results() != nullptr && results()->tensors.empty(), "'skipped' belongs below a line 'case NAME'");
      results()->skipped = line_.substr(8);
    } else if (line_.starts_with("tensor ")) {
      require(results() != nullptr, "a tensor belongs below a line 'case NAME'");
      close_tensor();
      const auto tensor = tensor_of(line_);
      require(tensor.has_value(), "expected 'tensor NAME FORMAT DIM=SIZE ... digest=D' with a known format");
      results()->tensors.push_back(*tensor);
    } else {
      require(results() != nullptr && !results()->tensors.empty(), "expected a line 'case NAME' or 'tensor ...'");
      require(append_codes(results()->tensors.back(), line_), "expected values in hexadecimal, of the tensor's width");
    }
  }

  void close_tensor() const {
    if (file_.cases.empty() || file_.cases.back().second.tensors.empty()) return;
    const ResultTensor& t = file_.cases.back().second.tensors.back();
    const std::int64_t count = element_count(t);
    if (count > kRawElements && t.codes.empty()) return;
    require(std::cmp_equal(t.codes.size(), count), t.name + " before it has " + std::to_string(t.codes.size()) +
                                                       " values; its shape says " + std::to_string(count));
    require(digest(t) == t.digest, t.name + " before it has other values than its digest says");
  }

  void take_end(std::uint64_t checksum) {
    close_tensor();
    require(!file_.cases.empty(), "no results in the file");
    const std::string want = "end " + std::to_string(file_.cases.size()) + " cases, checksum " + hexadecimal(checksum);
    require(line_ == want, "the lines before it give '" + want + "': the file has changed since it was written");
    require(!next(), "expected nothing behind the line 'end ...'");
  }

  std::istream& from_;
  ResultsFile file_;
  std::string line_;
  int number_ = 0;
  Hash hash_;
};

}  // namespace

const Results* ResultsFile::find(const std::string& name) const {
  const auto at = std::ranges::find(cases, name, &std::pair<std::string, Results>::first);
  return at == cases.end() ? nullptr : &at->second;
}

std::int64_t element_count(const ResultTensor& t) {
  std::int64_t count = 1;
  for (const auto& [name, size] : t.dims) count *= size;
  return count;
}

std::uint64_t digest(const ResultTensor& t) {
  if (t.codes.empty() && element_count(t) > 0) return t.digest;  // as it was read
  const auto format = ResultFormat::named(t.format);
  if (!format) throw std::invalid_argument(t.name + ": no format '" + t.format + "'");
  Hash hash;
  for (const std::uint32_t code : t.codes) {
    const std::uint32_t one = format->with_one_nan(code);
    for (int shift = 0; shift < format->bits(); shift += 8) hash.add(static_cast<unsigned char>(one >> shift & 0xff));
  }
  return hash.value();
}

void write_results(std::ostream& to, const ResultsFile& file) {
  std::ostringstream text;
  text << kFirstLine << "\ndevice " << file.origin.device << "\ndriver " << file.origin.driver << "\ncompiler "
       << file.origin.compiler << "\nbuild " << file.origin.build << "\n";
  for (const auto& [name, results] : file.cases) {
    text << "case " << name << "\n";
    if (!results.skipped.empty()) text << "skipped " << results.skipped << "\n";
    for (const ResultTensor& t : results.tensors) write_tensor(text, t);
  }
  const std::string all = text.str();
  Hash hash;
  hash.add(all);
  to << all << "end " << file.cases.size() << " cases, checksum " << hexadecimal(hash.value()) << "\n";
}

ResultsFile read_results(std::istream& from) { return Reader(from).file(); }

ResultsFile read_results_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot open '" + path + "'\n  = fix: name a file that run --save wrote");
  try {
    return read_results(file);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("'" + path + "' is no file of results, " + error.what() +
                             "\n  = fix: write it again with run --save");
  }
}

}  // namespace offgrid::cases

// See against.h.
#include "runner/against.h"

#include <offgrid/reference/compare.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <istream>
#include <optional>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace offgrid::cases {
namespace {

using reference::FloatFormat;

const FloatFormat* format_named(const std::string& name) {
  for (const FloatFormat* format : {&reference::kFp32, &reference::kBf16, &reference::kFp16, &reference::kE4m3}) {
    if (format->name == name) return format;
  }
  return nullptr;
}

std::int64_t element_count(const ResultTensor& t) {
  std::int64_t count = 1;
  for (const auto& [name, size] : t.dims) count *= size;
  return count;
}

template <typename Integer>
bool parse_whole(std::string_view text, Integer& value, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size();
}

// "tensor NAME FORMAT DIM=SIZE ..." of at most 2^31 elements, or nothing.
std::optional<ResultTensor> tensor_of(const std::string& line) {
  std::istringstream words(line);
  std::string word;
  ResultTensor t;
  words >> word >> t.name >> t.format;
  if (t.name.empty() || format_named(t.format) == nullptr) return std::nullopt;
  while (words >> word) {
    const auto equal = word.find('=');
    std::int64_t size = -1;
    if (equal == std::string::npos || !parse_whole(std::string_view(word).substr(equal + 1), size, 10)) return {};
    if (size < 0 || size > (std::int64_t{1} << 31)) return std::nullopt;
    t.dims.emplace_back(word.substr(0, equal), size);
    if (element_count(t) > (std::int64_t{1} << 31)) return std::nullopt;
  }
  return t;
}

bool append_codes(ResultTensor& t, const std::string& line) {
  const int bits = format_named(t.format)->bits();
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    std::uint32_t code = 0;
    if (!parse_whole(word, code, 16) || (bits < 32 && code >> bits != 0)) return false;
    t.codes.push_back(code);
  }
  return true;
}

std::vector<std::uint32_t> with_one_nan(const FloatFormat& format, std::vector<std::uint32_t> codes) {
  const std::uint32_t nan = reference::encode(format, std::nan(""));
  for (std::uint32_t& code : codes) {
    if (std::isnan(reference::decode(format, code))) code = nan;
  }
  return codes;
}

std::string value_text(const FloatFormat& format, std::uint32_t code) {
  char text[64];
  std::snprintf(text, sizeof text, "%.9g (0x%0*X)", reference::decode(format, code), format.bits() / 4, code);
  return text;
}

void compare_tensor(Outcome& outcome, const ResultTensor& got, const ResultTensor& want, const std::string& other) {
  if (got.name != want.name || got.format != want.format || got.dims != want.dims) {
    outcome.fail("  " + got.name + ": another shape or format than " + want.name + " of " + other + "\n");
    return;
  }
  const FloatFormat& format = *format_named(got.format);
  std::vector<reference::Dim> dims;
  for (const auto& [name, size] : got.dims) dims.push_back({name, size});
  const auto a = with_one_nan(format, got.codes);
  const auto b = with_one_nan(format, want.codes);
  const auto c = reference::compare_bits(got.name, format, a, b, dims);
  if (c.ok()) return;
  std::string where;
  for (const std::int64_t i : reference::coordinates(dims, c.worst)) {
    where += (where.empty() ? "" : ", ") + std::to_string(i);
  }
  const auto at = static_cast<std::size_t>(c.worst);
  char distance[64];
  std::snprintf(distance, sizeof distance, "%.0f ulp apart; at most %.0f", c.worst_ulp, c.max_ulp);
  outcome.fail("  " + got.name + reference::shape_text(dims) + ": " + std::to_string(c.outside) + " of " +
               std::to_string(c.total) + " differ from " + other + "\n  first  " + got.name + "[" + where + "]  " +
               value_text(format, got.codes[at]) + "  " + other + " " + value_text(format, want.codes[at]) + "  " +
               distance + "\n  where  " + c.where + "\n");
}

}  // namespace

Outcome compare_results(const Results& got, const Results& want, const std::string& other) {
  Outcome outcome;
  const std::string& skipped = got.skipped.empty() ? want.skipped : got.skipped;
  if (!skipped.empty()) {
    outcome.status = Status::kSkipped;
    outcome.text = "  " + skipped + "\n";
    return outcome;
  }
  if (got.tensors.size() != want.tensors.size()) {
    outcome.fail("  another number of tensors than " + other + "\n");
    return outcome;
  }
  for (std::size_t i = 0; i < got.tensors.size(); ++i) compare_tensor(outcome, got.tensors[i], want.tensors[i], other);
  return outcome;
}

void write_results(std::ostream& to, const std::string& case_name, const Results& results) {
  if (!results.skipped.empty()) return;
  to << "case " << case_name << "\n";
  for (const ResultTensor& t : results.tensors) {
    to << "tensor " << t.name << " " << t.format;
    for (const auto& [name, size] : t.dims) to << " " << name << "=" << size;
    to << std::hex;
    for (std::size_t i = 0; i < t.codes.size(); ++i) to << (i % 32 == 0 ? "\n" : " ") << t.codes[i];
    to << std::dec << "\n";
  }
}

std::map<std::string, Results> read_results(std::istream& from) {
  std::map<std::string, Results> all;
  Results* results = nullptr;
  std::string line;
  int number = 0;
  const auto require = [&](bool ok, const std::string& rule) {
    if (!ok) throw std::runtime_error("line " + std::to_string(number) + " '" + line.substr(0, 60) + "': " + rule);
  };
  const auto require_whole_tensor = [&] {
    if (results == nullptr || results->tensors.empty()) return;
    const ResultTensor& t = results->tensors.back();
    require(std::cmp_equal(t.codes.size(), element_count(t)),
            t.name + " before it has " + std::to_string(t.codes.size()) + " values; its shape says " +
                std::to_string(element_count(t)));
  };
  while (std::getline(from, line)) {
    ++number;
    if (line.starts_with("case ")) {
      require_whole_tensor();
      const auto [entry, is_new] = all.try_emplace(line.substr(5));
      require(is_new, "this case is in the file twice");
      results = &entry->second;
    } else if (line.starts_with("tensor ")) {
      require(results != nullptr, "a tensor belongs below a line 'case NAME'");
      require_whole_tensor();
      const auto tensor = tensor_of(line);
      require(tensor.has_value(), "expected 'tensor NAME FORMAT DIM=SIZE ...' with a known format");
      results->tensors.push_back(*tensor);
    } else {
      require(results != nullptr && !results->tensors.empty(), "expected a line 'case NAME' or 'tensor ...'");
      require(append_codes(results->tensors.back(), line), "expected values in hexadecimal, of the tensor's width");
    }
  }
  line = "the end";
  ++number;
  require_whole_tensor();
  require(!all.empty(), "no results in the file");
  return all;
}

}  // namespace offgrid::cases

// See against.h.
#include "runner/against.h"

#include <offgrid/reference/compare.h>

#include <cmath>
#include <cstdio>
#include <istream>
#include <ostream>
#include <sstream>
#include <stdexcept>

namespace offgrid::cases {
namespace {

using reference::FloatFormat;

const FloatFormat& format_named(const std::string& name) {
  for (const FloatFormat* format : {&reference::kFp32, &reference::kBf16, &reference::kFp16, &reference::kE4m3}) {
    if (format->name == name) return *format;
  }
  throw std::runtime_error("results in a format nobody knows: " + name);
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
  const FloatFormat& format = format_named(got.format);
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
  const auto expect = [](bool ok, const std::string& line) {
    if (!ok) throw std::runtime_error("not a file of results; at: " + line.substr(0, 80));
  };
  std::map<std::string, Results> all;
  Results* results = nullptr;
  std::string line;
  while (std::getline(from, line)) {
    std::istringstream words(line);
    std::string word;
    if (line.starts_with("case ")) {
      results = &all[line.substr(5)];
    } else if (line.starts_with("tensor ")) {
      expect(results != nullptr, line);
      ResultTensor t;
      words >> word >> t.name >> t.format;
      while (words >> word) {
        const auto equal = word.find('=');
        expect(equal != std::string::npos, line);
        t.dims.emplace_back(word.substr(0, equal), std::stoll(word.substr(equal + 1)));
      }
      results->tensors.push_back(std::move(t));
    } else if (!line.empty()) {
      expect(results != nullptr && !results->tensors.empty(), line);
      std::uint32_t code = 0;
      words >> std::hex;
      while (words >> code) results->tensors.back().codes.push_back(code);
      expect(words.eof(), line);
    }
  }
  return all;
}

}  // namespace offgrid::cases

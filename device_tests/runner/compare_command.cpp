// compare A B: what differs between two files of results. Needs no device.
#include <offgrid/cases/commands.h>

#include <cstdio>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "runner/result_format.h"
#include "runner/results_file.h"
#include "runner/tensor_difference.h"

namespace offgrid::cases {
namespace {

// What is known so far, over all cases.
struct Totals {
  std::int64_t cases = 0, skipped = 0, elements = 0, differing = 0, by_digest = 0;
  std::vector<std::string> differing_cases;
  UlpHistogram histogram{};
};

bool has_digest_alone(const ResultTensor& t) { return t.codes.empty() && element_count(t) > 0; }

void print_first(const std::string& name, const ResultTensor& a, const ResultTensor& b, const TensorDifference& d) {
  const ResultFormat format = *ResultFormat::named(a.format);
  const auto at = static_cast<std::size_t>(d.first);
  std::printf("first difference  %s\n  %s  A %s  B %s", name.c_str(), element_text(a, d.first).c_str(),
              format.text(a.codes[at]).c_str(), format.text(b.codes[at]).c_str());
  if (format.ulps(0, 0)) std::printf("  %lld ulp", static_cast<long long>(d.first_ulps));
  std::printf("\n");
}

// Whether the tensors differ.
bool compare_tensors(const std::string& name, const ResultTensor& a, const ResultTensor& b, Totals& totals) {
  const bool first = totals.differing_cases.empty();
  if (has_digest_alone(a) || has_digest_alone(b)) {
    if (a.dims != b.dims || a.format != b.format) throw std::invalid_argument("other shapes");
    totals.elements += element_count(a);
    ++totals.by_digest;
    if (digest(a) == digest(b)) return false;
    if (first) std::printf("first difference  %s\n  %s: other digests\n", name.c_str(), shape_text(a).c_str());
    return true;
  }
  const TensorDifference d = difference(a, b);
  totals.elements += d.total;
  totals.differing += d.differing;
  for (std::size_t i = 0; i < d.histogram.size(); ++i) totals.histogram[i] += d.histogram[i];
  if (d.differing > 0 && first) print_first(name, a, b, d);
  return d.differing > 0;
}

void compare_case(const std::string& name, const Results& a, const Results& b, Totals& totals) {
  if (!a.skipped.empty() || !b.skipped.empty()) {
    ++totals.skipped;
    return;
  }
  ++totals.cases;
  if (a.tensors.size() != b.tensors.size()) throw std::invalid_argument("another number of tensors");
  bool differs = false;
  for (std::size_t i = 0; i < a.tensors.size(); ++i) {
    differs = compare_tensors(name, a.tensors[i], b.tensors[i], totals) || differs;
  }
  if (differs) totals.differing_cases.push_back(name);
}

void print_totals(const Totals& totals, const std::vector<std::string>& only_a,
                  const std::vector<std::string>& only_b) {
  if (totals.differing > 0) {
    std::printf("distances in ulp (words without a format are not in here):\n");
    for (std::size_t i = 0; i < totals.histogram.size(); ++i) {
      if (totals.histogram[i] > 0)
        std::printf("  %-10s %lld\n", kUlpClasses[i], static_cast<long long>(totals.histogram[i]));
    }
  }
  for (const std::string& name : totals.differing_cases) std::printf("differs  %s\n", name.c_str());
  for (const std::string& name : only_a) std::printf("only in A  %s\n", name.c_str());
  for (const std::string& name : only_b) std::printf("only in B  %s\n", name.c_str());
  std::printf("%lld cases compared, %zu differ, %lld skipped; %lld values, %lld differ; %lld tensors by digest\n",
              static_cast<long long>(totals.cases), totals.differing_cases.size(),
              static_cast<long long>(totals.skipped), static_cast<long long>(totals.elements),
              static_cast<long long>(totals.differing), static_cast<long long>(totals.by_digest));
}

std::vector<std::string> missing(const ResultsFile& from, const ResultsFile& in) {
  std::set<std::string_view> there;
  for (const auto& [name, results] : in.cases) there.insert(name);
  std::vector<std::string> names;
  for (const auto& [name, results] : from.cases) {
    if (!there.contains(name)) names.push_back(name);
  }
  return names;
}

}  // namespace

int compare_command(std::span<char*> arguments) {
  if (arguments.size() != 3) {
    std::fprintf(stderr, "usage: offgrid compare A B   (files that run --save wrote)\n");
    return 2;
  }
  const ResultsFile a = read_results_file(arguments[1]), b = read_results_file(arguments[2]);
  for (const auto& [letter, file] : {std::pair("A", &a), std::pair("B", &b)}) {
    std::printf("%s  %s, %s, %s, build %.16s\n", letter, file->origin.device.c_str(), file->origin.driver.c_str(),
                file->origin.compiler.c_str(), file->origin.build.c_str());
  }
  Totals totals;
  for (const auto& [name, results] : a.cases) {
    const Results* other = b.find(name);
    if (other == nullptr) continue;
    try {
      compare_case(name, results, *other, totals);
    } catch (const std::invalid_argument& error) {
      std::fprintf(stderr,
                   "offgrid compare: '%s' and '%s' do not match: %s: %s\n  = fix: write both with one version\n",
                   arguments[1], arguments[2], name.c_str(), error.what());
      return 2;
    }
  }
  const auto only_a = missing(a, b), only_b = missing(b, a);
  print_totals(totals, only_a, only_b);
  if (totals.cases == 0) {
    std::fprintf(stderr, "offgrid compare: '%s' and '%s' have no case in common that ran in both\n", arguments[1],
                 arguments[2]);
    return 2;
  }
  return totals.differing_cases.empty() && only_a.empty() && only_b.empty() ? 0 : 1;
}

}  // namespace offgrid::cases

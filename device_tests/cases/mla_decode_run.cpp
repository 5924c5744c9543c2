// See mla_decode_run.h.
#include "cases/mla_decode_run.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "cases/launch_count.h"
#include "cases/mla_decode_judge.h"

namespace offgrid::cases {
namespace {

using kernels::DecodePath;

// The same tokens in pages of one token must give the same bits.
void compare_with_pages_of_one(Outcome& outcome, const MlaDecodeCase& c, const MlaDecodeInputs& in,
                               const MlaDecodeOutputs& got) {
  MlaDecodeCase small = c;
  small.page_size = 1;
  MlaDecodeDevice device(small, in_pages_of_one(c, in));
  compare_runs(outcome, "against pages of one token", c, in.layout, got, device.run(c.plan().path));
}

void check_launches(Outcome& outcome, std::optional<std::size_t> launches, std::size_t expected) {
  if (launches && *launches != expected) {
    outcome.fail("  launches: " + std::to_string(*launches) + ", expected " + std::to_string(expected) + "\n");
  }
}

}  // namespace

Outcome run_mla_decode(const MlaDecodeCase& c) {
  Outcome outcome;
  if (const std::string why = kernels::mla_decode_obstacle(c.variant()); !why.empty()) {
    outcome.status = Status::kSkipped;
    outcome.text = "  " + why + "\n";
    return outcome;
  }
  const MlaDecodeInputs in = make_inputs(c);
  MlaDecodeDevice device(c, in);
  const DecodePath path = c.plan().path;
  MlaDecodeOutputs got;
  const auto launches = count_launches([&] { got = device.run(path); });
  check_launches(outcome, launches, c.batch() == 0 ? 0 : path == DecodePath::kDirect ? 1 : 2);
  compare_with_truth(outcome, c, in, got);
  check_extent(outcome, c, in.layout, got, path);
  if (path == DecodePath::kDirect) {
    const MlaDecodeOutputs two_stage = device.run(DecodePath::kTwoStage);
    check_extent(outcome, c, in.layout, two_stage, DecodePath::kTwoStage);
    compare_runs(outcome, "direct against two stages", c, in.layout, got, two_stage);
  }
  if (c.inner == kernels::InnerPath::kTensorCore && c.heads > 16) {
    device.plan().cluster_heads = 16;
    const MlaDecodeOutputs narrow = device.run(path);
    device.plan().cluster_heads = 32;
    compare_runs(outcome, "32 against 16 heads a block", c, in.layout, device.run(path), narrow);
  }
  if (c.pages == Pages::kRepeated && c.page_size > 1) compare_with_pages_of_one(outcome, c, in, got);
  return outcome;
}

Results mla_decode_results(const MlaDecodeCase& c, std::string_view variant) {
  const MlaDecodeCase one = variant_of(c, variant);
  const auto built = kernels::mla_decode_variants();
  if (std::find(built.begin(), built.end(), one.variant()) == built.end()) return {{}, "not built"};
  if (std::string why = kernels::mla_decode_obstacle(one.variant()); !why.empty()) return {{}, std::move(why)};
  const DecodePath path = one.plan().path;
  if (one.direct && !c.direct && path != DecodePath::kDirect) return {{}, "no direct path for it"};
  const MlaDecodeInputs in = make_inputs(one);
  const MlaDecodeOutputs got = MlaDecodeDevice(one, in).run(path);
  return {{{"out",
            std::string(kernels::name_of(one.dtype)),
            {{"batch", one.batch()}, {"num_q_heads", one.heads}, {"value_dim", one.value_dim}},
            gather_out(one, in.layout, got.out)},
           {"lse",
            std::string(kernels::name_of(one.lse_dtype)),
            {{"batch", one.batch()}, {"num_q_heads", one.heads}},
            gather_lse(one, in.layout, got.lse)}},
          ""};
}

Outcome judge_mla_decode(const MlaDecodeCase& c, const Results& results) {
  Outcome outcome;
  if (results.tensors.size() != 2) {
    outcome.fail("  expected the tensors out and lse\n");
    return outcome;
  }
  compare_with_truth(outcome, c, make_inputs(c), results.tensors[0].codes, results.tensors[1].codes);
  return outcome;
}

std::vector<Case> mla_decode_cases() {
  std::vector<Case> cases;
  for (const MlaDecodeCase& c : mla_decode_table()) {
    cases.push_back({c.name(), [c] { return run_mla_decode(c); }, c.in_demo, c.is_long,
                     [c](std::string_view variant) { return mla_decode_results(c, variant); },
                     [c](const Results& results) { return judge_mla_decode(c, results); }});
  }
  return cases;
}

}  // namespace offgrid::cases

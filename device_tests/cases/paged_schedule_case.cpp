// See paged_schedule_case.h. On devices, whose order nobody chooses, the kernels run as often as on the emulator.
#include "cases/paged_schedule_case.h"

#include <offgrid/kernels/paged_decode.h>
#include <offgrid/kernels/paged_prefill.h>
#include <offgrid/portable/vendor.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>
#include <string>

#include "cases/paged_decode_run.h"
#include "cases/paged_judge.h"
#include "cases/paged_writer_case.h"

#if OFFGRID_VENDOR_EMU
#include <offgrid/emu/engine.h>
#include <offgrid/emu/schedule.h>
#endif

namespace offgrid::cases {
namespace {

using kernels::PagedKvType;
using kernels::PagedPrefillKernel;

constexpr std::uint64_t kSearchSeed = 5;

struct Subject {
  PagedCase c;
  std::optional<PagedPrefillKernel> prefill{};  // else decode, or a writer if the case says so
};

// One launch in the nth order of a search; 0 is the order in which everything else runs.
template <class Work>
std::string in_order_number(std::uint64_t n, const Work& work) {
#if OFFGRID_VENDOR_EMU
  if (n > 0) {
    const emu::EngineSettings before = emu::engine_settings();
    const emu::PolicySpec spec = emu::portfolio(kSearchSeed, n);
    const auto policy = emu::make_policy(spec);
    emu::EngineSettings settings = before;
    settings.policy = policy.get();
    emu::configure_engine(settings);
    try {
      work();
    } catch (...) {
      emu::configure_engine(before);
      throw;
    }
    emu::configure_engine(before);
    return emu::to_text(spec);
  }
#endif
  work();
  return "run " + std::to_string(n);
}

void launch(const Subject& s, const PagedInputs& in, PagedDevice& device) {
  const PagedCase& c = s.c;
  if (c.kernel == "writer") {
    write_paged_tokens(c, 1, in, device);
  } else if (!s.prefill) {
    kernels::paged_decode(paged_decode_variant(c), device.params());
  } else {
    kernels::PagedPrefillOptions options;
    options.force_kernel = s.prefill;
    options.force_num_kv_splits = c.num_kv_splits;
    auto plan =
        kernels::plan_paged_prefill({c.num_requests(), c.num_tokens(), 40, c.heads, c.kv_heads, c.head_dim}, options);
    kernels::PagedAttentionParams p = device.params();
    p.num_kv_splits = plan.num_kv_splits;
    kernels::paged_prefill(c.kv_type, c.head_dim, p, plan);
  }
  gpu::synchronize();
}

std::vector<std::uint32_t> bits_of(const std::vector<float>& values) {
  std::vector<std::uint32_t> bits;
  for (const float x : values) bits.push_back(std::bit_cast<std::uint32_t>(x));
  return bits;
}

bool same_bits(const PagedOutputs& a, const PagedOutputs& b) {
  return a.out == b.out && a.cache == b.cache && bits_of(a.partial_out) == bits_of(b.partial_out) &&
         bits_of(a.partial_max) == bits_of(b.partial_max) && bits_of(a.partial_sum) == bits_of(b.partial_sum);
}

Outcome run(const Subject& s, std::uint64_t orders) {
  Outcome outcome;
  const PagedInputs in = make_paged_inputs(s.c);
  PagedDevice device(s.c, in);
  const auto result = [&](std::uint64_t n, std::string* order) {
    device.poison();
    if (s.c.kernel == "writer") device.upload_cache(empty_cache(s.c, in));
    *order = in_order_number(n, [&] { launch(s, in, device); });
    return device.outputs();
  };
  std::string order;
  const PagedOutputs first = result(0, &order);
  for (std::uint64_t n = 1; n <= orders; ++n) {
    if (same_bits(result(n, &order), first)) continue;
    outcome.fail("  other bits in the order " + order + "\n");
    return outcome;
  }
  return outcome;
}

std::vector<Subject> subjects() {
  using enum PagedPrefillKernel;
  std::vector<Subject> all;
  for (const int head_dim : {128, 256}) {
    for (const PagedKvType kv_type : {PagedKvType::kFp16, PagedKvType::kE4m3, PagedKvType::kInt8}) {
      const PagedCase c{.kv_type = kv_type,
                        .head_dim = head_dim,
                        .heads = 2,
                        .requests = {{2, 150}, {1, 20}},
                        .num_kv_splits = 2,
                        .window = 100};
      all.push_back({c});
      PagedCase prefill = c;
      prefill.kernel = "prefill";
      prefill.requests = {{5, 40}, {18, 33}};
      for (const PagedPrefillKernel kernel : {kGeneral, kShort, kGqa, kSplitKv}) {
        if (kernel == kShort && head_dim == 256) continue;
        prefill.kernel = "prefill_" + std::string(kernels::name_of(kernel));
        all.push_back({prefill, kernel});
      }
      PagedCase writer = c;
      writer.kernel = "writer";
      writer.requests = {{1, 12}};
      writer.window = 0;
      all.push_back({writer});
      if (kv_type != PagedKvType::kFp16 || head_dim != 256) continue;
      PagedCase grouped = c;
      grouped.kernel = "decode_grouped";
      all.push_back({grouped});
    }
  }
  return all;
}

}  // namespace

std::vector<Case> paged_schedule_cases() {
  std::vector<Case> cases;
  for (const Subject& s : subjects()) {
    for (const std::uint64_t orders : {8, 1000}) {
      Case added;
      added.name = "schedules(orders=" + std::to_string(orders) + "," + s.c.name() + ")";
      added.run = [s, orders] { return run(s, orders); };
      added.is_long = orders > 8;
      cases.push_back(std::move(added));
    }
  }
  return cases;
}

}  // namespace offgrid::cases

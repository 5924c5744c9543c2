// See mla_decode_laws.h.
#include "cases/mla_decode_laws.h"

#include <offgrid/reference/compare.h>

#include <functional>
#include <string>

#include "cases/judge.h"
#include "cases/mla_decode_judge.h"
#include "cases/mla_decode_rows.h"

namespace offgrid::cases {
namespace {

using namespace rows;
using kernels::DecodePath;

// The inputs with only the given rows, in that order. For dense layouts.
MlaDecodeInputs choose_rows(const MlaDecodeInputs& in, const std::vector<std::size_t>& rows) {
  MlaDecodeInputs out = in;
  out.q.clear();
  out.page_table.clear();
  out.kv_lens.clear();
  for (const std::size_t b : rows) {
    const auto q = in.q.begin() + static_cast<std::ptrdiff_t>(b) * in.layout.q_batch;
    out.q.insert(out.q.end(), q, q + in.layout.q_batch);
    const auto table = in.page_table.begin() + static_cast<std::ptrdiff_t>(b) * in.layout.table_batch;
    out.page_table.insert(out.page_table.end(), table, table + in.layout.table_batch);
    out.kv_lens.push_back(in.kv_lens[b]);
  }
  const auto count = static_cast<std::int64_t>(rows.size());
  out.layout.out_count = count * in.layout.out_batch;
  out.layout.lse_count = count * in.layout.lse_batch;
  out.layout.scratch_count = count * in.layout.scratch_batch;
  return out;
}

std::vector<std::uint32_t> slice(const std::vector<std::uint32_t>& all, std::size_t row, std::int64_t width) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(row) * width;
  return {begin, begin + width};
}

void permute_rows(Outcome& outcome, const MlaDecodeCase& c) {
  const MlaDecodeInputs in = make_inputs(c);
  const MlaDecodeOutputs whole = MlaDecodeDevice(c, in).run(c.plan().path);
  const std::size_t last = in.kv_lens.size() - 1;
  for (const std::vector<std::size_t>& rows :
       {std::vector<std::size_t>{last},
        {last, 2, 1, 0},
        {0, 0, last, 0},
        {1, 2},
        std::vector<std::size_t>(c.inner == kernels::InnerPath::kScalar ? 140 : 20, last)}) {
    MlaDecodeCase part = c;
    part.kv_lens.clear();
    for (const std::size_t b : rows) part.kv_lens.push_back(c.kv_lens[b]);
    const MlaDecodeOutputs got = MlaDecodeDevice(part, choose_rows(in, rows)).run(c.plan().path);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (slice(got.out, i, in.layout.out_batch) == slice(whole.out, rows[i], in.layout.out_batch) &&
          slice(got.lse, i, in.layout.lse_batch) == slice(whole.lse, rows[i], in.layout.lse_batch)) {
        continue;
      }
      outcome.fail("  row " + std::to_string(rows[i]) + " has other bits as row " + std::to_string(i) + " of " +
                   std::to_string(rows.size()) + "\n");
      return;
    }
  }
}

void repeat(Outcome& outcome, const MlaDecodeCase& c, int times) {
  MlaDecodeDevice device(c, make_inputs(c));
  const MlaDecodeOutputs first = device.run(c.plan().path);
  for (int i = 1; i < times; ++i) {
    const MlaDecodeOutputs again = device.run(c.plan().path);
    if (again.out == first.out && again.lse == first.lse && again.scratch == first.scratch) continue;
    outcome.fail("  run " + std::to_string(i) + " has other bits than the first\n");
    return;
  }
}

// A column beyond the values that is 1 in every query and a constant in every key.
MlaDecodeInputs with_last_column(const MlaDecodeCase& c, MlaDecodeInputs in, double constant) {
  const auto& l = in.layout;
  const auto code = [&](double x) { return static_cast<std::uint16_t>(reference::encode(format_of(c.dtype), x)); };
  for (std::int64_t b = 0; b < c.batch(); ++b) {
    for (std::int64_t h = 0; h < c.heads; ++h) {
      in.q[static_cast<std::size_t>(b * l.q_batch + h * l.q_head + c.head_dim - 1)] = code(1);
    }
  }
  for (std::int64_t page = 0; page < l.pages; ++page) {
    for (std::int64_t slot = 0; slot < c.page_size; ++slot) {
      for (std::int64_t head = 0; head < c.kv_heads; ++head) {
        in.kv_cache[static_cast<std::size_t>(l.keys.offset(page, slot, head) + c.head_dim - 1)] = code(constant);
      }
    }
  }
  return in;
}

std::vector<double> decoded(const reference::FloatFormat& format, const std::vector<std::uint32_t>& codes) {
  std::vector<double> values;
  for (const std::uint32_t code : codes) values.push_back(reference::decode(format, code));
  return values;
}

// Both results are within their bounds of the truth, so they differ by the law and by both bounds at most.
void shift_scores(Outcome& outcome, const MlaDecodeCase& c) {
  constexpr double kShift = 64;
  const MlaDecodeInputs plain_in = with_last_column(c, make_inputs(c), 0);
  const MlaDecodeInputs shifted_in = with_last_column(c, make_inputs(c), kShift);
  const MlaDecodeOutputs plain = MlaDecodeDevice(c, plain_in).run(c.plan().path);
  const MlaDecodeOutputs shifted = MlaDecodeDevice(c, shifted_in).run(c.plan().path);
  const reference::MlaDecodeBound a = bound_of(c, plain_in);
  const reference::MlaDecodeBound b = bound_of(c, shifted_in);
  const auto check = [&](const char* name, const reference::FloatFormat& format, const std::vector<std::uint32_t>& from,
                         const std::vector<std::uint32_t>& to, const reference::Tensor& first,
                         const reference::Tensor& second, double shift) {
    reference::Tensor want(first.dims());
    reference::Tensor allowed(first.dims());
    const auto values = decoded(format, from);
    for (std::size_t i = 0; i < values.size(); ++i) {
      want.values()[i] = values[i] + shift;
      allowed.values()[i] = first.values()[i] + second.values()[i] + reference::ulp_size(format, values[i]) / 2;
    }
    take(outcome, reference::compare(name, format, to, want, allowed, "both bounds"));
  };
  check("out", format_of(c.dtype), gather_out(c, plain_in.layout, plain.out),
        gather_out(c, shifted_in.layout, shifted.out), a.out, b.out, 0);
  check("lse", format_of(c.lse_dtype), gather_lse(c, plain_in.layout, plain.lse),
        gather_lse(c, shifted_in.layout, shifted.lse), a.lse, b.lse, kShift * static_cast<double>(plain_in.sm_scale));
}

void sweep_splits(Outcome& outcome, const MlaDecodeCase& c) {
  for (const int splits : {1, 2, 3, 4, 7, 8, 13, 16, 31, 64, 97}) {
    MlaDecodeCase one = c;
    one.num_kv_splits = splits;
    const MlaDecodeInputs in = make_inputs(one);
    const std::size_t before = outcome.text.size();
    compare_with_truth(outcome, one, in, MlaDecodeDevice(one, in).run(DecodePath::kTwoStage));
    if (outcome.text.size() > before) outcome.text.insert(before, "  " + std::to_string(splits) + " splits:\n");
  }
}

using Law = void (*)(Outcome& outcome, const MlaDecodeCase& c);

Case law_case(const std::string& name, const MlaDecodeCase& c, const std::function<void(Outcome&)>& run) {
  return {name, [c, run] {
            Outcome outcome;
            if (const std::string why = kernels::mla_decode_obstacle(c.variant()); !why.empty()) {
              outcome.status = Status::kSkipped;
              outcome.text = "  " + why + "\n";
              return outcome;
            }
            run(outcome);
            return outcome;
          }};
}

// One of each kernel and path.
std::vector<MlaDecodeCase> subjects() {
  const std::vector<int> lens = {33, 0, 70, 17};
  const auto tensor = with(small({333, 0, 70, 170}), dims(288, 256), heads(16), tensor_cores);
  return {small(lens),
          direct(small(lens)),
          small(lens, 3),
          with(small(lens, 3), heads(1)),
          small_gqa(lens),
          with(small_gqa(lens, 3), heads(3, 3)),
          with(direct(small(lens)), e4m3(0.06f)),
          direct(tensor)};
}

}  // namespace

std::vector<Case> mla_decode_law_cases() {
  std::vector<Case> cases;
  const auto add = [&cases](const std::string& name, const MlaDecodeCase& c, const auto& law) {
    cases.push_back(law_case(name + "(" + c.name() + ")", c, [c, law](Outcome& outcome) { law(outcome, c); }));
  };
  for (const MlaDecodeCase& c : subjects()) {
    add("permuted_rows", c, permute_rows);
    for (const int times : {20, 1000}) {
      cases.push_back(law_case("repeated(times=" + std::to_string(times) + "," + c.name() + ")", c,
                               [c, times](Outcome& outcome) { repeat(outcome, c, times); }));
      cases.back().is_long = times > 100;
    }
    if (c.kv_type == kernels::KvType::kLikeQuery) add("shifted_scores", c, shift_scores);
  }
  for (const MlaDecodeCase& c : {small({97, 0, 5}), small_gqa({97, 0, 5}), with(small_gqa({97, 0, 5}), heads(3, 3))}) {
    add("split_sweep", c, sweep_splits);
  }
  return cases;
}

}  // namespace offgrid::cases

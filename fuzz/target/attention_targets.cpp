// The attention kernels as targets: the cases' own runs and judgements over the whole space of their parameters.
#include <offgrid/fuzz/target.h>

#include <iterator>

#include "cases/merge_case.h"
#include "cases/mla_decode_case.h"
#include "cases/mla_decode_run.h"

namespace offgrid::fuzz {
namespace {

using cases::MergeCase;
using cases::MlaDecodeCase;
using cases::Values;

constexpr int kPageSizes[] = {1, 3, 16, 64, 480};
constexpr Values kValues[] = {Values::kNormal, Values::kZeroQuery, Values::kEqualKeys,
                              Values::kRising, Values::kDominant,  Values::kHuge};

std::int64_t last(const auto& table) { return static_cast<std::int64_t>(std::size(table)) - 1; }

MlaDecodeCase decode_case(const Input& in) {
  const auto& variant = kernels::mla_decode_variants()[static_cast<std::size_t>(in["variant"])];
  MlaDecodeCase c;
  c.dtype = variant.dtype;
  c.lse_dtype = variant.lse_dtype;
  c.kv_type = variant.kv_type;
  c.is_mla = variant.is_mla;
  c.inner = variant.inner;
  c.head_dim = variant.head_dim;
  c.value_dim = variant.value_dim;
  c.kv_heads = c.is_mla ? 1 : in.as_int("kv_heads");
  c.heads = c.kv_heads * in.as_int("heads");
  for (const char* row : {"kv_len", "kv_len_2", "kv_len_3"}) {
    if (in[row] >= 0) c.kv_lens.push_back(in.as_int(row));  // -1: no such row
  }
  c.page_size = kPageSizes[in["page_size"]];
  c.num_kv_splits = in.as_int("num_kv_splits");
  c.direct = in["direct"] != 0;
  c.values = kValues[in["values"]];
  c.layout = static_cast<cases::Layout>(in["inflated"]);
  c.pages = static_cast<cases::Pages>(in["pages"]);
  c.index = static_cast<cases::Index>(in["int64"]);
  c.seed = in.seed;
  return c;
}

Target decode_target() {
  const std::vector<std::int64_t> lengths{0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65};
  return {"decode",
          {{"variant", 0, last(kernels::mla_decode_variants()), {}},
           {"heads", 1, 40, {1, 2, 15, 16, 17}},
           {"kv_heads", 1, 3, {1, 2}},
           {"kv_len", 0, 130, lengths},
           {"kv_len_2", -1, 130, lengths},
           {"kv_len_3", -1, 130, {-1}},
           {"page_size", 0, last(kPageSizes), {}},
           {"num_kv_splits", 1, 9, {1, 2, 3, 8}},
           {"direct", 0, 1, {}},
           {"values", 0, last(kValues), {0}},
           {"inflated", 0, 1, {}},
           {"pages", 0, 2, {}},
           {"int64", 0, 1, {}}},
          [](const Input& in) { return cases::run_mla_decode(decode_case(in)); },
          [](const Input& in) {
            // Values of their own: the query heads of a KV head fill blocks of 16, or a block holds whole groups.
            const std::int64_t group = in["heads"];
            const MlaDecodeCase c = decode_case(in);
            if (c.kv_heads > 1 && group % 16 != 0 && 16 % group != 0) return false;
            return kernels::mla_decode_obstacle(c.variant()).empty();
          }};
}

constexpr kernels::DataType kMergeTypes[] = {kernels::DataType::kFp32, kernels::DataType::kBf16,
                                             kernels::DataType::kFp16};

MergeCase merge_case(const Input& in) {
  MergeCase c;
  c.variant.dtype = c.variant.out_dtype = kMergeTypes[in["dtype"]];
  c.states = in.as_int("states");
  c.rows = in.as_int("rows");
  c.heads = in.as_int("heads");
  c.head_dim = 8 * in.as_int("eighths");
  c.lse = static_cast<cases::LsePattern>(in["lse"]);
  c.inflated = in["inflated"] != 0;
  return c;
}

Target merge_target() {
  return {"merge_states",
          {{"dtype", 0, last(kMergeTypes), {}},
           {"states", 1, 40, {1, 2, 3, 31, 32, 33}},
           {"rows", 1, 20, {1, 2}},
           {"heads", 1, 20, {1, 2, 16}},
           {"eighths", 1, 64, {1, 4, 8, 16, 64}},
           {"lse", 0, 3, {0}},
           {"inflated", 0, 1, {}}},
          [](const Input& in) { return cases::run_merge(merge_case(in)); },
          {}};
}

/// A shape of its own for the speed of a search: V2-Lite's 16 heads, 4 requests of 64 keys.
Target v2_lite_target() {
  return {"decode_v2_lite",
          {{"batch", 1, 4, {4}}},
          [](const Input& in) {
            MlaDecodeCase c;
            c.kv_lens.assign(static_cast<std::size_t>(in["batch"]), 64);
            c.seed = in.seed;
            return cases::run_mla_decode(c);
          },
          {}};
}

const AddTarget kDecode(decode_target());
const AddTarget kMerge(merge_target());
const AddTarget kV2Lite(v2_lite_target());

}  // namespace
}  // namespace offgrid::fuzz

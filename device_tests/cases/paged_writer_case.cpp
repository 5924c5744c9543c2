// See paged_writer_case.h.
//
// The tokens of a case are written in a random order into a cache of poison, among tokens that are to be skipped. Every
// byte must then be what the model of the writer says, gaps, unused slots and pages included; and decode over the cache
// that the kernel wrote must be right.
#include "cases/paged_writer_case.h"

#include <offgrid/kernels/paged_cache_writer.h>

#include <algorithm>
#include <numeric>

#include "cases/paged_decode_run.h"
#include "cases/paged_judge.h"
#include "cases/splitmix64.h"

namespace offgrid::cases {
namespace {

using enum kernels::PagedKvType;
using kernels::PagedKvType;

struct WriterCase {
  PagedCase c;
  int slot_words = 1;
  std::string name() const {
    std::string text = c.name();
    if (slot_words == 2) text.insert(text.size() - 1, ",slots=int64");
    return text;
  }
};

// Tokens as the writer gets them: rows of keys with something behind them, in random order, some of them skipped.
struct NewTokens {
  std::vector<std::uint16_t> keys, values;
  std::vector<std::int64_t> slots;
  std::int64_t key_stride, value_stride;
};

NewTokens shuffled_tokens(const PagedCase& c, const PagedInputs& in) {
  const std::int64_t width = std::int64_t{c.kv_heads} * c.head_dim;
  NewTokens result{{}, {}, {}, width + 8, width + 3};
  const std::int64_t no_slots[] = {-1, in.memory.pages * c.page_size, -5, in.memory.pages * c.page_size + 7};
  std::vector<std::size_t> order(in.slots.size() + std::size(no_slots));  // the last ones are skipped
  std::iota(order.begin(), order.end(), std::size_t{0});
  Splitmix64 random(c.seed + 11);
  random.shuffle(order);
  const auto count = order.size();
  result.keys.assign(count * static_cast<std::size_t>(result.key_stride), 0x4321);
  result.values.assign(count * static_cast<std::size_t>(result.value_stride), 0x4321);
  for (std::size_t i = 0; i < count; ++i) {
    if (order[i] >= in.slots.size()) {
      result.slots.push_back(no_slots[order[i] - in.slots.size()]);
      continue;
    }
    result.slots.push_back(in.slots[order[i]]);
    const auto from = static_cast<std::ptrdiff_t>(order[i]) * width;
    const auto to = static_cast<std::ptrdiff_t>(i);
    std::copy_n(in.new_keys.begin() + from, width, result.keys.begin() + to * result.key_stride);
    std::copy_n(in.new_values.begin() + from, width, result.values.begin() + to * result.value_stride);
  }
  return result;
}

std::vector<std::int32_t> as_words(const std::vector<std::int64_t>& entries, int words) {
  std::vector<std::int32_t> result;
  for (const std::int64_t x : entries) {
    result.push_back(static_cast<std::int32_t>(x));
    if (words == 2) result.push_back(static_cast<std::int32_t>(x >> 32));
  }
  return result;
}

void compare_bytes(Outcome& outcome, const PagedInputs& in, const std::vector<std::uint8_t>& got) {
  std::size_t wrong = 0, first = 0;
  for (std::size_t i = got.size(); i-- > 0;) {
    if (got[i] != in.cache[i]) ++wrong, first = i;
  }
  if (wrong == 0) return;
  outcome.fail("  cache: " + std::to_string(wrong) + " of " + std::to_string(got.size()) +
               " bytes are not what the writer should leave, the first at " + std::to_string(first) + "\n");
}

Outcome run(const WriterCase& one) {
  Outcome outcome;
  PagedCase c = one.c;
  c.kernel = "decode";
  const PagedInputs in = make_paged_inputs(c);
  PagedDevice device(c, in);
  device.upload_cache(empty_cache(c, in));
  write_paged_tokens(c, one.slot_words, in, device);
  compare_bytes(outcome, in, device.outputs().cache);
  compare_with_truth(outcome, c, in, run_paged_decode_kernels(outcome, c, device), paged_decode_bound_arithmetic(c),
                     PaddingRows::kZero);
  return outcome;
}

std::vector<WriterCase> table() {
  std::vector<WriterCase> cases;
  for (const PagedKvType kv_type : {kFp16, kE4m3, kInt8}) {
    for (const int head_dim : {128, 256}) {
      for (const CacheMemory memory : {CacheMemory::kDense, CacheMemory::kHybrid, CacheMemory::kPadded}) {
        for (const int page_size : {13, 16, 784}) {
          cases.push_back({{.kernel = "writer",
                            .kv_type = kv_type,
                            .head_dim = head_dim,
                            .heads = 4,
                            .kv_heads = 2,
                            .requests = {{2, 40}, {1, 17}},
                            .page_size = page_size,
                            .memory = memory,
                            .num_kv_splits = 2},
                           page_size == 16 ? 2 : 1});
        }
      }
      for (const PagedValues values : {PagedValues::kNanKey, PagedValues::kInfValue}) {
        cases.push_back({{.kernel = "writer",
                          .kv_type = kv_type,
                          .head_dim = head_dim,
                          .heads = 2,
                          .requests = {{1, 20}, {1, 33}},
                          .num_kv_splits = 1,
                          .values = values}});
      }
    }
  }
  return cases;
}

}  // namespace

void write_paged_tokens(const PagedCase& c, int slot_words, const PagedInputs& in, PagedDevice& device) {
  const NewTokens tokens = shuffled_tokens(c, in);
  const auto slots = as_words(tokens.slots, slot_words);
  const gpu::DeviceBuffer<std::uint16_t> keys({"key", "fp16", {}}, std::span(tokens.keys));
  const gpu::DeviceBuffer<std::uint16_t> values({"value", "fp16", {}}, std::span(tokens.values));
  const gpu::DeviceBuffer<std::int32_t> slot_mapping({"slot_mapping", "int32", {}}, std::span(slots));
  const kernels::PagedAttentionParams& p = device.params();
  kernels::write_paged_cache(c.kv_type, {.key = keys.data(),
                                         .value = values.data(),
                                         .key_cache = const_cast<void*>(p.key_cache),
                                         .value_cache = const_cast<void*>(p.value_cache),
                                         .k_scale = const_cast<float*>(p.k_scale),
                                         .v_scale = const_cast<float*>(p.v_scale),
                                         .slot_mapping = slot_mapping.data(),
                                         .key_token_stride = tokens.key_stride,
                                         .value_token_stride = tokens.value_stride,
                                         .keys = p.keys,
                                         .values = p.values,
                                         .k_scales = p.k_scales,
                                         .v_scales = p.v_scales,
                                         .num_pages = in.memory.pages,
                                         .num_tokens = static_cast<std::int32_t>(tokens.slots.size()),
                                         .num_kv_heads = c.kv_heads,
                                         .head_dim = c.head_dim,
                                         .page_size = c.page_size,
                                         .pack = c.pack(),
                                         .slot_words = slot_words});
  gpu::synchronize();
}

std::vector<Case> paged_writer_cases() {
  std::vector<Case> cases;
  for (const WriterCase& one : table()) {
    Case added;
    added.name = one.name();
    added.run = [one] { return run(one); };
    cases.push_back(std::move(added));
  }
  return cases;
}

}  // namespace offgrid::cases

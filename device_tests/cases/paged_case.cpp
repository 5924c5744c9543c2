// Names of cases over paged caches.
#include "cases/paged_case.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace offgrid::cases {
namespace {

constexpr std::string_view name_of(kernels::PagedKvType type) {
  switch (type) {
    case kernels::PagedKvType::kFp16:
      return "fp16";
    case kernels::PagedKvType::kE4m3:
      return "e4m3";
    case kernels::PagedKvType::kInt8:
      return "int8";
  }
  return "?";
}

constexpr std::string_view name_of(CacheMemory memory) {
  switch (memory) {
    case CacheMemory::kDense:
      return "dense";
    case CacheMemory::kHybrid:
      return "hybrid";
    case CacheMemory::kPadded:
      return "padded";
  }
  return "?";
}

constexpr std::string_view name_of(PagedValues values) {
  switch (values) {
    case PagedValues::kNormal:
      return "normal";
    case PagedValues::kRising:
      return "rising";
    case PagedValues::kFalling:
      return "falling";
    case PagedValues::kHuge:
      return "huge";
    case PagedValues::kNanKey:
      return "nan_key";
    case PagedValues::kInfValue:
      return "inf_value";
    case PagedValues::kNanQuery:
      return "nan_query";
  }
  return "?";
}

// "1:700x3+3:33": runs of the same lengths are counted.
std::string lengths_text(const std::vector<PagedRequest>& requests) {
  std::string text;
  for (std::size_t i = 0; i < requests.size();) {
    std::size_t run = 1;
    while (i + run < requests.size() && requests[i + run].q_len == requests[i].q_len &&
           requests[i + run].kv_len == requests[i].kv_len) {
      ++run;
    }
    if (!text.empty()) text += "+";
    text += std::to_string(requests[i].q_len) + ":" + std::to_string(requests[i].kv_len);
    if (run > 1) text += "x" + std::to_string(run);
    i += run;
  }
  return text;
}

}  // namespace

float PagedCase::scale() const {
  return sm_scale != 0 ? sm_scale : static_cast<float>(1 / std::sqrt(static_cast<double>(head_dim)));
}

std::int64_t PagedCase::work() const {
  std::int64_t keys = 0;
  for (const PagedRequest& r : requests) {
    keys += std::int64_t{r.q_len} * (window > 0 ? std::min(window, r.kv_len) : r.kv_len);
  }
  return keys * heads * head_dim;
}

int PagedCase::tokens_of_requests() const {
  int count = 0;
  for (const PagedRequest& r : requests) count += r.q_len;
  return count;
}

std::string PagedCase::name() const {
  std::string text = "paged_" + kernel + "(kv=" + std::string(name_of(kv_type));
  const auto add = [&text](std::string_view key, const std::string& value) {
    text += ",";
    text += key;
    text += "=";
    text += value;
  };
  add("head_dim", std::to_string(head_dim));
  add("heads", std::to_string(heads) + "/" + std::to_string(kv_heads));
  add("lens", lengths_text(requests));
  add("page_size", std::to_string(page_size));
  if (memory != CacheMemory::kHybrid) add("memory", std::string(name_of(memory)));
  if (num_kv_splits != 16) add("splits", std::to_string(num_kv_splits));
  if (window != 0) add("window", std::to_string(window));
  if (padding != 0) add("padding", std::to_string(padding));
  if (!with_starts) add("starts", "none");
  if (!causal) add("causal", "no");
  if (sm_scale != 0) {
    char number[32];
    std::snprintf(number, sizeof(number), "%g", static_cast<double>(sm_scale));
    add("sm_scale", number);
  }
  if (values != PagedValues::kNormal) add("values", std::string(name_of(values)));
  if (fused_q) add("q", "fused");
  if (in_place) add("out", "q");
  if (key_pack != 0) add("pack", std::to_string(key_pack));
  if (odd_base) add("base", "odd");
  if (seed != 1) add("seed", std::to_string(seed));
  return text + ")";
}

}  // namespace offgrid::cases

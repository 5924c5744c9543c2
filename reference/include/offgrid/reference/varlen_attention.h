/// Attention of requests of any length, each with some new tokens behind a prefix: the truth in fp64, how far an fp32
/// implementation may be from it, and what the elements of quantised caches stand for.
#pragma once

#include <offgrid/reference/float_format.h>
#include <offgrid/reference/tensor.h>

#include <cstdint>
#include <span>

namespace offgrid::reference {

/// shapes  q: [tokens, num_q_heads, head_dim];  keys, values: [kv_tokens, num_kv_heads, head_dim], the tokens of all
///         requests one after another, in the order of their positions (no pages);  query_starts, kv_starts:
///         [requests + 1], where each request's tokens begin
/// units   everything is the exact value of what the implementation computes with
/// laws    token i of a request of q_len new tokens and kv_len tokens sits at position kv_len - q_len + i; it sees key
/// k
///         if (k <= position or not causal) and (window <= 0 or position - k < window);  only keys that are seen matter
struct VarlenAttentionProblem {
  const Tensor& q;
  const Tensor& keys;
  const Tensor& values;
  std::span<const std::int64_t> query_starts;
  std::span<const std::int64_t> kv_starts;
  double sm_scale = 1;
  bool causal = true;
  std::int64_t window = 0;
};

/// What the error bound has to know of an implementation; see reference/README.md "decode bound". Splits, whole or not,
/// that keep sums, not means, are one more online-softmax step.
struct VarlenArithmetic {
  int dot_depth = 0;         ///< longest chain of fp32 roundings from a product to the finished dot product
  int tile_tokens = 1;       ///< keys of an online-softmax step
  int num_kv_splits = 1;     ///< splits that are combined
  bool sums_by_tile = true;  ///< weighted values of a tile are added up before they meet older ones
  double unit = 0x1p-24;
  double function_error = 4;  ///< of exp, in units of `unit`
};

struct VarlenAttentionResult {
  Tensor out;    ///< [tokens, num_q_heads, head_dim]; 0 in rows that see no key, and behind the last request
  Tensor bound;  ///< largest allowed |got - out| before its rounding to the output format; infinite or NaN: kind only
};

/// errors  std::invalid_argument if shapes do not fit together
VarlenAttentionResult varlen_attention(const VarlenAttentionProblem& problem, const VarlenArithmetic& arithmetic);

/// What a quantised cache stands for: code * scale rounded to fp32, then to fp16.
double dequantised(const FloatFormat& format, std::uint32_t code, float scale);
double dequantised_int8(std::int8_t code, float scale);

/// One row quantised to int8: scale = max(largest magnitude / 127, 1e-6), codes = x / scale rounded to nearest, ties to
/// even; all of it in fp32. A row with a NaN or an infinity has scale NaN and codes 0.
struct Int8Row {
  float scale;
  std::vector<std::int8_t> codes;
};
Int8Row quantise_int8(std::span<const double> row);

}  // namespace offgrid::reference

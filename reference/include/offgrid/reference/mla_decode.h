/// Decode attention, one query token a row, keys and values in a paged cache: the truth in fp64, and how far a given
/// fp32 implementation may be from it. MLA is one KV head whose values are the first columns of its keys.
#pragma once

#include <offgrid/reference/attention.h>
#include <offgrid/reference/tensor.h>

#include <cstdint>
#include <span>

namespace offgrid::reference {

/// shapes  q: [batch, num_q_heads, head_dim];  kv_cache: [pages, page_size, head_dim], or with KV heads between:
/// [pages,
///         page_size, num_kv_heads, head_dim]; query head h reads KV head h / (num_q_heads / num_kv_heads);
///         value_cache: null, and a value is the first value_dim numbers of its key; or [pages, page_size,
///         num_kv_heads, value_dim];  page_table: [batch, max_pages], the page of tokens
///         [i * page_size, (i + 1) * page_size) of row b at b * max_pages + i;  kv_lens: [batch]
/// units   everything is the exact value of what the implementation computes with (e4m3 codes after scale and rounding)
/// errors  only tokens below kv_lens[b], and the table entries of their pages, are ever looked at;
///         std::out_of_range for a page that does not exist; kv_len <= 0 is an empty row
struct MlaDecodeProblem {
  const Tensor& q;
  const Tensor& kv_cache;
  std::span<const std::int32_t> page_table;
  std::int64_t max_pages;
  std::span<const std::int32_t> kv_lens;
  std::int64_t value_dim;
  double sm_scale;
  double logit_cap = 0;
  const Tensor* value_cache = nullptr;

  std::int64_t num_kv_heads() const { return kv_cache.dims().size() == 4 ? kv_cache.size(2) : 1; }
};

struct MlaDecodeResult {
  Tensor out;  ///< [batch, num_q_heads, value_dim]; 0 in empty rows
  Tensor lse;  ///< [batch, num_q_heads], natural log; -inf in empty rows
};

/// The truth: section "decode" of reference/README.md.
MlaDecodeResult mla_decode(const MlaDecodeProblem& problem);

/// What the error bound has to know of an implementation. The defaults are those of fp32 arithmetic and of math
/// functions within 2 ulp, which CUDA and HIP document for expf, logf and tanhf.
struct DecodeArithmetic {
  int dot_depth = 0;          ///< longest chain of fp32 roundings from a product q_d * k_d to the finished dot product
  int tile_tokens = 1;        ///< tokens an online-softmax step takes in
  int num_kv_splits = 1;      ///< above 1: partial results are merged
  double unit = 0x1p-24;      ///< unit roundoff of the accumulation
  double function_error = 4;  ///< relative error of exp, log and tanh in units of `unit` (2 ulp)
  double probability_roundoff = 0;  ///< of p before p * v: 0 if p stays in fp32, 2^-8 for bf16, 2^-11 for fp16
};

/// Largest allowed |got - truth| a result element, before its own rounding to the output format. An infinite or NaN
/// bound means that only the kind (number, infinity, NaN) is decided.
struct MlaDecodeBound {
  Tensor out;  ///< [batch, num_q_heads, value_dim]
  Tensor lse;  ///< [batch, num_q_heads]
};

/// Derivation: reference/README.md "decode bound".
MlaDecodeBound mla_decode_bound(const MlaDecodeProblem& problem, const DecodeArithmetic& arithmetic);

}  // namespace offgrid::reference

// The truth and its bound, a block of rows at a time. See <offgrid/reference/varlen_attention.h>.
#include <offgrid/reference/attention.h>
#include <offgrid/reference/varlen_attention.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "attention/merge_bound.h"
#include "attention/mla_rows.h"

namespace offgrid::reference {
namespace {

using Index = Eigen::Index;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kRows = 64;  // rows of a block

void check(const VarlenAttentionProblem& p) {
  const auto require = [](bool ok, const char* what) {
    if (!ok) throw std::invalid_argument(what);
  };
  require(p.q.dims().size() == 3 && p.keys.dims().size() == 3 && p.values.dims().size() == 3,
          "q, keys and values have three dimensions");
  require(p.q.size(2) == p.keys.size(2) && p.q.size(2) == p.values.size(2), "q, keys and values differ in head_dim");
  require(p.keys.size(0) == p.values.size(0) && p.keys.size(1) == p.values.size(1), "keys and values differ in shape");
  require(p.keys.size(1) >= 1 && p.q.size(1) % p.keys.size(1) == 0, "num_kv_heads divides num_q_heads");
  require(!p.query_starts.empty() && p.query_starts.size() == p.kv_starts.size(), "starts are [requests + 1]");
  require(std::is_sorted(p.query_starts.begin(), p.query_starts.end()) &&
              std::is_sorted(p.kv_starts.begin(), p.kv_starts.end()),
          "starts never decrease");
  require(p.query_starts.back() <= p.q.size(0) && p.kv_starts.back() <= p.keys.size(0), "starts lie in the tensors");
}

// One head of a tensor [tokens, heads, head_dim], tokens [begin, begin + count).
Matrix head_of(const Tensor& t, std::int64_t begin, std::int64_t count, std::int64_t head) {
  Matrix m(count, t.size(2));
  for (std::int64_t i = 0; i < count; ++i) {
    const auto row = t.row({begin + i, head});
    std::copy(row.begin(), row.end(), m.row(i).data());
  }
  return m;
}

// One request and KV head.
struct Tokens {
  Matrix keys, values, key_magnitudes, value_magnitudes;
  bool finite;  // no NaN, no infinity: masked keys may be multiplied by 0
};

struct Range {
  std::int64_t begin, end;
};
Range seen(const VarlenAttentionProblem& p, std::int64_t position, std::int64_t kv_len) {
  const std::int64_t end = p.causal ? std::min(position + 1, kv_len) : kv_len;
  const std::int64_t begin = p.window > 0 ? std::max<std::int64_t>(position - p.window + 1, 0) : 0;
  return {begin, std::max(begin, end)};
}

// Rows of one head with weights over the same keys: turns scores (-inf: not seen) into out and bound.
void finish_rows(const VarlenArithmetic& a, double sm_scale, Matrix& scores, const Matrix& magnitudes,
                 const MatrixView& values, const MatrixView& value_magnitudes, Matrix& out, Matrix& bound) {
  const double u = a.unit;
  const auto keys = static_cast<double>(scores.cols());
  const double tiles = std::ceil(keys / a.tile_tokens) + 2;
  const double splits = a.num_kv_splits;
  const double chain = 2 * tiles + splits + (a.sums_by_tile ? a.tile_tokens : keys);
  const double steps = (tiles + 1) * a.function_error * u + tiles * u;
  Matrix terms(scores.rows(), scores.cols());
  Vector denominators = Vector::Zero(scores.rows());
  for (Index i = 0; i < scores.rows(); ++i) {
    auto s = scores.row(i);
    double m = -kInfinity, maximum_error = 0;
    for (Index n = 0; n < s.size(); ++n) {
      if (s[n] == -kInfinity) continue;
      m = std::max(m, s[n]);
      maximum_error = std::max(maximum_error, gamma(a.dot_depth + 1, u) * std::abs(sm_scale) * magnitudes(i, n));
    }
    double z = 0;
    for (Index n = 0; n < s.size(); ++n) {
      const double error = gamma(a.dot_depth + 1, u) * std::abs(sm_scale) * magnitudes(i, n);
      const double relative = s[n] == -kInfinity ? 0 : std::expm1(error + u * (m - s[n] + 2 * maximum_error) + steps);
      const double weight = s[n] == -kInfinity ? 0 : std::exp(s[n] - m);
      terms(i, n) = weight * (relative + gamma(chain, u) * (1 + relative));
      denominators[i] += weight * relative;
      s[n] = weight;
      z += weight;
    }
    if (z == 0) continue;  // sees nothing
    s /= z;
    terms.row(i) = terms.row(i).array() / z + kFlush;
    denominators[i] = denominators[i] / z + gamma(a.tile_tokens + 2 * tiles + splits, u);
  }
  out = scores * values;
  bound = terms * value_magnitudes;
  for (Index i = 0; i < out.rows(); ++i) {
    bound.row(i) += (denominators[i] + u) * out.row(i).cwiseAbs();
    bound.row(i) *= after_division(denominators[i]);
  }
}

void attend_block(const VarlenAttentionProblem& p, const VarlenArithmetic& a, const Tokens& tokens,
                  std::int64_t first_token, std::int64_t rows, std::int64_t first_position, std::int64_t head,
                  VarlenAttentionResult& result) {
  const std::int64_t kv_len = tokens.keys.rows();
  const std::int64_t begin = std::min(seen(p, first_position, kv_len).begin, kv_len);
  const std::int64_t end = seen(p, first_position + rows - 1, kv_len).end;
  if (end <= begin) return;
  const Matrix q = head_of(p.q, first_token, rows, head);
  Matrix scores = p.sm_scale * (q * tokens.keys.middleRows(begin, end - begin).transpose());
  const Matrix magnitudes = q.cwiseAbs() * tokens.key_magnitudes.middleRows(begin, end - begin).transpose();
  for (std::int64_t i = 0; i < rows; ++i) {
    const Range range = seen(p, first_position + i, kv_len);
    for (std::int64_t k = begin; k < end; ++k) {
      if (k < range.begin || k >= range.end) scores(i, k - begin) = -kInfinity;
    }
  }
  Matrix out, bound;
  finish_rows(a, p.sm_scale, scores, magnitudes, tokens.values.middleRows(begin, end - begin),
              tokens.value_magnitudes.middleRows(begin, end - begin), out, bound);
  for (std::int64_t i = 0; i < rows; ++i) {
    std::copy_n(out.row(i).data(), out.cols(), result.out.row({first_token + i, head}).begin());
    std::copy_n(bound.row(i).data(), bound.cols(), result.bound.row({first_token + i, head}).begin());
  }
}

}  // namespace

VarlenAttentionResult varlen_attention(const VarlenAttentionProblem& p, const VarlenArithmetic& a) {
  check(p);
  VarlenAttentionResult result{Tensor(p.q.dims()), Tensor(p.q.dims())};
  const auto requests = static_cast<std::int64_t>(p.query_starts.size()) - 1;
  const std::int64_t kv_heads = p.keys.size(1), group = p.q.size(1) / kv_heads;
  for_each_row(requests * kv_heads, [&](std::int64_t i) {
    const auto r = static_cast<std::size_t>(i / kv_heads);
    const std::int64_t kv_head = i % kv_heads;
    const std::int64_t q_len = p.query_starts[r + 1] - p.query_starts[r];
    const std::int64_t kv_len = p.kv_starts[r + 1] - p.kv_starts[r];
    if (q_len == 0 || kv_len == 0) return;
    Tokens tokens{head_of(p.keys, p.kv_starts[r], kv_len, kv_head),
                  head_of(p.values, p.kv_starts[r], kv_len, kv_head),
                  {},
                  {},
                  false};
    tokens.key_magnitudes = tokens.keys.cwiseAbs();
    tokens.value_magnitudes = tokens.values.cwiseAbs();
    tokens.finite = tokens.keys.allFinite() && tokens.values.allFinite();
    const std::int64_t block = tokens.finite ? kRows : 1;
    for (std::int64_t head = kv_head * group; head < (kv_head + 1) * group; ++head) {
      for (std::int64_t row = 0; row < q_len; row += block) {
        attend_block(p, a, tokens, p.query_starts[r] + row, std::min(block, q_len - row), kv_len - q_len + row, head,
                     result);
      }
    }
  });
  return result;
}

double dequantised(const FloatFormat& format, std::uint32_t code, float scale) {
  return round_to(kFp16, round_to(kFp32, decode(format, code) * static_cast<double>(scale)));
}

double dequantised_int8(std::int8_t code, float scale) {
  return round_to(kFp16, round_to(kFp32, static_cast<double>(code) * static_cast<double>(scale)));
}

Int8Row quantise_int8(std::span<const double> row) {
  double largest = 0;
  bool finite = true;
  for (const double x : row) {
    finite = finite && std::isfinite(x);
    largest = std::max(largest, std::abs(x));
  }
  Int8Row result{std::numeric_limits<float>::quiet_NaN(), std::vector<std::int8_t>(row.size(), 0)};
  if (!finite) return result;
  result.scale = std::max(static_cast<float>(largest / 127), 1e-6f);  // both operands fit fp32, so this rounds once
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double quotient = round_to(kFp32, row[i] / static_cast<double>(result.scale));
    result.codes[i] = static_cast<std::int8_t>(std::clamp(std::nearbyint(quotient), -127.0, 127.0));
  }
  return result;
}

}  // namespace offgrid::reference

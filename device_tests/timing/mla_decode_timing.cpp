// See mla_decode_timing.h.
#include "timing/mla_decode_timing.h"

#include <offgrid/kernels/mla_decode.h>
#include <offgrid/portable/device_buffer.h>

#include <cmath>
#include <cstring>
#include <stdexcept>

#include "cases/splitmix64.h"
#include "timing/device_clock.h"

namespace offgrid::timing {
namespace {

using cases::Splitmix64;
using kernels::DataType;
using kernels::DecodePath;
using kernels::DecodePlan;
using kernels::MlaDecodeVariant;

constexpr int kHeadDim = 576, kValueDim = 512, kPageSize = 64;

// Buffers of one problem: random values, pages in random order, all rows of the same length.
class Problem {
 public:
  Problem(int batch, int tokens, int heads, const MlaDecodeVariant& variant)
      : batch_(batch), tokens_(tokens), heads_(heads), variant_(variant) {
    Splitmix64 random(static_cast<std::uint64_t>(batch) * 1000003 + static_cast<std::uint64_t>(tokens));
    const int row_pages = (tokens + kPageSize - 1) / kPageSize;
    std::vector<std::int32_t> pages(static_cast<std::size_t>(batch * row_pages));
    for (std::size_t i = 0; i < pages.size(); ++i) pages[i] = static_cast<std::int32_t>(i);
    random.shuffle(pages);
    const std::size_t b = static_cast<std::size_t>(batch), h = static_cast<std::size_t>(heads);
    table_ = {{"page_table", "int32", {{"entries", pages.size()}}}, pages};
    lens_ = {{"kv_lens", "int32", {{"batch", b}}}, std::vector<std::int32_t>(b, tokens)};
    q_ = {{"q", "bf16", {{"batch", b}, {"heads", h}, {"head_dim", kHeadDim}}}, random_bf16(b * h * kHeadDim, random)};
    const std::size_t elements = pages.size() * kPageSize * kHeadDim;
    if (is_e4m3()) {
      codes_ = {{"kv_cache", "e4m3", {{"elements", elements}}}, random_codes(elements, random)};
    } else {
      cache_ = {{"kv_cache", "bf16", {{"elements", elements}}}, random_bf16(elements, random)};
    }
    out_ = {{"out", "bf16", {{"batch", b}, {"heads", h}, {"value_dim", kValueDim}}}, b * h * kValueDim};
    lse_ = {{"lse", "fp32", {{"batch", b}, {"heads", h}}}, b * h};
    scratch_ = {{"scratch", "fp32", {{"elements", b * h * (kValueDim + 1)}}}, b * h * (kValueDim + 1)};

    params_.q = q_.data();
    params_.kv_cache = is_e4m3() ? static_cast<void*>(codes_.data()) : cache_.data();
    params_.out = out_.data();
    params_.lse = lse_.data();
    params_.scratch = scratch_.data();
    params_.page_table = table_.data();
    params_.kv_lens = lens_.data();
    params_.q_head_stride = kHeadDim;
    params_.q_batch_stride = params_.q_head_stride * heads;
    params_.kv_token_stride = kHeadDim;
    params_.kv_page_stride = kPageSize * kHeadDim;
    params_.out_head_stride = kValueDim;
    params_.out_batch_stride = params_.out_head_stride * heads;
    params_.lse_batch_stride = heads;
    params_.scratch_split_stride = kValueDim + 1;
    params_.scratch_head_stride = kValueDim + 1;
    params_.scratch_batch_stride = params_.scratch_head_stride * heads;
    params_.page_table_batch_stride = row_pages;
    params_.num_q_heads = heads;
    params_.page_size = kPageSize;
    params_.sm_scale = 1 / std::sqrt(static_cast<float>(kHeadDim));
  }

  DecodePlan plan(bool direct) const {
    return kernels::plan_decode({.batch = batch_, .num_q_heads = heads_, .value_dim = kValueDim, .max_kv_len = tokens_},
                                gpu::multiprocessors(), {.write_direct = direct, .force_num_kv_splits = 1});
  }

  /// One call as production makes it: the output is zeroed, then written.
  Work call(bool direct) {
    return [this, plan = plan(direct)](gpu::Stream stream) {
      gpu::fill_bytes_async(out_.data(), 0, out_.count() * 2, stream);
      kernels::mla_decode(variant_, params_, plan, stream);
    };
  }

  /// The bits of out and lse after a call.
  std::vector<unsigned char> result(bool direct) {
    const gpu::OwnStream stream;
    out_.fill(0xFF);
    lse_.fill(0xFF);
    gpu::synchronize();
    call(direct)(stream.get());
    stream.wait();
    const auto out = out_.download();
    const auto lse = lse_.download();
    for (const float x : lse) {
      if (!std::isfinite(x)) throw std::runtime_error("mla_decode: an lse that is not finite while timing");
    }
    std::vector<unsigned char> bytes(out.size() * 2 + lse.size() * 4);
    std::memcpy(bytes.data(), out.data(), out.size() * 2);
    std::memcpy(bytes.data() + out.size() * 2, lse.data(), lse.size() * 4);
    return bytes;
  }

  // Each byte once: cache, q, out, lse, table.
  double bytes() const {
    const double rows = static_cast<double>(batch_) * heads_;
    return static_cast<double>(batch_) * tokens_ * kHeadDim * (is_e4m3() ? 1 : 2) +
           rows * (kHeadDim * 2 + kValueDim * 2 + 4) + 4.0 * static_cast<double>(table_.count());
  }
  double flops() const { return 2.0 * batch_ * static_cast<double>(heads_) * tokens_ * (kHeadDim + kValueDim); }

 private:
  bool is_e4m3() const { return variant_.kv_type == kernels::KvType::kE4m3; }

  static std::vector<std::uint16_t> random_bf16(std::size_t count, Splitmix64& random) {
    std::vector<std::uint16_t> pool(4096);
    for (auto& code : pool) {
      const auto value = static_cast<float>(random.normal());
      std::uint32_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      code = static_cast<std::uint16_t>(bits >> 16);
    }
    std::vector<std::uint16_t> values(count);
    for (auto& code : values) code = pool[random.next() >> 52];
    return values;
  }
  // Codes of values up to 1.75, both signs.
  static std::vector<std::uint8_t> random_codes(std::size_t count, Splitmix64& random) {
    std::vector<std::uint8_t> codes(count);
    for (auto& code : codes) {
      const std::uint64_t bits = random.next();
      code = static_cast<std::uint8_t>((bits & 0x3F) | (bits >> 32 & 0x80));
    }
    return codes;
  }

  int batch_, tokens_, heads_;
  MlaDecodeVariant variant_;
  kernels::MlaDecodeParams params_;
  gpu::DeviceBuffer<std::uint16_t> q_, cache_, out_;
  gpu::DeviceBuffer<std::uint8_t> codes_;
  gpu::DeviceBuffer<float> lse_, scratch_;
  gpu::DeviceBuffer<std::int32_t> table_, lens_;
};

MlaDecodeVariant variant_for(const std::string& cache, bool scalar) {
  if (cache != "bf16" && cache != "e4m3") {
    throw std::invalid_argument("mla_decode timing: there are caches of bf16 and e4m3, not of '" + cache + "'");
  }
  MlaDecodeVariant variant;
  variant.kv_type = cache == "e4m3" ? kernels::KvType::kE4m3 : kernels::KvType::kLikeQuery;
  variant.inner = kernels::InnerPath::kTensorCore;
  if (!scalar && kernels::mla_decode_obstacle(variant).empty()) return variant;
  variant.inner = kernels::InnerPath::kScalar;
  return variant;
}

TimingRow time_shape(Problem& problem, const MlaDecodeTimingOptions& options) {
  if (problem.result(false) != problem.result(true)) {
    throw std::runtime_error("mla_decode: direct and two stages differ in bits while timing");
  }
  TimingRow row;
  row.bytes = problem.bytes();
  row.flops = problem.flops();
  const Work two_stage = problem.call(false), direct = problem.call(true);
  TimedGraph two_stage_graph(two_stage, options.calls), direct_graph(direct, options.calls);
  const gpu::OwnStream stream;
  const auto measure = [&](const char* name, const auto& first, const auto& second) {
    const Arm arms[] = {{"two-stage", first}, {"direct", second}};
    row.measurements.push_back({name, run_balanced(arms, options.blocks)});
  };
  measure("graph", [&] { return two_stage_graph.replay_us(); }, [&] { return direct_graph.replay_us(); });
  measure(
      "eager", [&] { return eager_us(two_stage, options.calls, stream); },
      [&] { return eager_us(direct, options.calls, stream); });
  measure(
      "enqueue", [&] { return enqueue_us(two_stage, options.calls, stream); },
      [&] { return enqueue_us(direct, options.calls, stream); });
  return row;
}

}  // namespace

std::vector<std::pair<int, int>> mla_decode_shapes() {
  std::vector<std::pair<int, int>> shapes;
  for (const int batch : {1, 8, 32, 64}) {
    for (const int tokens : {128, 512, 1023}) shapes.emplace_back(batch, tokens);
  }
  shapes.emplace_back(128, 512);
  shapes.emplace_back(32, 2048);
  shapes.emplace_back(64, 4096);
  return shapes;
}

void time_mla_decode(const MlaDecodeTimingOptions& options, TimingReport& report,
                     const std::function<void(const TimingRow&)>& done) {
  if (options.calls < 1) throw std::invalid_argument("mla_decode timing: at least one call");
  for (const std::string& cache : options.caches) {
    const MlaDecodeVariant variant = variant_for(cache, options.scalar);
    for (const int heads : options.heads) {
      if (heads < 2) throw std::invalid_argument("mla_decode timing: the direct path is for at least 2 heads");
      for (const auto& [batch, tokens] : options.shapes.empty() ? mla_decode_shapes() : options.shapes) {
        if (batch < 1 || tokens < 1) throw std::invalid_argument("mla_decode timing: shapes are at least 1 x 1");
        Problem problem(batch, tokens, heads, variant);
        TimingRow row = time_shape(problem, options);
        row.panel = "mla_decode, " + std::to_string(heads) + " heads, " + cache + " cache" +
                    (variant.inner == kernels::InnerPath::kScalar ? ", scalar" : "");
        row.shape = std::to_string(batch) + " x " + std::to_string(tokens);
        row.in_mean = tokens < 1024;
        report.rows.push_back(row);
        done(report.rows.back());
      }
    }
  }
}

}  // namespace offgrid::timing

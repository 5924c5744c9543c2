// The workloads behind plain functions, each with a check of its result.
#include <cuda_runtime.h>

#include <cmath>
#include <vector>

#include "workloads.h"

#define OFFGRID_BENCH_SHFL_XOR(value, lane_xor) __shfl_xor_sync(0xffffffffu, value, lane_xor)
#include "workloads.cuh"

namespace offgrid::bench {
namespace {

/// Device memory for one array, filled by a formula.
class Array {
 public:
  explicit Array(std::size_t n) : n_(n) { cudaMalloc(&data_, n * sizeof(float)); }
  template <class Fill>
  Array(std::size_t n, Fill fill) : Array(n) {
    std::vector<float> host(n);
    for (std::size_t i = 0; i < n; ++i) host[i] = fill(i);
    cudaMemcpy(data_, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  }
  ~Array() { cudaFree(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  float* get() const { return data_; }
  std::vector<float> host() const {
    std::vector<float> out(n_);
    cudaMemcpy(out.data(), data_, n_ * sizeof(float), cudaMemcpyDeviceToHost);
    return out;
  }

 private:
  float* data_ = nullptr;
  std::size_t n_;
};

float pattern(std::size_t i, unsigned salt) {
  const unsigned x = (static_cast<unsigned>(i) * 2654435761u) ^ (salt * 40503u);
  return static_cast<float>(static_cast<int>(x >> 16 & 0x7ff) - 1024) / 1024.0f;
}

bool close(double got, double want, double tolerance) { return std::fabs(got - want) <= tolerance; }

}  // namespace

struct BarrierSteps::Data {
  Array out{kBlocks * 256};
};
BarrierSteps::BarrierSteps() : data_(new Data) {}
BarrierSteps::~BarrierSteps() { delete data_; }
void BarrierSteps::run() {
  barrier_steps<<<kBlocks, 256>>>(data_->out.get(), kSteps);
  cudaDeviceSynchronize();
}
bool BarrierSteps::correct() const {
  const auto out = data_->out.host();
  for (int i = 0; i < kBlocks * 256; ++i) {
    if (out[i] != static_cast<float>(i % 256 + kSteps)) return false;
  }
  return true;
}

struct Butterflies::Data {
  Array out{kBlocks * 256};
};
Butterflies::Butterflies() : data_(new Data) {}
Butterflies::~Butterflies() { delete data_; }
void Butterflies::run() {
  butterflies<<<kBlocks, 256>>>(data_->out.get(), kSteps);
  cudaDeviceSynchronize();
}
bool Butterflies::correct() const {
  const auto out = data_->out.host();
  for (int i = 0; i < kBlocks * 256; ++i) {
    if (out[i] != static_cast<float>(i % 256 / 32 * 32) + 15.5f) return false;
  }
  return true;
}

struct TiledProduct::Data {
  Array a{kSize * kSize, [](std::size_t i) { return pattern(i, 1); }};
  Array b{kSize * kSize, [](std::size_t i) { return pattern(i, 2); }};
  Array c{kSize * kSize};
};
TiledProduct::TiledProduct() : data_(new Data) {}
TiledProduct::~TiledProduct() { delete data_; }
void TiledProduct::run() {
  tiled_product<<<dim3(kSize / 16, kSize / 16), dim3(16, 16)>>>(data_->a.get(), data_->b.get(), data_->c.get(), kSize);
  cudaDeviceSynchronize();
}
bool TiledProduct::correct() const {
  const auto a = data_->a.host(), b = data_->b.host(), c = data_->c.host();
  for (int row = 0; row < kSize; row += 37) {
    for (int column = 0; column < kSize; column += 41) {
      double sum = 0;
      for (int k = 0; k < kSize; ++k) sum += double{a[row * kSize + k]} * b[k * kSize + column];
      // Each of the 256 steps rounds a partial sum below 256.
      if (!close(c[row * kSize + column], sum, kSize * 256 * 0x1p-24)) return false;
    }
  }
  return true;
}

struct SplitDecode::Data {
  Array q{kRequests * kHeads * 128, [](std::size_t i) { return pattern(i, 3); }};
  Array k{std::size_t{kRequests} * kKeys * kHeads * 128, [](std::size_t i) { return pattern(i, 4); }};
  Array v{std::size_t{kRequests} * kKeys * kHeads * 128, [](std::size_t i) { return pattern(i, 5); }};
  Array part{kRequests * kHeads * kSplits * 128};
  Array part_lse{kRequests * kHeads * kSplits};
  Array out{kRequests * kHeads * 128};
};
SplitDecode::SplitDecode() : data_(new Data) {}
SplitDecode::~SplitDecode() { delete data_; }
void SplitDecode::run() {
  decode_split<<<dim3(kHeads, kRequests, kSplits), 128>>>(
      data_->q.get(), data_->k.get(), data_->v.get(), data_->part.get(), data_->part_lse.get(), kHeads, kKeys, kSplits);
  decode_combine<<<dim3(kHeads, kRequests), 128>>>(data_->part.get(), data_->part_lse.get(), data_->out.get(), kHeads,
                                                   kSplits);
  cudaDeviceSynchronize();
}
bool SplitDecode::correct() const {
  const auto q = data_->q.host(), k = data_->k.host(), v = data_->v.host(), out = data_->out.host();
  for (int request = 0; request < kRequests; request += 3) {
    for (int head = 0; head < kHeads; head += 3) {
      std::vector<double> score(kKeys), want(128, 0.0);
      double m = -INFINITY, sum = 0;
      const auto row = [&](int key) { return (static_cast<std::size_t>(request * kKeys + key) * kHeads + head) * 128; };
      for (int key = 0; key < kKeys; ++key) {
        double dot = 0;
        for (int d = 0; d < 128; ++d) dot += double{q[(request * kHeads + head) * 128 + d]} * k[row(key) + d];
        score[key] = dot * 0.08838834764;
        m = std::fmax(m, score[key]);
      }
      for (int key = 0; key < kKeys; ++key) {
        const double p = std::exp(score[key] - m);
        sum += p;
        for (int d = 0; d < 128; ++d) want[d] += p * v[row(key) + d];
      }
      // |v| <= 1; scores err by 128 roundings of terms below 12, exponentials and 1024-term sums by float32 roundings.
      for (int d = 0; d < 128; ++d) {
        if (!close(out[(request * kHeads + head) * 128 + d], want[d] / sum, 1024 * 0x1p-23)) return false;
      }
    }
  }
  return true;
}

}  // namespace offgrid::bench

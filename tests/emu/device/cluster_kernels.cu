// Clusters in CUDA source: launches with attributes, distributed shared memory, and the instructions behind them.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

#include "cluster_kernels.h"

namespace cg = cooperative_groups;

namespace offgrid::emu::test {
namespace {

constexpr int kRanks = 8;
constexpr int kTile = 170 * 1024 / sizeof(float);
constexpr int kSlice = kTile / kRanks;

__global__ void tile_sums(float* out) {
  extern __shared__ __align__(16) float tile[];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  for (int i = threadIdx.x; i < kTile; i += blockDim.x) tile[i] = static_cast<float>(i % 101 + block);
  cluster.sync();
  for (int i = threadIdx.x; i < kSlice; i += blockDim.x) {
    float sum = 0;
    for (unsigned peer = 0; peer < cluster.num_blocks(); ++peer) {
      const float* theirs = cluster.map_shared_rank(tile, peer);
      sum += theirs[rank * kSlice + i];
    }
    out[block * kSlice + i] = sum;
  }
  cluster.sync();
}

__device__ unsigned shared_at(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

// Each block writes its rank into the next one, reads the one before by three kinds of address, and counts in block 0.
__global__ void by_ptx(int* out) {
  __shared__ int box[32];
  __shared__ int count;
  unsigned rank, size, x, index;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(x));
  asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(index));
  const int t = threadIdx.x;
  if (t == 0) count = 0;
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  const unsigned next = (rank + 1) % size, before = (rank + size - 1) % size;
  unsigned to;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(shared_at(&box[t])), "r"(next));
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(to), "r"(1000 * rank + t) : "memory");
  unsigned counter;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(counter) : "r"(shared_at(&count)), "r"(0));
  asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" ::"r"(counter) : "memory");
  asm volatile("fence.acq_rel.cluster;" ::: "memory");
  asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
  asm volatile("barrier.cluster.wait;" ::: "memory");
  int wrong = box[t] != static_cast<int>(1000 * before + t);
  std::uint64_t generic;  // what the next block got is this one's
  asm volatile("mapa.u64 %0, %1, %2;" : "=l"(generic) : "l"(&box[t]), "r"(next));
  int read_back, owner;
  asm volatile("ld.u32 %0, [%1];" : "=r"(read_back) : "l"(generic));
  asm volatile("getctarank.u64 %0, %1;" : "=r"(owner) : "l"(generic));
  wrong += read_back != static_cast<int>(1000 * rank + t);
  wrong += owner != static_cast<int>(next);
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(read_back) : "r"(to));
  wrong += read_back != static_cast<int>(1000 * rank + t);
  int is_own, is_cluster;
  asm volatile(
      "{.reg .pred p, q;\n isspacep.shared::cta p, %2;\n isspacep.shared::cluster q, %2;\n"
      " selp.b32 %0, 1, 0, p;\n selp.b32 %1, 1, 0, q;}"
      : "=r"(is_own), "=r"(is_cluster)
      : "l"(generic));
  wrong += is_own != (size == 1) || is_cluster != 1;
  wrong += x != blockIdx.x % size || index != blockIdx.x / size;
  if (rank == 0) wrong += count != static_cast<int>(size * blockDim.x);
  out[blockIdx.x * blockDim.x + t] = wrong;
  asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
}

constexpr int kBins = 64, kValues = 4096;

__global__ void __cluster_dims__(4) __launch_bounds__(128) spread_histogram(const int* values, int* bins) {
  __shared__ int mine[kBins / 4];
  const cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < kBins / 4; i += blockDim.x) mine[i] = 0;
  auto token = cluster.barrier_arrive();
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  int value[kValues / 1024];
  for (int k = 0; k < kValues / 1024; ++k) value[k] = values[at + 1024 * k];
  cluster.barrier_wait(std::move(token));
  for (int v : value) atomicAdd(cluster.map_shared_rank(mine, v / (kBins / 4)) + v % (kBins / 4), 1);
  cluster.sync();
  for (int i = threadIdx.x; i < kBins / 4; i += blockDim.x)
    atomicAdd(&bins[cluster.block_rank() * (kBins / 4) + i], mine[i]);
}

template <class T>
struct Device {
  explicit Device(int count) : count(count) { cudaMalloc(&data, sizeof(T) * count); }
  ~Device() { cudaFree(data); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  std::vector<T> read() const {
    std::vector<T> host(count);
    cudaMemcpy(host.data(), data, sizeof(T) * count, cudaMemcpyDeviceToHost);
    return host;
  }
  T* data = nullptr;
  int count;
};

}  // namespace

int sum_tiles(int threads) {
  const dim3 grid(kRanks * 2, 2, 2);
  const int blocks = grid.x * grid.y * grid.z;
  Device<float> out(blocks * kSlice);
  if (cudaFuncSetAttribute(tile_sums, cudaFuncAttributeMaxDynamicSharedMemorySize, kTile * sizeof(float)) !=
      cudaSuccess)
    return -1;
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = kRanks;
  attributes[0].val.clusterDim.y = 1;
  attributes[0].val.clusterDim.z = 1;
  attributes[1].id = cudaLaunchAttributePriority;
  attributes[1].val.priority = 0;
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = kTile * sizeof(float);
  config.attrs = attributes;
  config.numAttrs = 2;
  int clusters = 0;
  if (cudaOccupancyMaxActiveClusters(&clusters, tile_sums, &config) != cudaSuccess || clusters < 1) return -1;
  if (cudaLaunchKernelEx(&config, tile_sums, out.data) != cudaSuccess) return -1;
  if (cudaDeviceSynchronize() != cudaSuccess) return -1;
  const std::vector<float> got = out.read();
  int wrong = 0;
  for (int b = 0; b < blocks; ++b) {
    const int first = b / kRanks * kRanks, rank = b % kRanks;
    for (int i = 0; i < kSlice; ++i) {
      const int want = kRanks * ((rank * kSlice + i) % 101 + first) + kRanks * (kRanks - 1) / 2;
      wrong += got[b * kSlice + i] != static_cast<float>(want);
    }
  }
  return wrong;
}

int exchange_by_ptx() {
  constexpr int kBlocks = 8, kThreads = 32;
  Device<int> out(kBlocks * kThreads);
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = 4;
  cluster.val.clusterDim.y = 1;
  cluster.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(kBlocks);
  config.blockDim = dim3(kThreads);
  config.attrs = &cluster;
  config.numAttrs = 1;
  int wrong = 0;
  for (const unsigned attributes : {1u, 0u}) {  // in clusters of four, and each block by itself
    config.numAttrs = attributes;
    if (cudaLaunchKernelEx(&config, by_ptx, out.data) != cudaSuccess) return -1;
    if (cudaDeviceSynchronize() != cudaSuccess) return -1;
    for (const int w : out.read()) wrong += w;
  }
  return wrong;
}

int histogram() {
  std::vector<int> values(kValues), want(kBins);
  for (int i = 0; i < kValues; ++i) ++want[values[i] = i * i % 977 % kBins];
  Device<int> in(kValues), bins(kBins);
  cudaMemcpy(in.data, values.data(), sizeof(int) * kValues, cudaMemcpyHostToDevice);
  cudaMemset(bins.data, 0, sizeof(int) * kBins);
  spread_histogram<<<8, 128>>>(in.data, bins.data);
  if (cudaDeviceSynchronize() != cudaSuccess) return -1;
  const std::vector<int> got = bins.read();
  int wrong = 0;
  for (int i = 0; i < kBins; ++i) wrong += got[i] != want[i];
  return wrong;
}

}  // namespace offgrid::emu::test

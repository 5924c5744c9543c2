/// The four workloads by which engines are compared (README.md "Speed"): block barriers, shuffles, a tiled product and
/// a split-KV decode. Plain CUDA; the same text also builds as HIP, for other emulators.
#pragma once

/// W1: `steps` block barriers with a trivial step in shared memory.  out: [blocks, 256]
__global__ void barrier_steps(float* out, int steps) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = t;
  for (int i = 0; i < steps; ++i) {
    __syncthreads();
    s[t] += 1.0f;
  }
  out[blockIdx.x * 256 + t] = s[t];
}

/// W2: `steps` butterflies of five xor shuffles; each keeps the warp's mean.  out: [blocks, 256]
__global__ void butterflies(float* out, int steps) {
  float v = threadIdx.x;
  for (int i = 0; i < steps; ++i) {
    v += OFFGRID_BENCH_SHFL_XOR(v, 16);
    v += OFFGRID_BENCH_SHFL_XOR(v, 8);
    v += OFFGRID_BENCH_SHFL_XOR(v, 4);
    v += OFFGRID_BENCH_SHFL_XOR(v, 2);
    v += OFFGRID_BENCH_SHFL_XOR(v, 1);
    v *= 0.03125f;
  }
  out[blockIdx.x * 256 + threadIdx.x] = v;
}

/// W3: c = a b, square, 16 x 16 tiles in shared memory.  a, b, c: [n, n], n a multiple of 16
__global__ void tiled_product(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[16][16];
  __shared__ float tile_b[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0.0f;
  for (int k = 0; k < n; k += 16) {
    tile_a[y][x] = a[row * n + k + x];
    tile_b[y][x] = b[(k + y) * n + column];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += tile_a[y][i] * tile_b[i][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

/// W4, first half: one block of 4 warps a (request, head, split); a warp takes every fourth key of its split.
/// q: [requests, heads, 128], k, v: [requests, keys, heads, 128], part: [requests, heads, splits, 128], part_lse: [..,
/// splits]
__global__ void decode_split(const float* q, const float* k, const float* v, float* part, float* part_lse, int heads,
                             int keys, int splits) {
  __shared__ float s_max[4], s_sum[4], s_out[4][128];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int head = blockIdx.x, request = blockIdx.y, split = blockIdx.z;
  const int begin = split * (keys / splits), end = begin + keys / splits;
  float q_own[4], acc[4] = {0, 0, 0, 0};
  for (int i = 0; i < 4; ++i) q_own[i] = q[(request * heads + head) * 128 + lane + 32 * i];
  float m = -INFINITY, l = 0.0f;
  for (int key = begin + warp; key < end; key += 4) {
    const long row = ((long)(request * keys + key) * heads + head) * 128;
    float dot = 0.0f;
    for (int i = 0; i < 4; ++i) dot += q_own[i] * k[row + lane + 32 * i];
    for (int o = 16; o > 0; o >>= 1) dot += OFFGRID_BENCH_SHFL_XOR(dot, o);
    const float s = dot * 0.08838834764f;
    const float m_new = fmaxf(m, s);
    const float r = expf(m - m_new), p = expf(s - m_new);
    for (int i = 0; i < 4; ++i) acc[i] = acc[i] * r + p * v[row + lane + 32 * i];
    l = l * r + p;
    m = m_new;
  }
  if (lane == 0) {
    s_max[warp] = m;
    s_sum[warp] = l;
  }
  for (int i = 0; i < 4; ++i) s_out[warp][lane + 32 * i] = acc[i];
  __syncthreads();
  const float m_all = fmaxf(fmaxf(s_max[0], s_max[1]), fmaxf(s_max[2], s_max[3]));
  float sum = 0.0f, out = 0.0f;
  for (int w = 0; w < 4; ++w) {
    const float weight = expf(s_max[w] - m_all);
    sum += weight * s_sum[w];
    out += weight * s_out[w][threadIdx.x];
  }
  const long at = ((long)(request * heads + head) * splits + split);
  part[at * 128 + threadIdx.x] = out / sum;
  if (threadIdx.x == 0) part_lse[at] = m_all + logf(sum);
}

/// W4, second half: merges the splits.  out: [requests, heads, 128]
__global__ void decode_combine(const float* part, const float* part_lse, float* out, int heads, int splits) {
  const long base = (long)(blockIdx.y * heads + blockIdx.x) * splits;
  float m = -INFINITY, sum = 0.0f, acc = 0.0f;
  for (int s = 0; s < splits; ++s) m = fmaxf(m, part_lse[base + s]);
  for (int s = 0; s < splits; ++s) {
    const float weight = expf(part_lse[base + s] - m);
    sum += weight;
    acc += weight * part[(base + s) * 128 + threadIdx.x];
  }
  out[(blockIdx.y * heads + blockIdx.x) * 128 + threadIdx.x] = acc / sum;
}

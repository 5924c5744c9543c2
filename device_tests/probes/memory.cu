// Vector accesses, dynamic shared memory and its aliases, and where a thread is.
#include "probes/device.cuh"

namespace offgrid::probes {
namespace {

/// A vector is its elements in order of address.  in, out: [64 or more]
template <class Vector>
__device__ Vector load_vector(const unsigned* in, int i) {
  return OFFGRID_OR_NAIVE(reinterpret_cast<const Vector*>(in)[i], Vector(*reinterpret_cast<const Vector*>(in)));
}
__global__ void load_4(const unsigned* in, unsigned* out) {
  const int t = static_cast<int>(threadIdx.x);
  const uint4 v = load_vector<uint4>(in, t);
  out[4 * t] = v.w;
  out[4 * t + 1] = v.x;
  out[4 * t + 2] = v.z;
  out[4 * t + 3] = v.y;
}
__global__ void load_2(const unsigned* in, unsigned* out) {
  const int t = static_cast<int>(threadIdx.x);
  const float2 v = load_vector<float2>(in, t);
  out[2 * t] = bits(v.y);
  out[2 * t + 1] = bits(v.x);
}
__global__ void store_4(const unsigned* in, unsigned* out) {
  const int t = static_cast<int>(threadIdx.x);
  const uint4 v = make_uint4(in[4 * t + 3], in[4 * t + 2], in[4 * t + 1], in[4 * t]);
  if (kNaive) {
    out[4 * t] = v.x;
    return;
  }
  reinterpret_cast<uint4*>(out)[t] = v;
}
__global__ void load_bytes(const unsigned* in, unsigned* out) {
  const int t = static_cast<int>(threadIdx.x);
  const uchar4 v = load_vector<uchar4>(in, t);
  out[t] = v.x + 10u * v.y + 100u * v.z + 1000u * v.w;
}
__global__ void load_signed_bytes(const unsigned* in, unsigned* out) {
  const int t = static_cast<int>(threadIdx.x);
#if OFFGRID_PROBES_NAIVE
  const uchar4 v = reinterpret_cast<const uchar4*>(in)[t];
#else
  const char4 v = reinterpret_cast<const char4*>(in)[t];
#endif
  out[t] = bits(v.x + 3 * v.y + 5 * v.z + 7 * v.w);
}
__global__ void load_shorts(const unsigned* in, unsigned* out) {
  const int t = static_cast<int>(threadIdx.x);
  const short2 v = load_vector<short2>(in, t);
  out[t] = bits(v.x - 3 * v.y);
}
__global__ void load_double_pair(const unsigned* in, unsigned* out) {
  const int t = static_cast<int>(threadIdx.x);
  const double2 v = load_vector<double2>(in, t);
  const unsigned long long x = bits(v.x) ^ bits(v.y) << 1;
  out[2 * t] = static_cast<unsigned>(x);
  out[2 * t + 1] = static_cast<unsigned>(x >> 32);
}
__global__ void load_read_only(const unsigned* in, unsigned* out) {
  const int t = static_cast<int>(threadIdx.x);
  const uint4 v = OFFGRID_OR_NAIVE(__ldg(reinterpret_cast<const uint4*>(in) + t), make_uint4(in[t], 0, 0, 0));
  out[t] = v.x ^ v.y << 1 ^ v.z << 2 ^ v.w << 3;
}

/// Two names of dynamic shared memory are one array.  out: [64]
__global__ void dynamic_alias(const unsigned* in, unsigned* out) {
  extern __shared__ unsigned words[];
#if OFFGRID_PROBES_NAIVE
  __shared__ unsigned char bytes[256];
#else
  const auto* const bytes = reinterpret_cast<const unsigned char*>(words);
#endif
  const unsigned t = threadIdx.x;
  words[t] = in[t];
  __syncthreads();
  const unsigned b = (t + 7) % 64;
  out[t] = bytes[4 * b] + 256u * bytes[4 * b + 3];
}

/// Dynamic shared memory lies behind the static arrays, which lie apart from one another.  out: [3, 32]
__global__ void arrays_apart(const unsigned* in, unsigned* out) {
  __shared__ unsigned first[32];
  __shared__ unsigned second[32];
  extern __shared__ unsigned words[];
  const unsigned t = threadIdx.x;
  first[t] = in[t];
  OFFGRID_OR_NAIVE(second, first)[t] = in[t] + 1;
  OFFGRID_OR_NAIVE(words, first)[t] = in[t] + 2;
  __syncthreads();
  const unsigned from = 31 - t;
  out[t] = first[from];
  out[32 + t] = OFFGRID_OR_NAIVE(second, first)[from];
  out[64 + t] = OFFGRID_OR_NAIVE(words, first)[from];
}

/// Each block has shared memory of its own.  out: [4, 32]
__global__ void blocks_apart(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[32];
  const unsigned t = threadIdx.x, block = OFFGRID_OR_NAIVE(blockIdx.x, 0u);
  s[t] = in[t] + block;
  __syncthreads();
  out[blockIdx.x * 32 + t] = s[31 - t];
}

/// Constant memory holds what its initialiser says.  out: [8]
__constant__ unsigned kTable[8] = {2, 3, 5, 7, 11, 13, 17, 19};
__global__ void constant_table(const unsigned*, unsigned* out) {
  out[threadIdx.x] = OFFGRID_OR_NAIVE(kTable[7 - threadIdx.x], 0u * kTable[0]);
}

/// A function's local array, indexed at run time.  out: [32]
__global__ void local_array(const unsigned* in, unsigned* out) {
  unsigned values[8];
  for (unsigned i = 0; i < 8; ++i) values[i] = in[threadIdx.x] + i * i;
  out[threadIdx.x] = values[OFFGRID_OR_NAIVE(in[threadIdx.x] % 8, 0u)];
}

/// x runs fastest, of threads and of blocks: lane l of the block's only warp is thread l in that order.
/// out: [2 x 3 x 2 blocks, 4 x 3 x 2 threads]
__global__ void linear_index(const unsigned*, unsigned* out) {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned own = threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z;
  unsigned lane = 0;
  for (int i = 0; i < 24; ++i) {
    if (__shfl_sync(0x00ffffffu, own, i) == own) lane = static_cast<unsigned>(i);
  }
  [[maybe_unused]] const unsigned z_fastest = (threadIdx.x * blockDim.y + threadIdx.y) * blockDim.z + threadIdx.z;
  out[block * 24 + OFFGRID_OR_NAIVE(lane, z_fastest + 0 * lane)] = own + 1000 * block;
}

/// An array in local memory and in shared memory through one pointer.  out: [32]
__global__ void generic_pointer(const unsigned* in, unsigned* out) {
  __shared__ unsigned shared[32];
  unsigned local[1] = {in[threadIdx.x] + 1};
  shared[threadIdx.x] = in[threadIdx.x];
  const bool odd = threadIdx.x % 2 != 0;
  unsigned* const p = OFFGRID_OR_NAIVE(odd ? shared + threadIdx.x : local, local);
  *p += 5;
  out[threadIdx.x] = odd ? shared[threadIdx.x] : local[0];
}

Words numbers(std::uint32_t n) {
  Words words;
  for (std::uint32_t i = 0; i < n; ++i) words.push_back(0x9e3779b9u * (i + 1));
  return words;
}

using Kernel = void (*)(const unsigned* in, unsigned* out);

template <class Want>
Probe probe(const char* name, Kernel kernel, dim3 blocks, dim3 threads, std::uint32_t inputs, std::uint32_t outputs,
            Want want, unsigned dynamic_bytes = 0) {
  const Words in = numbers(inputs);
  return {name,
          "u32",
          in,
          outputs,
          [=](const unsigned* from, unsigned* to) { kernel<<<blocks, threads, dynamic_bytes>>>(from, to); },
          [=] {
            Words out;
            for (std::uint32_t i = 0; i < outputs; ++i) out.push_back(want(in, i));
            return out;
          }};
}

std::uint32_t byte_of(std::uint32_t word, int i) { return word >> 8 * i & 0xff; }
std::uint32_t signed_byte(std::uint32_t word, int i) {
  return static_cast<std::uint32_t>(static_cast<std::int8_t>(byte_of(word, i)));
}

}  // namespace

void add_memory_probes(std::vector<Probe>& to) {
  using W = const Words&;
  using I = std::uint32_t;
  to.push_back(probe("load(uint4)", load_4, 1, 16, 64, 64, [](W x, I i) {
    constexpr I kFrom[] = {3, 0, 2, 1};
    return x[i / 4 * 4 + kFrom[i % 4]];
  }));
  to.push_back(probe("load(float2)", load_2, 1, 32, 64, 64, [](W x, I i) { return x[i ^ 1]; }));
  to.push_back(probe("store(uint4)", store_4, 1, 16, 64, 64, [](W x, I i) { return x[i ^ 3]; }));
  to.push_back(probe("load(uchar4)", load_bytes, 1, 32, 32, 32, [](W x, I i) {
    return byte_of(x[i], 0) + 10 * byte_of(x[i], 1) + 100 * byte_of(x[i], 2) + 1000 * byte_of(x[i], 3);
  }));
  to.push_back(probe("load(char4)", load_signed_bytes, 1, 32, 32, 32, [](W x, I i) {
    return signed_byte(x[i], 0) + 3 * signed_byte(x[i], 1) + 5 * signed_byte(x[i], 2) + 7 * signed_byte(x[i], 3);
  }));
  to.push_back(probe("load(short2)", load_shorts, 1, 32, 32, 32, [](W x, I i) {
    const auto part = [&](int shift) { return static_cast<I>(static_cast<std::int16_t>(x[i] >> shift & 0xffff)); };
    return part(0) - 3 * part(16);
  }));
  to.push_back(probe("load(double2)", load_double_pair, 1, 16, 64, 32, [](W x, I i) {
    const auto at = [&](I k) { return static_cast<std::uint64_t>(x[k + 1]) << 32 | x[k]; };
    const std::uint64_t both = at(i / 2 * 4) ^ at(i / 2 * 4 + 2) << 1;
    return static_cast<I>(i % 2 == 0 ? both : both >> 32);
  }));
  to.push_back(probe("load_read_only(uint4)", load_read_only, 1, 16, 64, 16,
                     [](W x, I i) { return x[4 * i] ^ x[4 * i + 1] << 1 ^ x[4 * i + 2] << 2 ^ x[4 * i + 3] << 3; }));
  to.push_back(probe(
      "shared(dynamic_aliases)", dynamic_alias, 1, 64, 64, 64,
      [](W x, I t) { return byte_of(x[(t + 7) % 64], 0) + 256 * byte_of(x[(t + 7) % 64], 3); }, 256));
  to.push_back(probe(
      "shared(arrays_lie_apart)", arrays_apart, 1, 32, 32, 96, [](W x, I i) { return x[31 - i % 32] + i / 32; }, 128));
  to.push_back(probe("shared(a_block_has_its_own)", blocks_apart, 4, 32, 32, 128,
                     [](W x, I i) { return x[31 - i % 32] + i / 32; }));
  to.push_back(probe("constant(initialised)", constant_table, 1, 8, 1, 8, [](W, I i) {
    constexpr I kPrimes[] = {19, 17, 13, 11, 7, 5, 3, 2};
    return kPrimes[i];
  }));
  to.push_back(
      probe("local(array)", local_array, 1, 32, 32, 32, [](W x, I i) { return x[i] + x[i] % 8 * (x[i] % 8); }));
  to.push_back(probe("index(x_runs_fastest)", linear_index, dim3(2, 3, 2), dim3(4, 3, 2), 1, 288,
                     [](W, I i) { return i % 4 + 10 * (i % 12 / 4) + 100 * (i % 24 / 12) + 1000 * (i / 24); }));
  to.push_back(probe("generic_pointer(shared_or_local)", generic_pointer, 1, 32, 32, 32,
                     [](W x, I i) { return i % 2 != 0 ? x[i] + 5 : x[i] + 6; }));
}

}  // namespace offgrid::probes

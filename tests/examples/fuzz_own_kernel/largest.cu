// Fuzzing a kernel of your own: the kernel, a reference, and a target. `replay` says where the update is lost.
#include <cuda_runtime.h>
#include <offgrid/fuzz/target.h>

using namespace offgrid::fuzz;

__global__ void largest(const int* x, int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > *out) *out = x[i];  // another thread may write between the comparison and the store
}

const AddTarget kLargest{{"largest", {{"n", 1, 200, {1, 2, 63, 64, 65}}}, [](const Input& in) {
                            int *x, *out, want = 0;
                            cudaMallocManaged(&x, in["n"] * sizeof(int));
                            cudaMallocManaged(&out, sizeof(int));
                            *out = 0;
                            for (int i = 0; i < in["n"]; ++i)
                              want = std::max(want, x[i] = (i * 37 + static_cast<int>(in.seed)) % 101);
                            largest<<<(in["n"] + 63) / 64, 64>>>(x, in.as_int("n"), out);
                            cudaDeviceSynchronize();
                            const auto outcome =
                                *out == want ? passed() : mismatch("the largest is " + std::to_string(*out));
                            cudaFree(x);
                            cudaFree(out);
                            return outcome;
                          }}};

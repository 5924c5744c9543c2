// Two branches of a graph touch one array. In the twin the second branch waits for the first.
#include "../case.h"

__global__ void set_ones(float* values) { values[threadIdx.x] = 1.0f; }

__global__ void twice(float* values) { values[threadIdx.x] *= 2.0f; }

__global__ void nothing() {}

int main(int argc, char** argv) {
  float* values;
  cudaMalloc(&values, 32 * sizeof(float));
  cudaMemset(values, 0, 32 * sizeof(float));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  void* arguments[] = {&values};
  cudaGraph_t graph;
  cudaGraphNode_t root, left, right;
  cudaGraphCreate(&graph, 0);
  cudaKernelNodeParams node = {};
  node.gridDim = dim3(1);
  node.blockDim = dim3(32);
  node.kernelParams = arguments;
  node.func = (void*)nothing;
  cudaGraphAddKernelNode(&root, graph, nullptr, 0, &node);
  node.func = (void*)set_ones;
  cudaGraphAddKernelNode(&left, graph, &root, 1, &node);
  node.func = (void*)twice;
  cudaGraphAddKernelNode(&right, graph, wants_bug(argc, argv) ? &root : &left, 1, &node);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  if (!wants_bug(argc, argv)) {
    cudaGraphLaunch(exec, stream);
    twice<<<1, 32, 0, stream>>>(values);
  }
  return finish();
}

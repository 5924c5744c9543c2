/// Tensor-core kernels to time, as objects: construct, run() any number of times, correct().
#pragma once

namespace offgrid::bench {

/// 8 blocks of 4 warps that each multiply 500 times 16 x 8 x 16 matrices of bf16 by inline PTX, registers alone.
class WarpProducts {
 public:
  static constexpr int kBlocks = 8, kSteps = 500;
  static constexpr double kOperations = 8.0 * 4 * 500;  ///< mma instructions of a warp in one run
  WarpProducts();
  ~WarpProducts();
  WarpProducts(const WarpProducts&) = delete;
  WarpProducts& operator=(const WarpProducts&) = delete;
  void run();
  bool correct() const;

 private:
  float* out_ = nullptr;
};

/// The same loop with an ldmatrix.x4 in place of each product.
class MatrixLoads {
 public:
  static constexpr double kOperations = WarpProducts::kOperations;  ///< ldmatrix instructions of a warp
  MatrixLoads();
  ~MatrixLoads();
  MatrixLoads(const MatrixLoads&) = delete;
  MatrixLoads& operator=(const MatrixLoads&) = delete;
  void run();
  bool correct() const;

 private:
  unsigned* out_ = nullptr;
};

}  // namespace offgrid::bench

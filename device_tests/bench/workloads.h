/// The engine workloads as objects: construct (allocates and fills), run() any number of times, correct().
#pragma once

namespace offgrid::bench {

/// W1: 64 blocks x 256 threads x 1000 block barriers.
class BarrierSteps {
 public:
  static constexpr int kBlocks = 64, kSteps = 1000;
  static constexpr double kOperations = 64.0 * 256 * 1000;  ///< thread-barriers in one run
  BarrierSteps();
  ~BarrierSteps();
  BarrierSteps(const BarrierSteps&) = delete;
  BarrierSteps& operator=(const BarrierSteps&) = delete;
  void run();
  bool correct() const;

 private:
  struct Data;
  Data* data_;
};

/// W2: 64 x 256 threads x 200 butterflies of 5 xor shuffles.
class Butterflies {
 public:
  static constexpr int kBlocks = 64, kSteps = 200;
  static constexpr double kOperations = 64.0 * 256 * 200 * 5;  ///< lane-shuffles in one run
  Butterflies();
  ~Butterflies();
  Butterflies(const Butterflies&) = delete;
  Butterflies& operator=(const Butterflies&) = delete;
  void run();
  bool correct() const;

 private:
  struct Data;
  Data* data_;
};

/// W3: a 256 x 256 x 256 single-precision product in 16 x 16 tiles.
class TiledProduct {
 public:
  static constexpr int kSize = 256;
  static constexpr double kOperations = 256.0 * 256 * 256;  ///< multiply-adds in one run
  TiledProduct();
  ~TiledProduct();
  TiledProduct(const TiledProduct&) = delete;
  TiledProduct& operator=(const TiledProduct&) = delete;
  void run();
  bool correct() const;

 private:
  struct Data;
  Data* data_;
};

/// W4: split-KV decode attention, 8 requests x 8 heads x 1024 keys, D = 128, 4 splits, then the merge.
class SplitDecode {
 public:
  static constexpr int kRequests = 8, kHeads = 8, kKeys = 1024, kSplits = 4;
  static constexpr double kOperations = 8.0 * 8 * 1024 * 32 * 5;  ///< lane-shuffles in one run
  SplitDecode();
  ~SplitDecode();
  SplitDecode(const SplitDecode&) = delete;
  SplitDecode& operator=(const SplitDecode&) = delete;
  void run();
  bool correct() const;

 private:
  struct Data;
  Data* data_;
};

}  // namespace offgrid::bench

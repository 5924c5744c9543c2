// Clusters in CUDA source, as a user writes them.
#include "cluster_kernels.h"

#include <offgrid/emu/finding_collector.h>

#include "catch.h"

using namespace offgrid::emu;

TEST_CASE("ClusterKernels.TilesInTheDynamicSharedMemoryOfPeers") {
  FindingCollector findings;
  CHECK(test::sum_tiles(GENERATE(128, 256)) == 0);
  CHECK(findings.text() == "");
}

TEST_CASE("ClusterKernels.EveryInstruction") {
  FindingCollector findings;
  CHECK(test::exchange_by_ptx() == 0);
  CHECK(findings.text() == "");
}

TEST_CASE("ClusterKernels.HistogramSpreadOverTheBlocks") {
  FindingCollector findings;
  CHECK(test::histogram() == 0);
  CHECK(findings.text() == "");
}

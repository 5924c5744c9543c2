/// Launch planning of decode attention, in plain C++: how many splits, which path, how much scratch, which grids.
///
/// Planning sees only host facts that are frozen when a graph is captured. Nothing here reads a length on the device.
#pragma once

#include <cstddef>
#include <cstdint>

namespace offgrid::kernels {

/// Splits of the longest context: next_pow2(max(1, max_kv_len / 512)), at most 2 * multiprocessors.
///
/// laws    1 exactly if max_kv_len < 1024, on every device;  never decreases with max_kv_len;  the batch plays no part
/// errors  std::invalid_argument if max_kv_len < 0 or multiprocessors < 1
int heuristic_num_kv_splits(int max_kv_len, int multiprocessors);

/// True if a caller may ask for direct output: the heuristic alone, batch invariance aside, takes one split.
bool may_write_direct(int max_kv_len, int multiprocessors);

/// The shape of a decode call as far as planning needs it.
struct DecodeShape {
  int batch = 0;         ///< rows: one query token each
  int num_q_heads = 1;   ///< as the op sees them
  int num_kv_heads = 1;  ///< divides num_q_heads
  bool is_mla = true;    ///< values are the first columns of the keys
  int value_dim = 0;
  int max_kv_len = 0;  ///< longest context; under graph capture the worst case
};

struct DecodeOptions {
  bool batch_invariant = false;  ///< one split always: a row's bits do not depend on its neighbours
  bool write_direct = false;     ///< the caller allows direct output; see may_write_direct
  int force_num_kv_splits = 0;   ///< above 0: this many, whatever the heuristic says
};

enum class DecodePath {
  kTwoStage,  ///< stage 1 writes partial results to scratch, stage 2 merges them
  kDirect,    ///< one split: stage 1 writes the final output and lse; no stage 2, scratch unused
};

/// False in a build with OFFGRID_DIRECT_PATH=OFF, which measures what having the path costs those who do not take it.
#ifdef OFFGRID_NO_DIRECT_PATH
inline constexpr bool kHasDirectPath = false;
#else
inline constexpr bool kHasDirectPath = true;
#endif

/// The conjunction: MLA with grouped heads (more than one query head a KV head), one split in this call, and the caller
/// asked for it. Anything else takes two stages.
DecodePath choose_path(const DecodeShape& shape, int num_kv_splits, bool write_direct);

/// Blocks of stage 1 along the heads: one for up to 16 query heads of one KV head.
///
/// errors  std::invalid_argument for heads that no kernel handles; see plan_decode
unsigned decode_head_blocks(int num_q_heads, int num_kv_heads);

struct Grid {
  unsigned x = 1, y = 1, z = 1;
};

struct DecodePlan {
  int num_kv_splits = 1;
  DecodePath path = DecodePath::kTwoStage;
  Grid stage1;  ///< [batch, head blocks, num_kv_splits]; x is 0 for an empty batch: launch nothing
  // The tensor-core path. Neither changes a bit of the result.
  unsigned cluster_blocks = 1;  ///< blocks that share the tokens of a split
  unsigned cluster_heads = 16;  ///< query heads of a block, 16 or 32: 32 where 16 make more blocks than the device has
                                ///< room for at once
  Grid stage2;                  ///< [batch, num_q_heads]; not launched on the direct path
  std::int64_t scratch_count = 0;  ///< floats; the same on both paths, so that a captured graph can fall back
};

/// errors  std::invalid_argument for shapes that no kernel handles (more than 16 query heads a KV head that are no
///         multiple of 16, with several KV heads) and for grids above the y and z limit of 65,535
DecodePlan plan_decode(const DecodeShape& shape, int multiprocessors, const DecodeOptions& options = {});

/// Bytes to reserve once, before capture, for every later call: max_batch rows at the worst length.
///
/// shapes  scratch: float[max_batch, num_q_heads, heuristic_num_kv_splits(max_kv_len), value_dim + 1]
std::int64_t workspace_bytes(int max_batch, int num_q_heads, int value_dim, int max_kv_len, int multiprocessors);

}  // namespace offgrid::kernels

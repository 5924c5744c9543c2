// Which keys a block of prefill walks: whole tiles, counted from key 0, that hold a key which one of its rows sees.
#pragma once

#include "paged/pages.cuh"

namespace offgrid::kernels {

struct KeyWalk {
  int begin, end;  // begin is a multiple of the tile; empty if end <= begin
  int lowest;      // key that a row sees: those from begin on to here are walked, but nobody sees them
};

// Rows sit at the positions [first, first + queries). Tiles keep their boundaries, and a tile that a row does not see
// changes none of its bits, so leaving tiles out does not either.
template <int kTokens>
__device__ inline KeyWalk walk_of_rows(const PagedAttentionParams& p, int first, int queries, int kv_len) {
  const int begin = visible_keys(first, kv_len, p.causal, p.window).first;
  const int end = visible_keys(first + queries - 1, kv_len, p.causal, p.window).end;
  return {begin / kTokens * kTokens, end, begin};
}

// Split `split` of a walk: an equal number of whole tiles each, the last ones may be empty.
template <int kTokens>
__device__ inline KeyWalk split_of_walk(KeyWalk walk, int num_kv_splits, int split) {
  if (walk.end <= walk.begin) return walk;
  const int tiles = (walk.end - walk.begin - 1) / kTokens + 1;
  const int tiles_a_split = (tiles + num_kv_splits - 1) / num_kv_splits;
  const int first = split * tiles_a_split;
  if (first >= tiles) return {walk.end, walk.end, walk.lowest};
  const int begin = walk.begin + first * kTokens;
  return {begin, tiles - first > tiles_a_split ? begin + tiles_a_split * kTokens : walk.end, walk.lowest};
}

}  // namespace offgrid::kernels

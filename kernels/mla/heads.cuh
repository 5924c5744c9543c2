// Which query heads a stage 1 block takes: up to 16 of one KV head.
#pragma once

#include <offgrid/kernels/mla_decode.h>
#include <offgrid/portable/device.h>

#include "mla/tile.cuh"

namespace offgrid::kernels {

struct HeadBlock {
  int kv_head, first, count;  // query heads [first, first + count)

  __device__ HeadBlock(const MlaDecodeParams& p, int block) {
    const int group = p.num_q_heads / p.num_kv_heads;
    const int blocks = (group + kHeadRows - 1) / kHeadRows;
    kv_head = block / blocks;
    const int begin = block % blocks * kHeadRows;
    first = kv_head * group + begin;
    count = group - begin < kHeadRows ? group - begin : kHeadRows;
  }
};

}  // namespace offgrid::kernels

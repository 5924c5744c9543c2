// The merge cases. E35 and E36 of the functional specification (4.6), its laws (4.3) and its matrix of merge tests
// (5.2).
#include "cases/merge_case.h"

namespace offgrid::cases {
namespace {

using enum kernels::DataType;
using enum LsePattern;
using enum MergeOp;
using kernels::MergeVariant;

constexpr kernels::DataType kTypes[] = {kFp32, kBf16, kFp16};

// Any number of states, and DCP's all-gather form over as many ranks: 1, powers of two, others; none at all.
void add_states(std::vector<MergeCase>& table) {
  for (const MergeOp op : {kStates, kCorrect}) {
    for (const int states : {1, 2, 3, 4, 7}) {
      table.push_back({.op = op, .variant = {kBf16, kFp32, kBf16}, .states = states});
      for (const auto type : kTypes) {
        table.push_back({.op = op, .variant = {type, kFp32, type}, .states = states, .lse = kEmpty, .inflated = true});
      }
    }
    for (const LsePattern pattern : {kEqual, kFar, kEmpty, kShifted}) {
      for (const auto base : {kernels::LseBase::kE, kernels::LseBase::k2}) {
        table.push_back({.op = op, .variant = {kFp32, kFp32, kFp32}, .states = 3, .lse = pattern, .base = base});
      }
    }
    // E35, E46: lse in 16 bits.
    for (const auto type : {kBf16, kFp16}) {
      table.push_back({.op = op, .variant = {type, type, type}, .states = 3});
      table.push_back({.op = op, .variant = {type, type, type}, .states = 2, .lse = kEmpty});
    }
  }
  table.push_back({.op = kStates, .variant = {kBf16, kFp32, kBf16}, .states = 0});
  table.push_back({.op = kStates, .variant = {kBf16, kFp32, kBf16}, .states = 2, .rows = 0});
  table.push_back({.op = kStates, .variant = {kBf16, kFp32, kBf16}, .states = 64, .rows = 2, .heads = 1});
}

void add_pairs(std::vector<MergeCase>& table) {
  for (const auto type : kTypes) {
    for (const LsePattern pattern : {kNormal, kEqual, kFar, kEmpty, kShifted}) {
      table.push_back({.op = kPair, .variant = {type, kFp32, type}, .lse = pattern});
    }
    // Prefix and suffix with strides of their own; rows that have no prefix, some and all.
    for (const int prefix_tokens : {-1, 0, 4}) {
      table.push_back({.op = kPair, .variant = {type, kFp32, type}, .prefix_tokens = prefix_tokens, .inflated = true});
      table.push_back({.op = kPair,
                       .variant = {type, kFp32, type},
                       .rows = 9,
                       .prefix_tokens = prefix_tokens,
                       .lse = kEmpty,
                       .inflated = true});
      for (const float scale : {0.0f, 0.5f, 0.001f}) {  // with 0.001 outputs saturate
        table.push_back({.op = kPair,
                         .variant = {type, kFp32, kE4m3},
                         .rows = 6,
                         .prefix_tokens = prefix_tokens,
                         .lse = kEmpty,
                         .out_scale = scale});
      }
    }
  }
}

// Every value of each axis of the source's matrix (2,592 tests) is here; all pairs of the two large axes are not.
void add_source_matrix(std::vector<MergeCase>& table) {
  for (const auto type : kTypes) {
    for (const bool to_e4m3 : {false, true}) {
      for (const int prefix_tokens : {-1, 128}) {
        for (const int head_dim : {32, 48, 64, 96, 128, 256}) {
          MergeCase c{.op = kPair,
                      .variant = {type, kFp32, to_e4m3 ? kE4m3 : type},
                      .rows = 150,
                      .heads = head_dim == 32 ? 16 : 4,
                      .head_dim = head_dim,
                      .prefix_tokens = prefix_tokens,
                      .out_scale = to_e4m3 ? 0.05f : 0.0f};
          if (head_dim <= 48) table.push_back(c);
          c.is_long = true;
          for (const auto& [tokens, heads] :
               {std::pair{256, 4}, {512, 8}, {613, 48}, {1024, 16}, {1536, 32}, {4096, 64}}) {
            if (tokens * heads > 30'000 && (head_dim != 128 || type != kBf16)) continue;
            c.rows = tokens;
            c.heads = heads;
            table.push_back(c);
          }
        }
      }
    }
  }
}

}  // namespace

const std::vector<MergeCase>& merge_table() {
  static const std::vector<MergeCase> table = [] {
    std::vector<MergeCase> t;
    add_states(t);
    add_pairs(t);
    add_source_matrix(t);
    return t;
  }();
  return table;
}

}  // namespace offgrid::cases

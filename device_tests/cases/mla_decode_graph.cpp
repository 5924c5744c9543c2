// See mla_decode_graph.h.
#include "cases/mla_decode_graph.h"

#include <offgrid/portable/gpu_stream.h>

#include <string>

#include "cases/mla_decode_judge.h"
#include "cases/mla_decode_rows.h"
#include "cases/mla_decode_run.h"

namespace offgrid::cases {
namespace {

using namespace rows;
using kernels::DataType;
using kernels::DecodePath;

// Captured with the case's lengths, replayed with each of these in turn.
struct GraphCase {
  MlaDecodeCase decode;
  std::vector<std::vector<int>> replays;
  int layers = 1;  // that share one scratch

  std::string name() const {
    std::string text = "replayed(" + decode.name() + ",then=";
    for (const auto& lens : replays) {
      if (&lens != &replays.front()) text += "/";
      text += lengths_text(lens);
    }
    return text + (layers > 1 ? ",layers=" + std::to_string(layers) : "") + ")";
  }

  // Replay i of a layer: other lengths, and another seed for everything else.
  MlaDecodeCase at(std::size_t replay, int layer) const {
    MlaDecodeCase one = decode;
    one.kv_lens = replays[replay];
    one.seed = decode.seed + 1 + replay * 8 + static_cast<std::size_t>(layer);
    if (one.k_scale > 0) one.k_scale = decode.k_scale * static_cast<float>(1 + replay);
    if (one.v_scale > 0) one.v_scale = decode.v_scale / static_cast<float>(1 + replay);
    return one;
  }
};

void note(Outcome& outcome, std::size_t before, const std::string& where) {
  if (outcome.text.size() > before) outcome.text.insert(before, "  " + where + ":\n");
}

// A replay must give what a call does that is queued now, and be right.
void judge(Outcome& outcome, const MlaDecodeCase& c, const MlaDecodeInputs& in, MlaDecodeDevice& device,
           DecodePath path, bool owns_scratch, const std::string& where) {
  const std::size_t before = outcome.text.size();
  const MlaDecodeOutputs replayed = device.outputs();
  compare_with_truth(outcome, c, in, replayed);
  if (owns_scratch) check_extent(outcome, c, in.layout, replayed, path);
  compare_runs(outcome, "replay against two stages of its own", c, in.layout, replayed,
               device.run(DecodePath::kTwoStage));
  note(outcome, before, where);
}

// Another length for one row: the others keep their bits.
void change_one_row(Outcome& outcome, const MlaDecodeCase& c, const MlaDecodeInputs& in, MlaDecodeDevice& device,
                    gpu::Graph& graph) {
  for (std::size_t changed = 0; changed < c.kv_lens.size(); ++changed) {
    device.poison();
    graph.replay();
    const auto before = gather_out(c, in.layout, device.outputs().out);
    auto lens = in.kv_lens;
    lens[changed] = lens[changed] > 1 ? lens[changed] / 2 : 0;
    device.set_kv_lens(lens);
    device.poison();
    graph.replay();
    const auto after = gather_out(c, in.layout, device.outputs().out);
    const std::size_t width = static_cast<std::size_t>(c.heads * c.value_dim);
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (i / width == changed || before[i] == after[i]) continue;
      outcome.fail("  row " + std::to_string(i / width) + " changed with the length of row " + std::to_string(changed) +
                   "\n");
      break;
    }
    device.set_kv_lens(in.kv_lens);
  }
}

Outcome run_graph(const GraphCase& g) {
  Outcome outcome;
  if (const std::string why = kernels::mla_decode_obstacle(g.decode.variant()); !why.empty()) {
    outcome.status = Status::kSkipped;
    outcome.text = "  " + why + "\n";
    return outcome;
  }
  const DecodePath path = g.decode.plan().path;
  std::vector<MlaDecodeDevice> layers;
  for (int layer = 0; layer < g.layers; ++layer) {
    layers.emplace_back(g.decode, make_inputs(g.decode));
    layers.back().params().scratch = layers.front().params().scratch;
  }
  gpu::Graph graph([&](gpu::Stream stream) {
    for (MlaDecodeDevice& layer : layers) layer.launch(path, stream);
  });
  for (std::size_t replay = 0; replay < g.replays.size(); ++replay) {
    std::vector<MlaDecodeInputs> inputs;
    for (int layer = 0; layer < g.layers; ++layer) {
      const MlaDecodeCase c = g.at(replay, layer);
      inputs.push_back(make_inputs(c));
      MlaDecodeDevice& device = layers[static_cast<std::size_t>(layer)];
      device.upload(inputs.back());
      device.set_scales(c.k_scale, c.v_scale);
      device.poison();
    }
    graph.replay();
    for (int layer = 0; layer < g.layers; ++layer) {
      const auto at = static_cast<std::size_t>(layer);
      judge(outcome, g.at(replay, layer), inputs[at], layers[at], path, g.layers == 1,
            "replay " + std::to_string(replay) + ", layer " + std::to_string(layer));
    }
    if (replay + 1 == g.replays.size() && g.layers == 1) {
      change_one_row(outcome, g.at(replay, 0), inputs[0], layers[0], graph);
    }
  }
  return outcome;
}

auto capacity(int n) {
  return [n](MlaDecodeCase& c) { c.capacity = n; };
}

std::vector<GraphCase> graph_table() {
  const std::vector<std::vector<int>> kReplays = {{100, 33, 64}, {0, 0, 0}, {7, 120, 1}, {-1, 0, 120}};
  std::vector<GraphCase> table;
  const auto captured = with(small({5, 0, 9}), capacity(120));
  // Captured short, with a padded row, then everything else; one split, many, and the direct path.
  table.push_back({captured, kReplays});
  table.push_back({direct(captured), kReplays});
  table.push_back({with(captured, [](MlaDecodeCase& c) { c.num_kv_splits = 4; }), kReplays});
  table.push_back({with(direct(captured), inflated, int64_indices), kReplays});
  table.push_back({with(captured, inflated, int64_indices, [](MlaDecodeCase& c) { c.num_kv_splits = 5; }), kReplays});
  // Scales that change between replays.
  table.push_back({with(direct(captured), e4m3(0.06f)), kReplays});
  table.push_back({with(small_gqa({5, 0, 9}, 3), capacity(120), e4m3(0.06f, 0.5f)), kReplays});
  table.push_back({with(small_gqa({5, 0, 9}, 3), capacity(120), heads(3, 3)), kReplays});
  // A length of 1 at capture leaves one split for any later length.
  table.push_back({with(small({1}), capacity(1025)), {{1025}, {1}, {513}}});
  // Layers one after another on one scratch.
  for (const int splits : {1, 4}) {
    table.push_back({with(captured, [=](MlaDecodeCase& c) { c.num_kv_splits = splits; }), kReplays, 3});
  }
  // Nothing to decode is a graph without launches.
  table.push_back({small({}), {{}}});
  // The replay test of the source.
  MlaDecodeCase v2_lite;
  v2_lite.kv_lens = {1, 0};
  v2_lite.capacity = 129;
  v2_lite.lse_dtype = DataType::kBf16;
  table.push_back({direct(v2_lite), {{129, 17}, {64, 0}}});
  // Tensor cores, captured for splits that two blocks share.
  const auto tensor = with(small({5, 0, 9}), dims(128, 128), heads(16), tensor_cores, capacity(600));
  table.push_back({direct(tensor), {{100, 33, 600}, {0, 0, 0}, {7, 300, 1}}});
  table.push_back(
      {with(tensor, [](MlaDecodeCase& c) { c.num_kv_splits = 2; }), {{100, 33, 600}, {0, 0, 0}, {7, 300, 1}}});
  return table;
}

// Two streams that take turns on one scratch, ordered by events alone.
Outcome run_two_streams() {
  Outcome outcome;
  const MlaDecodeCase first = small({40, 0, 77}, 4);
  MlaDecodeCase second = small({90, 12, 1}, 3);
  second.seed = 2;
  const MlaDecodeInputs first_in = make_inputs(first);
  const MlaDecodeInputs second_in = make_inputs(second);
  MlaDecodeDevice a(first, first_in);
  MlaDecodeDevice b(second, second_in);
  b.params().scratch = a.params().scratch;
  a.poison();
  b.poison();
  gpu::synchronize();
  const gpu::OwnStream streams[2];
  for (int turn = 0; turn < 4; ++turn) {
    (turn % 2 == 0 ? a : b).launch(DecodePath::kTwoStage, streams[turn % 2].get());
    gpu::order(streams[turn % 2].get(), streams[(turn + 1) % 2].get());
  }
  gpu::synchronize();
  compare_with_truth(outcome, first, first_in, a.outputs());
  compare_with_truth(outcome, second, second_in, b.outputs());
  return outcome;
}

}  // namespace

std::vector<Case> mla_decode_graph_cases() {
  std::vector<Case> cases;
  for (const GraphCase& g : graph_table()) cases.push_back({g.name(), [g] { return run_graph(g); }});
  cases.push_back({"two_streams_on_one_scratch(turns=4)", run_two_streams});
  return cases;
}

}  // namespace offgrid::cases

// offgrid-time: how long the kernels take, on a device. Also built for the emulator, where the figures say nothing of a
// device but everything else can be tried.
#include <offgrid/portable/canary.h>
#include <offgrid/portable/gpu.h>

#include <charconv>
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "timing/device_clock.h"
#include "timing/device_text.h"
#include "timing/mla_decode_timing.h"

namespace {

namespace timing = offgrid::timing;

constexpr const char* kUsage =
    "usage: %s mla_decode [FLAGS]\n"
    "MLA decode, two stages with one split against the direct path: in a graph, launched one by one, and the host's "
    "part.\n"
    "  --heads 16,128         query heads\n"
    "  --cache bf16,e4m3      what the cache holds\n"
    "  --shapes 8x128,...     batch x tokens; default: the 15 that peers were measured on\n"
    "  --scalar               the scalar inner path also where there are matrix units\n"
    "  --calls 20             calls in a graph, or one after the other\n"
    "  --blocks 12            balanced blocks A B B A: two samples an arm in each\n"
    "  --json FILE            every sample\n"
    "  --svg FILE             times against the floor, achieved rates\n";

std::vector<std::string> items_of(std::string_view list) {
  std::vector<std::string> items;
  while (true) {
    const std::size_t comma = list.find(',');
    items.emplace_back(list.substr(0, comma));
    if (comma == list.npos) return items;
    list.remove_prefix(comma + 1);
  }
}

int number_of(std::string_view flag, std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1) {
    throw std::invalid_argument(std::string(flag) + ": '" + std::string(text) + "' is not a whole number above 0");
  }
  return value;
}

struct Options {
  timing::MlaDecodeTimingOptions mla_decode;
  std::string json, svg;
};

Options parse(int argc, char** argv) {
  Options options;
  timing::MlaDecodeTimingOptions& mla = options.mla_decode;
  for (int i = 2; i < argc; ++i) {
    const std::string_view flag = argv[i];
    if (flag == "--scalar") {
      mla.scalar = true;
      continue;
    }
    bool known = false;
    for (const char* name : {"--heads", "--cache", "--shapes", "--calls", "--blocks", "--json", "--svg"}) {
      known = known || flag == name;
    }
    if (!known) throw std::invalid_argument("unknown argument '" + std::string(flag) + "'");
    if (i + 1 == argc) throw std::invalid_argument(std::string(flag) + " needs a value");
    const std::string value = argv[++i];
    if (flag == "--heads") {
      mla.heads.clear();
      for (const auto& item : items_of(value)) mla.heads.push_back(number_of(flag, item));
    } else if (flag == "--cache") {
      mla.caches = items_of(value);
    } else if (flag == "--shapes") {
      for (const auto& item : items_of(value)) {
        const std::size_t x = item.find('x');
        if (x == item.npos) throw std::invalid_argument("--shapes: '" + item + "' is not BATCHxTOKENS");
        mla.shapes.emplace_back(number_of(flag, std::string_view(item).substr(0, x)),
                                number_of(flag, std::string_view(item).substr(x + 1)));
      }
    } else if (flag == "--calls") {
      mla.calls = number_of(flag, value);
    } else if (flag == "--blocks") {
      mla.blocks = number_of(flag, value);
    } else {
      (flag == "--json" ? options.json : options.svg) = value;
    }
  }
  return options;
}

// Opened before anything is measured, so that a bad path costs nothing.
std::ofstream opened(const std::string& path) {
  std::ofstream file;
  if (path.empty()) return file;
  file.open(path);
  if (!file) throw std::invalid_argument("cannot write '" + path + "'");
  return file;
}

void time_mla_decode(const Options& options) {
  std::ofstream json = opened(options.json), svg = opened(options.svg);
  timing::TimingReport report;
  report.device = timing::device_text();
  report.calls = options.mla_decode.calls;
  report.blocks = options.mla_decode.blocks;
  report.copy_bandwidth = timing::copy_bandwidth(timing::kCopyBytes);
  std::printf("%s; copies at %.2f TB/s; %d calls a sample, %d blocks A B B A; median [least, most]\n",
              report.device.c_str(), report.copy_bandwidth * 1e-12, report.calls, report.blocks);
  timing::time_mla_decode(options.mla_decode, report, [&](const timing::TimingRow& row) {
    std::printf("%s", timing::row_text(report, row).c_str());
    std::fflush(stdout);
  });
  std::printf("%s", timing::means_text(report).c_str());
  if (json.is_open()) json << timing::timing_json(report) << std::flush;
  if (svg.is_open()) svg << timing::timing_svg(report) << std::flush;
  if ((json.is_open() && !json) || (svg.is_open() && !svg))
    throw std::runtime_error("the results could not be written");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || std::string_view(argv[1]) != "mla_decode") {
    std::fprintf(stderr, kUsage, argc > 0 ? argv[0] : "offgrid-time");
    return 2;
  }
  try {
    const Options options = parse(argc, argv);
    if (const std::string why = offgrid::gpu::missing_device(); !why.empty()) {
      std::fprintf(stderr, "%s: error: no device to measure on: %s\n", argv[0], why.c_str());
      return 2;
    }
    offgrid::gpu::Canaries::instance().turn(false);  // looking at red zones takes time between replays
    time_mla_decode(options);
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "%s: error: %s; run it without arguments for the flags\n", argv[0], error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
  return 0;
}

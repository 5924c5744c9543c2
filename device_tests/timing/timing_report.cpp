// Text and JSON of a timing run. The picture is in timing_svg.cpp.
#include "timing/timing_report.h"

#include <cstdio>
#include <map>

namespace offgrid::timing {
namespace {

template <class... Values>
std::string formatted(const char* format, Values... values) {
  char text[256];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += formatted("\\u%04x", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string number(double value) { return formatted("%.6g", value); }

template <class Items, class F>
std::string joined(const Items& items, const F& text) {
  std::string out;
  for (const auto& item : items) out += (out.empty() ? "" : ",") + text(item);
  return out;
}

}  // namespace

std::string row_text(const TimingReport& report, const TimingRow& row) {
  std::string text = row.panel + ", " + row.shape + formatted("  floor %.2f us\n", report.floor_us(row));
  for (const Measurement& m : row.measurements) {
    text += formatted("  %-8s", m.name.c_str());
    for (const Samples& arm : m.arms) {
      const Summary s = summarise(arm.values);
      text += formatted("  %s %.2f [%.2f, %.2f] us", arm.arm.c_str(), s.median, s.least, s.most);
    }
    if (m.arms.size() > 1) {
      text += formatted("  %.3fx, saves %+.3f us", paired_ratio(m.arms.front(), m.arms.back()),
                        paired_difference(m.arms.front(), m.arms.back()));
    }
    const double us = summarise(m.arms.back().values).median;
    if (m.name == "graph") text += formatted("  %.2f TB/s, %.0f TFLOP/s", row.bytes / us * 1e-6, row.flops / us * 1e-6);
    text += "\n";
  }
  return text;
}

std::string means_text(const TimingReport& report) {
  std::map<std::string, std::map<std::string, std::vector<double>>> ratios;
  for (const TimingRow& row : report.rows) {
    for (const Measurement& m : row.measurements) {
      if (row.in_mean && m.arms.size() > 1) {
        ratios[row.panel][m.name].push_back(paired_ratio(m.arms.front(), m.arms.back()));
      }
    }
  }
  std::string text;
  for (const auto& [panel, measurements] : ratios) {
    for (const auto& [name, values] : measurements) {
      text += panel + ", " + name +
              formatted(": geometric mean %.3fx over %zu shapes\n", geometric_mean(values), values.size());
    }
  }
  return text;
}

std::string timing_json(const TimingReport& report) {
  const auto samples = [](const Samples& s) {
    return "{\"arm\":" + quoted(s.arm) + ",\"us\":[" + joined(s.values, number) + "]}";
  };
  const auto measurement = [&](const Measurement& m) {
    return "{\"name\":" + quoted(m.name) + ",\"arms\":[" + joined(m.arms, samples) + "]}";
  };
  const auto row = [&](const TimingRow& r) {
    return "\n{\"panel\":" + quoted(r.panel) + ",\"shape\":" + quoted(r.shape) + ",\"bytes\":" + number(r.bytes) +
           ",\"flops\":" + number(r.flops) + ",\"floor_us\":" + number(report.floor_us(r)) +
           ",\"in_mean\":" + (r.in_mean ? "true" : "false") + ",\"measurements\":[" +
           joined(r.measurements, measurement) + "]}";
  };
  return "{\"device\":" + quoted(report.device) + ",\"copy_bandwidth\":" + number(report.copy_bandwidth) +
         ",\"calls\":" + std::to_string(report.calls) + ",\"blocks\":" + std::to_string(report.blocks) + ",\"rows\":[" +
         joined(report.rows, row) + "\n]}\n";
}

}  // namespace offgrid::timing

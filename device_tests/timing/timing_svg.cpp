// The picture of a timing run.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "timing/timing_report.h"

namespace offgrid::timing {
namespace {

constexpr double kWidth = 860, kLeft = 64, kRight = 150, kTimesHeight = 220, kRatesHeight = 110, kPanelHeight = 450;
constexpr const char* kColours[] = {"#d95f02", "#1b6ca8", "#4d9221", "#7b3294"};
constexpr const char* kGrey = "#666";

template <class... Values>
std::string formatted(const char* format, Values... values) {
  char text[512];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string label(double x, double y, const char* anchor, const std::string& text, const char* more = "") {
  return formatted("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>", x, y, anchor, more) + escaped(text) +
         "</text>\n";
}

std::string line(double x1, double y1, double x2, double y2, const char* style) {
  return formatted("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", x1, y1, x2, y2, style);
}

// A scale from values to y, downwards from `top`.
struct Axis {
  double top, height, low, high;
  bool is_log;
  double at(double value) const {
    const auto f = [this](double v) { return is_log ? std::log10(v) : v; };
    return top + height * (1 - (f(std::clamp(value, low, high)) - f(low)) / (f(high) - f(low)));
  }
};

std::string grid_line(const Axis& axis, double value, const std::string& text) {
  const double y = axis.at(value);
  return line(kLeft, y, kWidth - kRight, y, "stroke=\"#ddd\"") + label(kLeft - 6, y + 4, "end", text);
}

class Panel {
 public:
  Panel(const TimingReport& report, std::vector<const TimingRow*> rows, double top)
      : report_(report), rows_(std::move(rows)), top_(top) {}

  std::string svg() const {
    const Axis times{top_ + 34, kTimesHeight, lowest(), highest(), true};
    const Axis rates{top_ + 34 + kTimesHeight + 24, kRatesHeight, 0, highest_rate(), false};
    std::string out = label(kLeft, top_ + 18, "start", rows_[0]->panel, "font-weight=\"bold\"");
    for (double decade = times.low; decade <= times.high * 1.001; decade *= 10) {
      out += grid_line(times, decade, formatted("%g us", decade));
    }
    const double percent_step = rates.high > 2 ? 1.0 : 0.5;
    for (double rate = 0; rate <= rates.high; rate += percent_step) {
      out += grid_line(rates, rate, formatted("%.0f %%", 100 * rate));
    }
    out += series(times, "floor: bytes at the copy rate", kGrey, arms(),
                  [&](const TimingRow& row) { return report_.floor_us(row); });
    for (std::size_t arm = 0; arm < arms(); ++arm) {
      const char* colour = kColours[arm % std::size(kColours)];
      out += series(times, rows_[0]->measurements[0].arms[arm].arm, colour, arm,
                    [&](const TimingRow& row) { return median(row, arm); });
      out += series(rates, "", colour, arm,
                    [&](const TimingRow& row) { return report_.floor_us(row) / median(row, arm); });
    }
    out += label(kWidth - kRight + 10, rates.top + 12, "start", "achieved rate,");
    out += label(kWidth - kRight + 10, rates.top + 26, "start", "of the copy rate");
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const double y = rates.top + rates.height + 14;
      out += formatted("<g transform=\"translate(%.1f %.1f) rotate(-35)\">", x(i), y) +
             label(0, 0, "end", rows_[i]->shape) + "</g>\n";
    }
    return out;
  }

 private:
  std::size_t arms() const { return rows_[0]->measurements[0].arms.size(); }
  double x(std::size_t i) const {
    return kLeft + (kWidth - kLeft - kRight) * (static_cast<double>(i) + 0.5) / static_cast<double>(rows_.size());
  }
  double median(const TimingRow& row, std::size_t arm) const {
    return summarise(row.measurements[0].arms[arm].values).median;
  }
  // Whole decades around all times.
  double lowest() const {
    double low = 1e30;
    for (const TimingRow* row : rows_) {
      low = std::min(low, report_.floor_us(*row));
      for (std::size_t arm = 0; arm < arms(); ++arm) low = std::min(low, median(*row, arm));
    }
    return std::pow(10, std::floor(std::log10(std::max(low, 1e-6))));
  }
  double highest() const {
    double high = 0;
    for (const TimingRow* row : rows_) {
      for (std::size_t arm = 0; arm < arms(); ++arm) high = std::max(high, median(*row, arm));
    }
    return std::max(10 * lowest(), std::pow(10, std::ceil(std::log10(high))));
  }
  double highest_rate() const {
    double high = 1;
    for (const TimingRow* row : rows_) {
      for (std::size_t arm = 0; arm < arms(); ++arm) high = std::max(high, report_.floor_us(*row) / median(*row, arm));
    }
    return high;
  }

  template <class F>
  std::string series(const Axis& axis, const std::string& name, const char* colour, std::size_t place,
                     const F& value) const {
    std::string points, dots;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const double y = axis.at(value(*rows_[i]));
      points += formatted("%.1f,%.1f ", x(i), y);
      dots += formatted("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>", x(i), y, colour);
    }
    std::string out =
        formatted("<polyline fill=\"none\" stroke=\"%s\" points=\"", colour) + points + "\"/>" + dots + "\n";
    if (!name.empty()) {
      const double y = axis.top + 12 + 16 * static_cast<double>(place);
      out += line(kWidth - kRight + 10, y - 4, kWidth - kRight + 24, y - 4,
                  formatted("stroke=\"%s\" stroke-width=\"3\"", colour).c_str());
      out += label(kWidth - kRight + 28, y, "start", name.substr(0, 20));
    }
    return out;
  }

  const TimingReport& report_;
  std::vector<const TimingRow*> rows_;
  double top_;
};

}  // namespace

std::string timing_svg(const TimingReport& report) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<const TimingRow*>> panels;
  for (const TimingRow& row : report.rows) {
    if (row.measurements.empty()) continue;
    if (panels[row.panel].empty()) order.push_back(row.panel);
    panels[row.panel].push_back(&row);
  }
  const double height = 40 + kPanelHeight * static_cast<double>(order.size());
  std::string out = formatted(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
      "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
      kWidth, height, kWidth, height);
  out += label(kLeft, 22, "start",
               report.device +
                   formatted("; copies at %.2f TB/s; medians of %d", report.copy_bandwidth * 1e-12, 2 * report.blocks));
  double top = 30;
  for (const std::string& panel : order) {
    out += Panel(report, panels[panel], top).svg();
    top += kPanelHeight;
  }
  return out + "</svg>\n";
}

}  // namespace offgrid::timing

#include "testbench/output/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "testbench/output/html_page.h"

namespace heddle::output {
namespace {

constexpr double kWidth = 960, kLeft = 70, kRight = 20, kTop = 30, kBottom = 46;
constexpr int kColours = 8;

std::string colour(std::size_t i) { return fmt::format("var(--s{})", i % kColours); }

std::string label(double x, double y, const std::string& anchor, const std::string& text,
                  const char* kind = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>", x, y, anchor, kind,
                     html_text(text));
}

std::string begin(double height) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" width=\"{:.0f}\" "
      "height=\"{:.0f}\" role=img>",
      kWidth, height, kWidth, height);
}

/// 1, 2 or 5 times a power of ten, about a fifth of the extent.
double tick_of(double extent) {
  const double rough = extent / 5, power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (rough <= factor * power) return factor * power;
  return 10 * power;
}

struct Range {
  double low = 0, high = 0;
  bool empty = true;
  void add(double value) {
    if (!std::isfinite(value)) return;
    low = empty ? value : std::min(low, value);
    high = empty ? value : std::max(high, value);
    empty = false;
  }
  void widen() {
    if (high <= low) high = low + (low == 0 ? 1 : std::fabs(low));
  }
};

/// The multiples of its tick within a range.
std::vector<double> ticks_of(const Range& range) {
  const double tick = tick_of(range.high - range.low);
  std::vector<double> ticks;
  const auto last = static_cast<long>(std::floor(range.high / tick + 1e-6));
  for (auto n = static_cast<long>(std::ceil(range.low / tick - 1e-6)); n <= last; ++n)
    ticks.push_back(static_cast<double>(n) * tick);
  return ticks;
}

class Frame {
 public:
  Frame(Range x, Range y, double height) : x_(x), y_(y), height_(height) {
    x_.widen();
    y_.widen();
    const double tick = tick_of(y_.high - y_.low);
    y_.low = std::floor(y_.low / tick) * tick;
    y_.high = std::ceil(y_.high / tick) * tick;
  }
  double x(double v) const { return kLeft + (v - x_.low) / (x_.high - x_.low) * (kWidth - kLeft - kRight); }
  double y(double v) const {
    return height_ - kBottom - (v - y_.low) / (y_.high - y_.low) * (height_ - kTop - kBottom);
  }
  double bottom() const { return height_ - kBottom; }

  std::string axes(const PlotAxes& names, bool x_ticks = true) const {
    std::string out = begin(height_);
    for (const double v : ticks_of(y_)) {
      out += fmt::format("<path class=rule d=\"M{:.1f} {:.1f}H{:.1f}\"/>", kLeft, y(v), kWidth - kRight);
      out += label(kLeft - 6, y(v) + 4, "end", fmt::format("{:.6g}", v), " class=soft");
    }
    if (x_ticks) {
      for (const double v : ticks_of(x_))
        out += label(x(v), bottom() + 16, "middle", fmt::format("{:.6g}", v), " class=soft");
    }
    out += label((kLeft + kWidth - kRight) / 2, height_ - 8, "middle", names.x);
    return out + label(8, 16, "start", names.y);
  }

 private:
  Range x_, y_;
  double height_;
};

std::string legend(const std::vector<std::string>& names, const std::vector<std::string>& colours) {
  std::string out;
  double x = kWidth - kRight;
  for (std::size_t i = names.size(); i-- > 0;) {
    x -= 7.2 * static_cast<double>(names[i].size()) + 22;
    out += fmt::format("<rect x=\"{:.0f}\" y=\"8\" width=\"10\" height=\"10\" style=\"fill:{}\"/>", x,
                       colours[i]);
    out += label(x + 14, 17, "start", names[i]);
  }
  return out;
}

std::string legend_of(const std::vector<PlotSeries>& series) {
  std::vector<std::string> names, colours;
  for (std::size_t i = 0; i < series.size(); ++i) {
    names.push_back(series[i].name);
    colours.push_back(colour(i));
  }
  return legend(names, colours);
}

Frame frame_of(const PlotAxes& axes, const std::vector<PlotSeries>& series) {
  Range x, y;
  if (axes.from_zero) y.add(0);
  for (const PlotSeries& one : series)
    for (const auto& [px, py] : one.points) {
      x.add(px);
      y.add(py);
    }
  return {x, y, 260};
}

std::string plot(const PlotAxes& axes, const std::vector<PlotSeries>& series, bool steps) {
  const Frame frame = frame_of(axes, series);
  std::string out = frame.axes(axes) + legend_of(series);
  for (std::size_t i = 0; i < series.size(); ++i) {
    std::string path;
    for (const auto& [x, y] : series[i].points) {
      if (!std::isfinite(y)) continue;
      if (path.empty())
        path = fmt::format("M{:.1f} {:.1f}", frame.x(x), frame.y(y));
      else if (steps)
        path += fmt::format("H{:.1f}V{:.1f}", frame.x(x), frame.y(y));
      else
        path += fmt::format("L{:.1f} {:.1f}", frame.x(x), frame.y(y));
      if (!steps)
        out += fmt::format(
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" style=\"fill:{}\"><title>{}: {:.6g}, "
            "{:.6g}</title></circle>",
            frame.x(x), frame.y(y), colour(i), html_text(series[i].name), x, y);
    }
    out += fmt::format("<path d=\"{}\" style=\"fill:none;stroke:{};stroke-width:1.6\"/>", path, colour(i));
  }
  return out + "</svg>";
}

}  // namespace

std::string step_plot(const PlotAxes& axes, const std::vector<PlotSeries>& series) {
  return plot(axes, series, true);
}
std::string line_plot(const PlotAxes& axes, const std::vector<PlotSeries>& series) {
  return plot(axes, series, false);
}

std::string area_plot(const PlotAxes& axes, const std::vector<PlotSeries>& series) {
  std::vector<PlotSeries> sums = series;
  for (std::size_t i = 1; i < sums.size(); ++i)
    for (std::size_t p = 0; p < sums[i].points.size(); ++p)
      sums[i].points[p].second += sums[i - 1].points[p].second;
  const Frame frame = frame_of(axes, sums);
  std::string out = frame.axes(axes) + legend_of(series);
  for (std::size_t i = sums.size(); i-- > 0;) {
    std::string path =
        fmt::format("M{:.1f} {:.1f}", sums[i].points.empty() ? kLeft : frame.x(sums[i].points.front().first),
                    frame.bottom());
    for (const auto& [px, py] : sums[i].points)
      path += fmt::format("H{:.1f}V{:.1f}", frame.x(px), frame.y(py));
    out += fmt::format("<path d=\"{}V{:.1f}Z\" style=\"fill:{}\"><title>{}</title></path>", path,
                       frame.bottom(), colour(i), html_text(series[i].name));
  }
  return out + "</svg>";
}

std::string bar_plot(const BarPlot& plot) {
  Range x, y;
  y.add(0);
  for (const auto& row : plot.values)
    for (const auto& value : row)
      if (value) y.add(*value);
  x.add(0);
  x.add(static_cast<double>(plot.categories.size()));
  const Frame frame(x, y, 300);
  std::string out = frame.axes({"", plot.y, true}, false);
  std::vector<std::string> colours;
  for (std::size_t s = 0; s < plot.series.size(); ++s) colours.push_back(colour(s));
  out += legend(plot.series, colours);
  const double bar = 0.8 / static_cast<double>(std::max<std::size_t>(plot.series.size(), 1));
  const bool slanted = plot.categories.size() > 10;
  for (std::size_t c = 0; c < plot.categories.size(); ++c) {
    const double middle = frame.x(static_cast<double>(c) + 0.5), below = frame.bottom() + 16;
    if (slanted)
      out += fmt::format(
          "<text transform=\"translate({:.1f} {:.1f}) rotate(-35)\" text-anchor=\"end\" "
          "style=\"font-size:9px\">{}</text>",
          middle + 4, below - 6, html_text(plot.categories[c]));
    else
      out += label(middle, below, "middle", plot.categories[c]);
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
      const auto& value = plot.values[s][c];
      if (!value || !std::isfinite(*value)) continue;
      const double left = frame.x(static_cast<double>(c) + 0.1 + bar * static_cast<double>(s));
      const double right = frame.x(static_cast<double>(c) + 0.1 + bar * static_cast<double>(s + 1));
      const double top = frame.y(std::max(*value, 0.0)), low = frame.y(std::min(*value, 0.0));
      out += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" style=\"fill:{}\"><title>{}, "
          "{}: {:.6g}</title></rect>",
          left, top, std::max(right - left - 0.5, 0.5), low - top, colours[s], html_text(plot.categories[c]),
          html_text(plot.series[s]), *value);
    }
  }
  return out + "</svg>";
}

std::string pair_plot(const std::string& unit, const std::vector<PairRow>& rows) {
  constexpr double kRow = 22, kLabels = 380;
  Range range;
  for (const PairRow& row : rows) {
    range.add(row.published);
    range.add(row.measured);
  }
  range.add(0);
  range.widen();
  const double height = kTop + kRow * static_cast<double>(rows.size()) + kBottom;
  const auto x = [&](double v) {
    return kLabels + (v - range.low) / (range.high - range.low) * (kWidth - kRight - kLabels - 20);
  };
  std::string out = begin(height) + legend({"published", "measured"}, {"var(--s6)", "var(--s0)"});
  for (const double v : ticks_of(range)) {
    out += fmt::format("<path class=rule d=\"M{:.1f} {:.1f}V{:.1f}\"/>", x(v), kTop, height - kBottom);
    out += label(x(v), height - kBottom + 16, "middle", fmt::format("{:.6g}", v), " class=soft");
  }
  out += label((kLabels + kWidth - kRight) / 2, height - 8, "middle", unit);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const PairRow& row = rows[i];
    const double y = kTop + kRow * (static_cast<double>(i) + 0.5);
    out += label(kLabels - 12, y + 4, "end",
                 row.label.size() > 58 ? fmt::format("{:.57}...", row.label) : row.label);
    out += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\" style=\"stroke:var(--soft)\"/>", x(row.published),
                       y, x(row.measured));
    out += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"9\" height=\"9\" style=\"fill:var(--s6)\"><title>published: "
        "{:.6g}</title></rect>",
        x(row.published) - 4.5, y - 4.5, row.published);
    out += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" style=\"fill:var(--s0)\"><title>measured: "
        "{:.6g}</title></circle>",
        x(row.measured), y, row.measured);
  }
  return out + "</svg>";
}

std::string state_plot(const std::string& x_title, const std::vector<std::string>& states,
                       const std::vector<std::string>& colours, const std::vector<StateRow>& rows) {
  constexpr double kRow = 11;
  Range range;
  for (const StateRow& row : rows)
    for (const StateRow::Span& span : row.spans) {
      range.add(span.begin);
      range.add(span.end);
    }
  range.widen();
  const double height = kTop + kRow * static_cast<double>(rows.size()) + kBottom;
  const auto x = [&](double v) {
    return kLeft + (v - range.low) / (range.high - range.low) * (kWidth - kLeft - kRight);
  };
  std::vector<std::string> fills;
  for (const std::string& c : colours) fills.push_back(fmt::format("var(--{})", c));
  std::string out = begin(height) + legend(states, fills);
  for (std::size_t s = 0; s < states.size(); ++s) {
    std::string path;
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (const StateRow::Span& span : rows[r].spans)
        if (span.state == static_cast<int>(s))
          path += fmt::format("M{:.1f} {:.1f}h{:.1f}", x(span.begin),
                              kTop + kRow * (static_cast<double>(r) + 0.5),
                              std::max(x(span.end) - x(span.begin), 0.1));
    if (!path.empty())
      out += fmt::format(
          "<path d=\"{}\" style=\"stroke:{};stroke-width:{:.0f};fill:none\"><title>{}</title></path>", path,
          fills[s], kRow - 2, html_text(states[s]));
  }
  for (std::size_t r = 0; r < rows.size(); ++r)
    out +=
        fmt::format("<text x=\"{:.0f}\" y=\"{:.1f}\" text-anchor=\"end\" style=\"font-size:9px\">{}</text>",
                    kLeft - 6, kTop + kRow * (static_cast<double>(r) + 0.8), html_text(rows[r].label));
  for (const double v : ticks_of(range))
    out += label(x(v), height - kBottom + 16, "middle", fmt::format("{:.6g}", v), " class=soft");
  return out + label((kLeft + kWidth - kRight) / 2, height - 8, "middle", x_title) + "</svg>";
}

}  // namespace heddle::output

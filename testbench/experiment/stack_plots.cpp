#include "testbench/experiment/stack_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "testbench/experiment/plot_texts.h"

namespace heddle::experiment {
namespace {

// Told apart by the colour-blind (Okabe and Ito's palette).
constexpr const char* kLower = "#0072b2";
constexpr const char* kHigher = "#d55e00";

std::string tics(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += fmt::format("{}{} {}", i ? ", " : "", plot_text(names[i]), i);
  return out;
}

std::string pairs(const Table& table) {
  std::string cells;
  std::vector<double> far;
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    for (std::size_t c = 0; c < table.cells[r].size(); ++c)
      if (const double value = table.cells[r][c]; !std::isnan(value)) {
        cells += fmt::format("{} {} {}\n", c, r, plot_number(value));
        far.push_back(std::abs(value - 1));
      }
  if (far.empty()) return "";
  std::sort(far.begin(), far.end());
  const double end = std::max(0.01, far[far.size() * 9 / 10]);
  const auto last = static_cast<double>(table.rows.size()) - 0.5;
  return fmt::format(
      "$cells << EOD\n{}EOD\n"
      "unset key\nunset grid\nset ylabel ''\nset xrange [-0.5:{:.1f}]\nset yrange [{:.1f}:-0.5]\n"
      "set xtics ({}) rotate by -40 noenhanced\nset ytics ({}) noenhanced\n"
      "set palette defined (0 '{}', 1 '#ffffff', 2 '{}')\nset cbrange [{:.4g}:{:.4g}]\n"
      "set style fill solid 1 noborder\n"
      "plot $cells using 1:2:(0.49):(0.49):3 with boxxyerror fc palette, \\\n"
      "  $cells using 1:2:(sprintf('%.2f', $3)) with labels font ',8'\n",
      cells, last, last, tics(table.columns), tics(table.rows), kLower, kHigher, 1 - end, 1 + end);
}

// The first metric stands in the third column, after the step and what is lost without it.
std::string waterfall(const Table& table) {
  constexpr std::size_t kMetric = 2;
  if (table.rows.size() < 2) return "";
  std::string steps;
  double before = 1;
  for (std::size_t r = 0; r + 1 < table.rows.size(); ++r) {
    const double now = table.cells[r][kMetric];
    if (std::isnan(now)) return "";
    steps += fmt::format("{} {} {} {} {:.4f}\n", r, plot_number(before), plot_number(now),
                         now < before ? 1 : 2, now);
    before = now;
  }
  const std::vector<std::string> names(table.rows.begin(), table.rows.end() - 1);
  const double product = table.cells.back()[kMetric];
  std::string out = fmt::format(
      "$steps << EOD\n{}EOD\n"
      "set ylabel {} noenhanced\nset xrange [-0.6:{:.1f}]\nset offsets 0, 0, graph 0.1, graph 0.1\n"
      "set xtics ({}) noenhanced\nset style fill solid 0.9 noborder\n"
      "set linetype 1 lc rgb '{}'\nset linetype 2 lc rgb '{}'\n"
      "plot $steps using 1:3:($1-0.35):($1+0.35):2:3:4 with boxxyerror lc variable notitle, \\\n"
      "  $steps using 1:3:(sprintf('%.3f', $3)) with labels offset 0,0.7 notitle",
      steps, plot_text(table.columns[kMetric]), static_cast<double>(names.size()) - 0.4, tics(names), kLower,
      kHigher);
  if (!std::isnan(product))
    out += fmt::format(", \\\n  {} with lines dt 2 lc rgb '#000000' title {}", plot_number(product),
                       plot_text(table.rows.back()));
  return out + "\n";
}

std::string tornado(const Table& table) {
  std::string boxes;
  std::vector<std::string> names;
  const double base = table.cells.empty() ? NAN : table.cells[0][0];
  if (std::isnan(base)) return "";
  for (std::size_t r = 1; r < table.rows.size(); ++r) {
    const double value = table.cells[r][0];
    if (std::isnan(value)) continue;
    boxes += fmt::format("{} {} {} {}\n", names.size(), plot_number(std::min(base, value)),
                         plot_number(std::max(base, value)), value < base ? 1 : 2);
    names.push_back(table.rows[r]);
  }
  if (names.empty()) return "";
  return fmt::format(
      "$boxes << EOD\n{}EOD\n"
      "set ylabel ''\nset xlabel {} noenhanced\nset grid xtics lc rgb '#d0d0d0'\nunset key\n"
      "set yrange [{:.1f}:-0.6]\nset offsets graph 0.03, graph 0.03, 0, 0\nset ytics ({}) noenhanced\n"
      "set style fill solid 0.9 noborder\nset linetype 1 lc rgb '{}'\nset linetype 2 lc rgb '{}'\n"
      "set arrow from {}, graph 0 to {}, graph 1 nohead lc rgb '#000000'\n"
      "plot $boxes using 2:1:2:3:($1-0.35):($1+0.35):4 with boxxyerror lc variable\n",
      boxes, plot_text(table.columns[0]), static_cast<double>(names.size()) - 0.4, tics(names), kLower,
      kHigher, plot_number(base), plot_number(base));
}

}  // namespace

std::string stack_plot(const FigureData& data) {
  switch (data.figure->kind) {
    case FigureKind::pairs:
      return pairs(data.table);
    case FigureKind::waterfall:
      return waterfall(data.table);
    case FigureKind::tornado:
      return tornado(data.table);
    default:
      return "";
  }
}

}  // namespace heddle::experiment

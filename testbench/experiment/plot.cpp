#include "testbench/experiment/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "testbench/experiment/command.h"
#include "testbench/experiment/plot_texts.h"
#include "testbench/experiment/stack_plots.h"
#include "testbench/experiment/stack_tables.h"

namespace heddle::experiment {
namespace {

// Told apart in print and by the colour-blind (Okabe and Ito's palette).
constexpr std::array kColours = {"#999999", "#56b4e9", "#0072b2", "#e69f00", "#009e73",
                                 "#d55e00", "#cc79a7", "#f0e442", "#000000"};

bool is_number(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return !text.empty() && *end == 0;
}

const char* colour(std::size_t series) { return kColours[series % kColours.size()]; }

std::string table_block(const Table& table, bool numeric = false) {
  std::string out = "$table << EOD\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    out += numeric ? table.rows[r] : plot_field(table.rows[r]);
    for (const double value : table.cells[r]) out += fmt::format(" {}", plot_number(value));
    out += "\n";
  }
  return out + "EOD\n";
}

// Where a published figure stands in a picture with clusters of bars, or on the x of a line.
std::string published_block(const FigureData& data, const Published& published, bool lines, bool numeric) {
  std::string points;
  const double series = static_cast<double>(data.table.columns.size());
  for (const Comparison& c : data.comparisons) {
    if (c.row < 0) continue;
    const PublishedFigure& figure = published.get(c.id, "");
    if (!c.measured_text.empty()) continue;
    const ConfigNode& node = c.item < 0 ? figure.value : figure.value.items[static_cast<std::size_t>(c.item)];
    if (!node.is_number()) continue;
    const std::string& row = data.table.rows[static_cast<std::size_t>(c.row)];
    const double x = lines ? (numeric ? std::strtod(row.c_str(), nullptr) : c.row)
                           : c.row + (c.column - (series - 1) / 2) / (series + 1);
    points += fmt::format("{:.6g} {:.8g}\n", x, node.number);
  }
  return points.empty() ? points : fmt::format("$published << EOD\n{}EOD\n", points);
}

// gnuplot takes a plot without a single value for an error.
bool has_values(const Table& table) {
  for (const auto& row : table.cells)
    for (const double value : row)
      if (!std::isnan(value)) return true;
  return false;
}

std::string bars(const FigureData& data, const Published& published) {
  const Table& table = data.table;
  const bool stacked = data.figure->kind == FigureKind::stacked;
  std::string out = table_block(table);
  const std::string marks = stacked ? "" : published_block(data, published, false, false);
  out += marks;
  out += fmt::format(
      "set style data histograms\nset style histogram {}\nset boxwidth {}\n"
      "set style fill solid 0.9 noborder\nset yrange [*<0:0<*]\nset xtics {} noenhanced\nset xrange "
      "[-0.6:{:.1f}]\n",
      stacked ? "rowstacked" : "clustered gap 1", stacked ? "0.75" : "0.95 relative",
      table.rows.size() > 8 ? "rotate by -40" : "", static_cast<double>(table.rows.size()) - 0.4);
  out += "plot ";
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    out += fmt::format("{}$table using {}:xtic(1) title {} lc rgb '{}'", c ? ", \\\n  " : "", c + 2,
                       plot_text(table.columns[c]), colour(c));
  if (!marks.empty())
    out += ", \\\n  $published using 1:2 with points pt 12 ps 1.1 lw 1.5 lc rgb '#c00000' title 'published'";
  return out + "\n";
}

std::string lines(const FigureData& data, const Published& published) {
  const Table& table = data.table;
  const bool numeric = std::all_of(table.rows.begin(), table.rows.end(), is_number);
  std::string out = table_block(table, numeric);
  const std::string marks = published_block(data, published, true, numeric);
  out += marks;
  out += fmt::format(
      "set xlabel {} noenhanced\nset offsets graph 0.03, graph 0.03, 0, 0\nset key outside right center "
      "vertical noenhanced\n",
      plot_text(table.corner));
  out += "plot ";
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    out += fmt::format("{}$table using {}:{}{} with linespoints pt {} ps 0.8 lw 1.8 lc rgb '{}' title {}",
                       c ? ", \\\n  " : "", numeric ? "1" : "0", c + 2, numeric ? "" : ":xtic(1)", c % 13 + 4,
                       colour(c), plot_text(table.columns[c]));
  if (!marks.empty())
    out += ", \\\n  $published using 1:2 with points pt 12 ps 1.4 lw 1.8 lc rgb '#c00000' title 'published'";
  return out + "\n";
}

std::string scatter(const FigureData& data) {
  std::string out, plot;
  for (std::size_t i = 0; i < data.clouds.size(); ++i) {
    const Cloud& cloud = data.clouds[i];
    if (cloud.x.empty()) continue;
    out += fmt::format("$cloud{} << EOD\n", i);
    for (std::size_t k = 0; k < cloud.x.size(); ++k)
      out += fmt::format("{} {} {}\n", plot_number(cloud.x[k]), plot_number(cloud.y[k]),
                         plot_field(cloud.labels[k]));
    out += "EOD\n";
    const std::string r = std::isnan(cloud.correlation) ? "-" : fmt::format("{:.2f}", cloud.correlation);
    plot += fmt::format("{}$cloud{} using 1:2 with points pt {} ps 0.8 lc rgb '{}' title {}",
                        plot.empty() ? "" : ", \\\n  ", i, i % 13 + 1, colour(i),
                        plot_text(fmt::format("{} ({})", cloud.kernel, r)));
    if (data.figure->sweep.empty())
      plot += fmt::format(
          ", \\\n  $cloud{} using 1:2:3 with labels left offset 0.6,0.3 font ',8' noenhanced notitle", i);
  }
  if (plot.empty()) return "";
  out += fmt::format(
      "set xlabel {} noenhanced\nset ylabel {} noenhanced\nset offsets graph 0.03, graph 0.03, graph "
      "0.03, graph 0.03\nset key outside right noenhanced\n",
      plot_text(data.figure->metrics[0].label), plot_text(data.figure->metrics[1].label));
  return fmt::format("{}plot {}\n", out, plot);
}

}  // namespace

std::string gnuplot_script(const FigureData& data, const Published& published) {
  const Figure& figure = *data.figure;
  if (has_table_alone(figure.kind) || !data.error.empty()) return "";
  if (figure.kind != FigureKind::scatter && !has_values(data.table)) return "";
  const bool wide = data.table.rows.size() > 12;
  std::string head = fmt::format(
      "# gnuplot {0}.gp writes {0}.svg and {0}.png\n"
      "set terminal svg size {1},420 dynamic background rgb 'white' font 'sans,12'\nset output '{0}.svg'\n"
      "set title {2} noenhanced\nset ylabel {3} noenhanced\nset grid ytics lc rgb '#d0d0d0'\n"
      "set border 3\nset tics nomirror out\nset datafile missing '-'\n"
      "set key outside bottom center horizontal noenhanced\n",
      figure.id, wide ? 1280 : 800, plot_text(figure.title), plot_text(figure.unit));
  const std::string body = is_stack_table(figure.kind)          ? stack_plot(data)
                           : figure.kind == FigureKind::scatter ? scatter(data)
                           : figure.kind == FigureKind::lines   ? lines(data, published)
                                                                : bars(data, published);
  if (body.empty()) return "";
  return head + body +
         fmt::format(
             "set terminal pngcairo size {},520 background rgb 'white' font 'sans,11'\nset output '{}.png'\n"
             "replot\n",
             wide ? 1500 : 960, figure.id);
}

bool has_gnuplot() { return is_on_path("gnuplot"); }

bool run_gnuplot(const std::string& folder, const std::string& script, std::string& error) {
  const CommandOutcome outcome = run_command({"gnuplot", "./" + script}, folder);
  error = outcome.text;
  return outcome.ok();
}

}  // namespace heddle::experiment

#include "testbench/program/program_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "testbench/output/chart.h"
#include "testbench/output/html_page.h"
#include "testbench/program/launch_sums.h"

namespace heddle::program {
namespace {

using output::HtmlCell;
using output::HtmlPage;
using output::HtmlTable;
using Verdict = HtmlPage::Verdict;

constexpr std::size_t kMostLaunches = 20000;  // rows that a browser sorts without delay

void add_verdicts(HtmlPage& page, const ProgramEnd& end, const LaunchSum& all) {
  if (const std::string said = end.said(); !said.empty())
    page.verdict(Verdict::open, "The program: " + said + ".");
  if (all.different)
    page.verdict(Verdict::bad,
                 fmt::format("{} of {} launches that were compared differ from the untimed reference.",
                             all.different, all.checked));
  else if (all.checked)
    page.verdict(Verdict::good,
                 fmt::format("{} launches were compared, and equal the untimed reference.", all.checked));
  else
    page.verdict(Verdict::open, "No launch was compared with the untimed reference.");
  if (all.launches > all.timed)
    page.paragraph(
        fmt::format("{} of {} launches were executed untimed.", all.launches - all.timed, all.launches));
}

HtmlCell number_or_nothing(bool there, double value) {
  return there ? HtmlCell::of(value) : HtmlCell::of("-");
}

void add_kernels(HtmlPage& page, const std::vector<LaunchSum>& sums) {
  HtmlTable table;
  table.headings = {"kernel",       "launches", "timed",   "compared",  "different",
                    "instructions", "cycles",   "time us", "energy nJ", "baseline nJ"};
  output::BarChart bars;
  bars.series = {"energy"};
  bars.y = "energy, nJ";
  bars.values.resize(1);
  for (const LaunchSum& sum : sums) {
    table.rows.push_back({HtmlCell::of(sum.kernel), HtmlCell::count(sum.launches), HtmlCell::count(sum.timed),
                          HtmlCell::count(sum.checked), HtmlCell::count(sum.different),
                          HtmlCell::count(sum.instructions),
                          sum.timed ? HtmlCell::count(sum.cycles) : HtmlCell::of("-"),
                          HtmlCell::of(sum.time_us), number_or_nothing(sum.energy, sum.energy_pj / 1e3),
                          number_or_nothing(sum.energy, sum.baseline_pj / 1e3)});
    if (!sum.energy || &sum == &sums.back()) continue;
    bars.categories.push_back(sum.kernel);
    bars.values[0].emplace_back(sum.energy_pj / 1e3);
  }
  page.heading("Kernels");
  if (!bars.categories.empty())
    page.chart(output::bar_chart(bars), "Energy of the timed launches by kernel.");
  page.table(table);
}

void add_launches(HtmlPage& page, const std::vector<LaunchRow>& rows) {
  HtmlTable table;
  table.headings = {"launch",       "kernel", "grid",    "block",     "shared bytes", "registers",
                    "instructions", "cycles", "time us", "energy nJ", "check"};
  table.filter = "filter launches";
  const auto extents = [](const isa::Dim3& d) {
    return HtmlCell::of(fmt::format("{} x {} x {}", d.x, d.y, d.z));
  };
  for (const LaunchRow& row : rows) {
    if (table.rows.size() == kMostLaunches) break;
    table.rows.push_back({HtmlCell::count(row.launch), HtmlCell::of(row.kernel), extents(row.grid),
                          extents(row.block), HtmlCell::count(row.shared_bytes),
                          row.registers ? HtmlCell::count(row.registers) : HtmlCell::of("-"),
                          HtmlCell::count(row.instructions),
                          row.timed ? HtmlCell::count(row.cycles) : HtmlCell::of("-"),
                          HtmlCell::of(row.time_us),
                          number_or_nothing(row.energy_pj.has_value(), row.energy_pj.value_or(0) / 1e3),
                          HtmlCell::of(!row.checked ? "-"
                                       : row.equal  ? "equal"
                                                    : "different")});
  }
  page.heading("Launches");
  page.table(table);
  if (rows.size() > kMostLaunches)
    page.paragraph(fmt::format("And {} more launches (launches.csv has all).", rows.size() - kMostLaunches));
}

void add_differences(HtmlPage& page, const std::vector<LaunchRow>& rows) {
  std::string text;
  for (const LaunchRow& row : rows) {
    if (row.equal) continue;
    text += fmt::format("launch {} {}: {}\n", row.launch, row.kernel, row.difference);
    for (const std::string& race : row.races) text += fmt::format("  race: {}\n", race);
  }
  if (text.empty()) return;
  page.heading("What differs");
  page.preformatted(text);
}

}  // namespace

std::string program_report(const ExecParameters& parameters, const std::vector<std::string>& command,
                           const ProgramEnd& end) {
  HtmlPage page(fmt::format("{}", fmt::join(command, " ")));
  const std::vector<LaunchSum> sums = sums_of(end.launches);
  page.paragraph(parameters.timed() ? fmt::format("{}{}{}", parameters.run.gpu.name,
                                                  parameters.run.techniques.empty() ? "" : " with ",
                                                  fmt::join(parameters.run.techniques, ", "))
                                    : "Untimed.");
  add_verdicts(page, end, sums.back());
  add_kernels(page, sums);
  if (end.estimate)
    page.paragraph(fmt::format("Estimated: {:.0f} cycles ({:.0f} to {:.0f}).", end.estimate->cycles.value,
                               end.estimate->cycles.low, end.estimate->cycles.high));
  add_differences(page, end.launches);
  add_launches(page, end.launches);
  return page.text();
}

}  // namespace heddle::program

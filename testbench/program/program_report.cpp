#include "testbench/program/program_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "models/core/counted.h"
#include "testbench/output/chart.h"
#include "testbench/output/html_page.h"
#include "testbench/program/launch_sums.h"

namespace heddle::program {
namespace {

using output::HtmlCell;
using output::HtmlPage;
using output::HtmlTable;
using Verdict = HtmlPage::Verdict;

// Largest number of rows of a table: a browser sorts this many without delay.
constexpr std::size_t kMostLaunches = 20000;

void add_verdicts(HtmlPage& page, const ProgramEnd& end, const LaunchSum& all) {
  if (const std::string unusual = end.unusual_end(); !unusual.empty())
    page.verdict(Verdict::open, "The program: " + unusual + ".");
  if (all.failed + all.not_run)
    page.verdict(Verdict::bad,
                 fmt::format("{} of {} launches failed, and {} not run after them.", all.failed, all.launches,
                             all.not_run == 1 ? "1 was" : fmt::format("{} were", all.not_run)));
  if (all.findings) page.verdict(Verdict::bad, "Checks: " + counted(all.findings, "finding") + ".");
  if (all.different)
    page.verdict(Verdict::bad,
                 fmt::format("{} of {} launches that were compared differ from the untimed reference.",
                             all.different, all.checked));
  else if (all.checked)
    page.verdict(Verdict::good,
                 fmt::format("{} compared, and {} the untimed reference.",
                             counted(all.checked, "launch") + (all.checked == 1 ? " was" : " were"),
                             all.checked == 1 ? "equals" : "equal"));
  else
    page.verdict(Verdict::open, "No launch was compared with the untimed reference.");
  if (const std::uint64_t untimed = all.launches - all.timed - all.failed - all.not_run)
    page.paragraph(fmt::format("{} of {} launches were executed untimed.", untimed, all.launches));
}

HtmlCell number_or_nothing(bool there, double value) {
  return there ? HtmlCell::of(value) : HtmlCell::of("-");
}

HtmlCell marked(HtmlCell cell, bool estimated) {
  if (estimated && cell.number) cell.text = "~" + cell.text;
  return cell;
}

std::string interval_text(const char* what, const estimate::Interval& interval, double unit, int digits) {
  return fmt::format("{} {:.{}f} ({:.{}f} to {:.{}f})", what, interval.value / unit, digits,
                     interval.low / unit, digits, interval.high / unit, digits);
}

void add_estimate(HtmlPage& page, const estimate::LaunchEstimate& estimate) {
  page.paragraph(
      fmt::format("Values with ~ are estimated from {:.1f} % of the warp-instructions: {}{}.",
                  estimate.instructions ? 100.0 * static_cast<double>(estimate.instructions_timed) /
                                              static_cast<double>(estimate.instructions)
                                        : 0,
                  interval_text("cycles", estimate.cycles, 1, 0),
                  estimate.energy_nj ? interval_text(", energy in uJ", *estimate.energy_nj, 1e3, 3) : ""));
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
                          sum.timed ? marked(HtmlCell::count(sum.cycles), sum.estimated) : HtmlCell::of("-"),
                          marked(HtmlCell::of(sum.time_us), sum.estimated),
                          marked(number_or_nothing(sum.energy, sum.energy_pj / 1e3), sum.estimated),
                          number_or_nothing(sum.baseline_pj > 0, sum.baseline_pj / 1e3)});
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
  const bool estimates =
      std::any_of(rows.begin(), rows.end(), [](const LaunchRow& row) { return row.estimate; });
  if (estimates) table.headings.insert(table.headings.end(), {"estimated by", "cycles +- %"});
  table.filter = "filter launches";
  const auto extents = [](const isa::Dim3& d) {
    return HtmlCell::of(fmt::format("{} x {} x {}", d.x, d.y, d.z));
  };
  for (const LaunchRow& row : rows) {
    if (table.rows.size() == kMostLaunches) break;
    table.rows.push_back(
        {HtmlCell::count(row.launch), HtmlCell::of(row.kernel), extents(row.grid), extents(row.block),
         HtmlCell::count(row.shared_bytes),
         row.registers ? HtmlCell::count(row.registers) : HtmlCell::of("-"),
         HtmlCell::count(row.instructions),
         row.timed ? marked(HtmlCell::count(row.cycles), row.is_estimated()) : HtmlCell::of("-"),
         marked(HtmlCell::of(row.time_us), row.is_estimated()),
         marked(number_or_nothing(row.energy_pj.has_value(), row.energy_pj.value_or(0) / 1e3),
                row.is_estimated()),
         HtmlCell::of(row.outcome().empty() ? "-" : row.outcome())});
    if (!estimates) continue;
    table.rows.back().push_back(HtmlCell::of(row.estimated_by()));
    const estimate::Interval cycles = row.estimate ? row.estimate->cycles : estimate::Interval{};
    table.rows.back().push_back(
        number_or_nothing(cycles.value > 0, 100 * (cycles.high / std::max(1.0, cycles.value) - 1)));
  }
  page.heading("Launches");
  page.table(table);
  if (rows.size() > kMostLaunches)
    page.paragraph(fmt::format("And {} more launches (launches.csv has all).", rows.size() - kMostLaunches));
}

void add_differences(HtmlPage& page, const std::vector<LaunchRow>& rows) {
  std::string text;
  for (const LaunchRow& row : rows) {
    if (!row.error.empty()) text += fmt::format("launch {} {}: {}\n", row.launch, row.kernel, row.error);
    if (row.equal && !row.is_incomparable()) continue;
    text += fmt::format("launch {} {}: {}\n", row.launch, row.kernel, row.difference);
    for (const std::string& race : row.races) text += fmt::format("  {}\n", race);
  }
  text += findings_text(rows);
  if (text.empty()) return;
  page.heading("What failed or differs");
  page.preformatted(text);
}

}  // namespace

std::string program_report(const ExecParameters& parameters, const std::vector<std::string>& command,
                           const ProgramEnd& end, const std::string& why,
                           const std::function<void(HtmlPage&)>& more) {
  HtmlPage page(fmt::format("{}", fmt::join(command, " ")));
  const std::vector<LaunchSum> sums = sums_of(end.launches);
  page.paragraph(parameters.timed() ? fmt::format("{}{}{}", parameters.run.gpu.name,
                                                  parameters.run.techniques.empty() ? "" : " with ",
                                                  fmt::join(parameters.run.techniques, ", "))
                                    : "Untimed.");
  add_verdicts(page, end, sums.back());
  if (!why.empty()) {
    page.heading(output::kWhyHeading);
    page.lines(why);
  }
  add_kernels(page, sums);
  if (end.estimate) add_estimate(page, *end.estimate);
  more(page);
  add_differences(page, end.launches);
  add_launches(page, end.launches);
  return page.text();
}

}  // namespace heddle::program

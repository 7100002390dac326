#include "testbench/output/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "testbench/launch/output_compare.h"
#include "testbench/output/chart.h"
#include "testbench/output/energy_output.h"
#include "testbench/output/html_page.h"
#include "testbench/output/intervals.h"
#include "testbench/output/metric_texts.h"
#include "testbench/output/metrics.h"
#include "testbench/output/profile.h"
#include "testbench/output/run_totals.h"
#include "testbench/output/summary.h"
#include "testbench/output/timeline.h"

namespace heddle::output {
namespace {

constexpr std::size_t kMostPlotted = 480;  // largest number of points in a series of a chart
constexpr std::size_t kMostSpans = 40000;  // largest number of spans in the timeline of warps

void add_verdict(HtmlPage& page, const run::RunResult& result) {
  using Verdict = HtmlPage::Verdict;
  if (result.interrupted)
    page.verdict(Verdict::open, "Ended early: the results are partial.");
  else if (!result.checked)
    page.verdict(Verdict::open, "Not checked against the untimed reference: " + result.unchecked_reason);
  else if (!result.equal)
    page.verdict(Verdict::bad, "Outputs differ from the untimed reference.\n" +
                                   launch::report_differences(result.comparisons));
  else
    page.verdict(Verdict::good, "Every output equals that of the untimed reference.");
  for (const std::string& line : result.check_lines)
    page.verdict(result.findings ? Verdict::bad : Verdict::good, line);
  for (const std::string& warning : result.warnings) page.verdict(Verdict::open, "Warning: " + warning);
}

void add_launches(HtmlPage& page, run::RunSession& session) {
  HtmlTable table;
  table.headings = {"launch",       "kernel",     "grid",   "block",        "registers",
                    "shared bytes", "CTAs an SM", "cycles", "instructions", "IPC"};
  for (const run::LaunchRecord& record : session.result().launches) {
    const CounterView counters(session.stats(), record.counters);
    const auto extents = [](const isa::Dim3& d) {
      return HtmlCell::of(fmt::format("{} x {} x {}", d.x, d.y, d.z));
    };
    std::vector<HtmlCell> row = {HtmlCell::count(record.index),
                                 HtmlCell::of(session.plain_name(record.kernel)),
                                 extents(record.grid),
                                 extents(record.block),
                                 HtmlCell::count(record.registers),
                                 HtmlCell::count(record.shared_bytes)};
    if (record.timed) {
      const std::uint64_t issued = counters.sum("sm.issue.issued");
      row.push_back(HtmlCell::count(static_cast<std::uint64_t>(record.ctas_per_sm)));
      row.push_back(HtmlCell::count(record.cycles));
      row.push_back(HtmlCell::count(issued));
      row.push_back(
          HtmlCell::of(record.cycles ? static_cast<double>(issued) / static_cast<double>(record.cycles) : 0));
    } else {
      for (int i = 0; i < 4; ++i) row.push_back(HtmlCell::of("-"));
    }
    table.rows.push_back(std::move(row));
  }
  page.heading("Launches");
  page.table(table);
  const std::uint64_t more = session.result().totals.launches - session.result().launches.size();
  if (more) page.paragraph(fmt::format("And {} more launches.", more));
}

void add_metrics(HtmlPage& page, run::RunSession& session) {
  const std::vector<std::uint64_t> total = total_counters(session);
  const CounterView counters(session.stats(), total);
  const Metrics metrics(counters, session.parameters().gpu, total_cycles(session.result()));
  HtmlTable table;
  table.headings = {"metric", "value", "unit", "what it is"};
  table.filter = "filter metrics";
  for (const Metric& metric : metrics.all()) {
    const MetricText& text = metric_text(metric.name);
    table.rows.push_back({HtmlCell::named(metric.name), HtmlCell::of(metric.value, 4),
                          HtmlCell::of(text.unit), HtmlCell::of(text.doc)});
  }
  page.heading("Metrics");
  page.table(table);
}

void add_energy(HtmlPage& page, run::RunSession& session) {
  if (!session.energy()) return;
  const power::EnergyReport report = total_energy(session);
  page.heading("Energy");
  HtmlTable table;
  table.headings = {"structure",
                    "dynamic nJ",
                    "leakage nJ",
                    "overhead nJ",
                    "sum nJ",
                    "baseline nJ",
                    "less than baseline, %",
                    "mean mW"};
  BarChart bars;
  bars.y = "energy, nJ";
  bars.series = {"dynamic", "leakage", "overhead"};
  bars.stacked = true;
  bars.level = "baseline";
  bars.values.resize(3);
  const auto row = [&](const std::string& name, const power::EnergyParts& spent,
                       const power::EnergyParts& baseline) {
    table.rows.push_back({HtmlCell::of(name), HtmlCell::of(spent[power::Kind::dynamic] / 1e3),
                          HtmlCell::of(spent[power::Kind::leakage] / 1e3),
                          HtmlCell::of(spent[power::Kind::overhead] / 1e3), HtmlCell::of(spent.total() / 1e3),
                          HtmlCell::of(baseline.total() / 1e3),
                          baseline.total() > 0 ? HtmlCell::of(100 * (1 - spent.total() / baseline.total()), 1)
                                               : HtmlCell::of("-"),
                          HtmlCell::of(report.milliwatts(spent.total()))});
  };
  for (const power::StructureReport& structure : report.structures) {
    const power::EnergyParts& spent = structure.energy.spent;
    row(structure.name, spent, structure.energy.baseline);
    bars.categories.push_back(structure.name);
    bars.levels.push_back(structure.energy.baseline.total() / 1e3);
    bars.values[0].emplace_back(spent[power::Kind::dynamic] / 1e3);
    bars.values[1].emplace_back(spent[power::Kind::leakage] / 1e3);
    bars.values[2].emplace_back(spent[power::Kind::overhead] / 1e3);
  }
  row("total", report.total.spent, report.total.baseline);
  page.chart(bar_chart(bars),
             "Energy of the run by structure. The baseline is what the plain machine would pay for the same "
             "accesses and "
             "cycles, those of this run: a run without the technique has others.");
  page.table(table);
}

void add_activity(HtmlPage& page, const IntervalRecorder& intervals) {
  const std::size_t group = (intervals.samples().size() + kMostPlotted - 1) / kMostPlotted;
  const std::vector<IntervalSample> samples = merged(intervals.samples(), group);
  if (samples.empty()) return;
  page.heading("Over time");
  const auto series = [&samples](const std::string& name, auto value) {
    ChartSeries one{name, {}};
    for (const IntervalSample& sample : samples)
      one.points.emplace_back(static_cast<double>(sample.begin), value(sample));
    one.points.emplace_back(static_cast<double>(samples.back().end), value(samples.back()));
    return one;
  };
  page.chart(step_chart({"cycle", "warp-instructions a cycle", true},
                        {series("IPC", [](const IntervalSample& s) { return s.ipc; })}));
  page.chart(step_chart({"cycle", "warps, all SMs", true},
                        {series("resident", [](const IntervalSample& s) { return s.resident_warps; }),
                         series("active", [](const IntervalSample& s) { return s.active_warps; })}));
  std::vector<ChartSeries> power;
  for (std::size_t i = 0; i < intervals.structures().size(); ++i) {
    const std::string& name = intervals.structures()[i];
    power.push_back(series(name, [i](const IntervalSample& s) { return s.power_mw[i]; }));
  }
  if (!power.empty())
    page.chart(area_chart({"cycle", "power, mW", true}, power), "Power by structure, stacked.");
}

void add_warps(HtmlPage& page, const TimelineRecorder& timeline) {
  bool complete = true;
  const std::vector<StateRow> rows = timeline.warp_rows(0, kMostSpans, complete);
  if (rows.empty()) return;
  page.heading("Warps of SM 0");
  page.chart(state_chart("cycle", timeline.state_names(), {"s2", "s4", "s1", "s6", "s3", "s0", "s5"}, rows),
             complete ? "What every warp slot does, or waits for."
                      : "What every warp slot does, or waits for; later events are left out.");
}

std::vector<HtmlCell> count_cells(const InstructionCounts& c, std::uint64_t most) {
  std::vector<HtmlCell> cells = {HtmlCell::count(c.issues)};
  cells.push_back(
      HtmlCell::of(c.issues ? static_cast<double>(c.lanes) / static_cast<double>(c.issues) : 0, 1));
  for (const std::uint64_t wait : c.waits) {
    cells.push_back(HtmlCell::count(wait));
    cells.back().heat = most ? static_cast<double>(wait) / static_cast<double>(most) : 0;
  }
  return cells;
}

std::vector<std::string> count_headings() {
  std::vector<std::string> headings = {"issues", "lanes"};
  for (std::size_t r = 0; r < static_cast<std::size_t>(WaitReason::count_); ++r)
    headings.emplace_back(name_of(static_cast<WaitReason>(r)));
  return headings;
}

std::uint64_t longest_wait(const std::vector<InstructionCounts>& all) {
  std::uint64_t most = 0;
  for (const InstructionCounts& c : all)
    for (const std::uint64_t wait : c.waits) most = std::max(most, wait);
  return most;
}

void add_source(HtmlPage& page, const ProgramProfile& profile) {
  std::map<std::uint32_t, std::map<std::uint32_t, InstructionCounts>> files;
  for (std::size_t i = 0; i < profile.instructions.size(); ++i) {
    const isa::SourceLocation& at = profile.program->code[i].location;
    if (at.line != 0) files[at.file][at.line].add(profile.instructions[i]);
  }
  for (const auto& [file, lines] : files) {
    if (file >= profile.program->files.size()) continue;
    std::filesystem::path path = profile.program->files[file];
    if (path.is_relative()) path = std::filesystem::path(profile.program->file).parent_path() / path;
    std::error_code ec;
    std::ifstream in;
    if (std::filesystem::is_regular_file(path, ec)) in.open(path);
    HtmlTable table;
    table.code = true;
    table.headings = {"line", "source"};
    for (const std::string& heading : count_headings()) table.headings.push_back(heading);
    std::vector<InstructionCounts> counts;
    for (const auto& [line, c] : lines) counts.push_back(c);
    const std::uint64_t most = longest_wait(counts);
    std::string text;
    const std::uint32_t last = lines.rbegin()->first;
    for (std::uint32_t line = 1; line <= last; ++line) {
      const bool known = static_cast<bool>(std::getline(in, text));
      const auto it = lines.find(line);
      if (!known && it == lines.end()) continue;
      std::vector<HtmlCell> row = {HtmlCell::count(line), HtmlCell::of(known ? text : std::string())};
      for (HtmlCell& cell : count_cells(it == lines.end() ? InstructionCounts{} : it->second, most)) {
        if (it == lines.end()) cell.text.clear();
        row.push_back(std::move(cell));
      }
      table.rows.push_back(std::move(row));
    }
    page.subheading(profile.program->files[file]);
    page.table(table);
  }
}

void add_profile(HtmlPage& page, const Profiler& profiler) {
  for (const ProgramProfile& profile : profiler.profiles()) {
    page.heading("Profile of " + profile.program->kernel);
    page.paragraph(
        "Warp-cycles in which an instruction was a warp's next and did not issue, by what it waited for. All "
        "SMs and launches.");
    add_source(page, profile);
    page.subheading("Listing");
    HtmlTable table;
    table.code = true;
    table.filter = "filter instructions";
    table.headings = {"#", "PTX line", "instruction"};
    for (const std::string& heading : count_headings()) table.headings.push_back(heading);
    const std::uint64_t most = longest_wait(profile.instructions);
    for (std::size_t i = 0; i < profile.instructions.size(); ++i) {
      const isa::Instruction& instruction = profile.program->code[i];
      std::vector<HtmlCell> row = {HtmlCell::count(i), HtmlCell::count(instruction.location.ptx_line),
                                   HtmlCell::of(to_string(instruction))};
      for (HtmlCell& cell : count_cells(profile.instructions[i], most)) row.push_back(std::move(cell));
      table.rows.push_back(std::move(row));
    }
    page.table(table);
  }
}

void add_waits(HtmlPage& page, const Profiler& profiler) {
  BarChart bars;
  bars.y = "warp-cycles in which a warp's next instruction did not issue";
  bars.stacked = true;
  for (std::size_t r = 0; r < static_cast<std::size_t>(WaitReason::count_); ++r)
    bars.categories.emplace_back(name_of(static_cast<WaitReason>(r)));
  for (const ProgramProfile& profile : profiler.profiles()) {
    InstructionCounts sum;
    for (const InstructionCounts& one : profile.instructions) sum.add(one);
    bars.series.push_back(profile.program->kernel);
    bars.values.emplace_back();
    for (const std::uint64_t wait : sum.waits) bars.values.back().emplace_back(static_cast<double>(wait));
  }
  if (bars.series.empty()) return;
  page.heading("What warps waited for");
  page.chart(bar_chart(bars), "All SMs and launches, by kernel; the profile below has it by instruction.");
}

void add_files(HtmlPage& page, const run::RunParameters& parameters,
               const std::vector<std::pair<std::string, std::string>>& files) {
  page.heading("Files");
  page.paragraph(
      fmt::format("The same run once more: heddle rerun {}/result.json", parameters.output.folder));
  page.links(files);
}

}  // namespace

std::string make_run_report(run::RunSession& session, const RunObservers& observers,
                            const std::vector<std::pair<std::string, std::string>>& files,
                            const std::function<void(HtmlPage&)>& more) {
  const auto& [intervals, timeline, profiler] = observers;
  const run::RunParameters& parameters = session.parameters();
  HtmlPage page(parameters.description.empty() ? "Heddle: " + parameters.launch : parameters.description);
  add_verdict(page, session.result());
  page.preformatted(make_heading(parameters));
  if (more) more(page);
  add_launches(page, session);
  add_energy(page, session);
  if (profiler) add_waits(page, *profiler);
  if (intervals) add_activity(page, *intervals);
  if (timeline) add_warps(page, *timeline);
  if (profiler) add_profile(page, *profiler);
  add_metrics(page, session);
  if (!session.printed().calls.empty()) {
    page.heading("Printed");
    page.preformatted(session.printed().text());
  }
  add_files(page, parameters, files);
  return page.text();
}

}  // namespace heddle::output

#include "testbench/output/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/ptx/kernel_name.h"
#include "testbench/launch/output_compare.h"
#include "testbench/output/chart.h"
#include "testbench/output/energy_output.h"
#include "testbench/output/html_page.h"
#include "testbench/output/intervals.h"
#include "testbench/output/metric_texts.h"
#include "testbench/output/metrics.h"
#include "testbench/output/profile.h"
#include "testbench/output/run_totals.h"
#include "testbench/output/source_text.h"
#include "testbench/output/summary.h"
#include "testbench/output/timeline.h"

namespace heddle::output {
namespace {

constexpr std::size_t kMostPlotted = 480;
constexpr std::size_t kMostSpans = 40000;

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
    const CounterView counters(session.counter_classes(), record.counters);
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
  const CounterView counters(session.counter_classes(), total);
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
  page.chart(
      state_chart("cycle", timeline.state_names(), {"s2", "s4", "s1", "s6", "s3", "s0", "s5", "s7"}, rows),
      complete ? "What every warp slot does, or waits for."
               : "What every warp slot does, or waits for; later events are left out.");
}

// Writes the columns of counts and energies. Cells with waits and energies are coloured. The colour is
// strongest for the largest wait of all rows, and for the largest energy of all rows.
class ProfileColumns {
 public:
  /// Chooses the columns for the table with these rows. `selected`: names of output.profile_columns; empty:
  /// the usual columns.
  ProfileColumns(const ProgramProfile& profile, const std::vector<ProfileSums>& rows,
                 const std::vector<std::string>& selected)
      : columns_(profile.energy.columns) {
    static const std::vector<std::string> kUsual = {"issues", "lanes", "waited", "energy"};
    const std::vector<std::string>& names = selected.empty() ? kUsual : selected;
    for (const std::string& name : profile_columns())
      if (selects(names, name)) names_.push_back(name);
    for (const ProfileSums& row : rows) {
      for (const std::uint64_t wait : row.counts.waits) most_wait_ = std::max(most_wait_, wait);
      for (const double pj : row.pj) most_pj_ = std::max(most_pj_, pj);
    }
  }

  void add_headings(std::vector<std::string>& headings) const {
    for (const std::string& name : names_)
      if (name == "waited")
        for (std::size_t r = 0; r < static_cast<std::size_t>(WaitReason::count_); ++r)
          headings.emplace_back(name_of(static_cast<WaitReason>(r)));
      else if (name == "energy")
        for (std::string column : columns_) {
          std::replace(column.begin(), column.end(), '_', ' ');
          headings.push_back(column + " nJ");
        }
      else
        headings.push_back(name);
  }
  void add_cells(const ProfileSums& row, std::vector<HtmlCell>& cells) const {
    const InstructionCounts& c = row.counts;
    const auto mean = [&cells](std::uint64_t sum, std::uint64_t count, int digits) {
      cells.push_back(
          HtmlCell::of(count ? static_cast<double>(sum) / static_cast<double>(count) : 0, digits));
    };
    for (const std::string& name : names_) {
      if (name == "issues") cells.push_back(HtmlCell::count(c.issues));
      if (name == "lanes") mean(c.lanes, c.issues, 1);
      if (name == "waited") add_waits(c, cells);
      if (name == "mostly") cells.push_back(HtmlCell::of(most_waited(c)));
      if (name == "operand") mean(c.operand_cycles, c.issues, 2);
      if (name == "unit") mean(c.unit_cycles, c.issues, 2);
      if (name == "segments") mean(c.segments, c.segment_accesses, 2);
      if (name == "passes") mean(c.passes, c.pass_accesses, 2);
      if (name == "energy") add_energies(row, cells);
    }
  }
  void add_empty(std::vector<HtmlCell>& cells) const {
    std::vector<std::string> headings;
    add_headings(headings);
    cells.insert(cells.end(), headings.size(), HtmlCell::of(""));
  }

 private:
  void add_waits(const InstructionCounts& c, std::vector<HtmlCell>& cells) const {
    for (const std::uint64_t wait : c.waits) {
      cells.push_back(HtmlCell::count(wait));
      cells.back().heat = most_wait_ ? static_cast<double>(wait) / static_cast<double>(most_wait_) : 0;
    }
  }
  void add_energies(const ProfileSums& row, std::vector<HtmlCell>& cells) const {
    for (const double pj : row.pj) {
      cells.push_back(HtmlCell::of(pj / 1e3));
      cells.back().heat = most_pj_ > 0 ? pj / most_pj_ : 0;
    }
  }
  static std::string most_waited(const InstructionCounts& c) {
    const auto most = std::max_element(c.waits.begin(), c.waits.end());
    return *most == 0 ? "-" : name_of(static_cast<WaitReason>(most - c.waits.begin()));
  }

  const std::vector<std::string>& columns_;  ///< groups of structures with an energy
  std::vector<std::string> names_;           ///< names of the selected columns
  std::uint64_t most_wait_ = 0;
  double most_pj_ = 0;
};

// Adds the source files, with counts and energies of each line. Adds nothing if the program names no files.
void add_source(HtmlPage& page, const ProgramProfile& profile, SourceText& source,
                const std::vector<std::string>& selected) {
  const std::vector<ProfileSums> instructions = sums_by_instruction(profile);
  std::map<std::uint32_t, std::map<std::uint32_t, ProfileSums>> files;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const isa::SourceLocation& at = profile.program->code[i].location;
    if (at.line != 0) files[at.file][at.line].add(instructions[i]);
  }
  if (files.empty())
    page.paragraph(
        "No source lines: the PTX has no .loc (compile with -lineinfo, heddle-cc and nvcc alike).");
  for (const auto& [file, lines] : files) {
    HtmlTable table;
    table.code = true;
    table.headings = {"line", "source"};
    std::vector<ProfileSums> rows;
    for (const auto& [line, sums] : lines) rows.push_back(sums);
    const ProfileColumns columns(profile, rows, selected);
    columns.add_headings(table.headings);
    const bool known = source.lines(file) > 0;
    for (std::uint32_t line = 1; line <= lines.rbegin()->first; ++line) {
      const auto it = lines.find(line);
      if (!known && it == lines.end()) continue;
      std::vector<HtmlCell> row = {HtmlCell::count(line), HtmlCell::of(source.source(file, line))};
      if (it == lines.end())
        columns.add_empty(row);
      else
        columns.add_cells(it->second, row);
      table.rows.push_back(std::move(row));
    }
    page.subheading(source_name(*profile.program, {0, 0, file, 1}));
    page.table(table);
  }
}

void add_listing(HtmlPage& page, const ProgramProfile& profile, SourceText& source,
                 const std::vector<std::string>& selected) {
  HtmlTable table;
  table.code = true;
  table.filter = "filter instructions";
  table.headings = {"line", "PTX line", "PTX", "#", "instruction"};
  const std::vector<ProfileSums> instructions = sums_by_instruction(profile);
  const ProfileColumns columns(profile, instructions, selected);
  columns.add_headings(table.headings);
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const isa::Instruction& instruction = profile.program->code[i];
    const isa::SourceLocation& at = instruction.location;
    std::vector<HtmlCell> row = {HtmlCell::of(short_place(*profile.program, at)),
                                 HtmlCell::count(at.ptx_line), HtmlCell::of(source.ptx(at.ptx_line)),
                                 HtmlCell::count(i), HtmlCell::of(to_string(instruction))};
    row.front().hover = source.source(at.file, at.line);
    columns.add_cells(instructions[i], row);
    table.rows.push_back(std::move(row));
  }
  page.subheading("Line, PTX and instruction");
  page.table(table);
}

void add_rest(HtmlPage& page, const ProgramProfile& profile) {
  if (profile.energy.rest.empty()) return;
  HtmlTable table;
  table.headings = {"structure", "technology", "entry", "kind", "nJ"};
  for (const EnergyRest& rest : profile.energy.rest)
    table.rows.push_back({HtmlCell::of(rest.structure), HtmlCell::of(rest.technology),
                          HtmlCell::of(rest.entry), HtmlCell::of(rest.kind), HtmlCell::of(rest.pj / 1e3)});
  page.subheading("Energy of no instruction");
  page.table(table);
}

void add_profile(HtmlPage& page, const Profiler& profiler, const std::vector<std::string>& selected) {
  for (const ProgramProfile& profile : profiler.profiles()) {
    SourceText source(*profile.program);
    page.heading("Profile of " + ptx::plain_name(profile.program->kernel));
    page.paragraph(
        "Warp-cycles in which an instruction was a warp's next and did not issue, by what it waited for. All "
        "SMs and launches.");
    if (!profile.energy.columns.empty())
      page.paragraph(
          "Energies: events at the prices of the run's technologies. A slot in which an instruction issues "
          "leaks "
          "for the instruction. The other slots leak for the instructions at which warps waited.");
    add_source(page, profile, source, selected);
    add_listing(page, profile, source, selected);
    add_rest(page, profile);
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
    bars.series.push_back(ptx::plain_name(profile.program->kernel));
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
  const auto& [intervals, timeline, profiler, why] = observers;
  const run::RunParameters& parameters = session.parameters();
  HtmlPage page(parameters.description.empty() ? "Heddle: " + parameters.launch : parameters.description);
  add_verdict(page, session.result());
  if (!why.empty()) {
    page.heading(kWhyHeading);
    page.lines(why);
  }
  page.preformatted(make_heading(parameters));
  if (more) more(page);
  add_launches(page, session);
  add_energy(page, session);
  if (profiler) add_waits(page, *profiler);
  if (intervals) add_activity(page, *intervals);
  if (timeline) add_warps(page, *timeline);
  if (profiler) add_profile(page, *profiler, parameters.output.profile_columns);
  add_metrics(page, session);
  if (!session.printed().calls.empty()) {
    page.heading("Printed");
    page.preformatted(session.printed().text());
  }
  add_files(page, parameters, files);
  return page.text();
}

}  // namespace heddle::output

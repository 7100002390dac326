#include "testbench/output/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/core/counted.h"
#include "models/core/registry.h"
#include "testbench/output/counter_view.h"
#include "testbench/output/energy_output.h"
#include "testbench/output/estimate_output.h"
#include "testbench/output/metrics.h"
#include "testbench/output/run_totals.h"
#include "testbench/output/terminal_text.h"
#include "testbench/run/differences.h"
#include "testbench/run/scenario.h"

namespace heddle::output {
namespace {

constexpr std::size_t kLaunchRows = 16;

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string value_text(const ConfigNode& value) {
  if (value.is_string()) return value.text;
  std::string json = to_json(value);
  std::erase(json, '\n');
  return json;
}

// Returns the width of the column of names: the terminal's width minus the columns of numbers, but at least
// 12 and at most 28.
std::size_t name_columns() {
  constexpr std::size_t kNumbers = 62, kMost = 28, kLeast = 12;
  return std::clamp(terminal_width() - std::min(terminal_width(), kNumbers), kLeast, kMost);
}

std::string row(const std::string& name, Cycle cycles, const CounterView& counters, const Metrics& m) {
  const std::size_t columns = name_columns();
  const std::string above = name.size() > columns ? name + "\n" : "";
  return above + fmt::format("{:<{}} {:>12} {:>14} {:>7.3f} {:>7.3f} {:>8} {:>8}\n",
                             above.empty() ? name : "", columns, grouped(cycles),
                             grouped(counters.sum("sm.issue.issued")), m.get("ipc"), m.get("ipc_per_sm"),
                             percent(m.get("occupancy")), percent(m.get("slot_use")));
}

// Returns the stall reasons with their shares of the issue slots, largest first. Leaves out shares below 0.05
// %.
std::string stalls(const Metrics& m) {
  std::vector<std::pair<double, std::string>> parts;
  for (const Metric& metric : m.all())
    if (metric.name.starts_with("stall_") && metric.value >= 0.0005)
      parts.emplace_back(-metric.value, metric.name.substr(6));
  std::sort(parts.begin(), parts.end());
  std::string out;
  for (const auto& [share, reason] : parts)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", reason, percent(-share));
  return out.empty() ? "none" : out;
}

std::string units(const Metrics& m) {
  std::string out;
  for (const Metric& metric : m.all())
    if (metric.name.starts_with("busy_"))
      out += fmt::format("{}{} {}", out.empty() ? "" : ", ", metric.name.substr(5), percent(metric.value));
  return out;
}

std::string details(const CounterView& c, const Metrics& m) {
  std::string out;
  const auto line = [&](const char* name, const std::string& text) {
    out += fmt::format("  {:<15} {}\n", name, text);
  };
  line("issue slots", fmt::format("{} used; idle: {}", percent(m.get("slot_use")), stalls(m)));
  line("instructions",
       fmt::format("{:.1f} lanes of 32 on average; int {}, fp {}, sfu {}, ld/st {}, control {}; {} added by "
                   "the compiler",
                   m.get("lanes_per_instruction"), grouped(c.sum("sm.issue.issued_int")),
                   grouped(c.sum("sm.issue.issued_fp")), grouped(c.sum("sm.issue.issued_sfu")),
                   grouped(c.sum("sm.issue.issued_ldst")), grouped(c.sum("sm.issue.issued_control")),
                   grouped(c.sum("sm.issue.overhead"))));
  line("divergence", fmt::format("{} of {} branches split a warp; {} barrier arrivals",
                                 grouped(c.sum("sm.issue.divergent_branches")),
                                 grouped(c.sum("sm.issue.branches")), grouped(c.sum("sm.issue.barriers"))));
  line("registers",
       fmt::format("{} words read, {} written, {} of them of 64-bit pairs; banks: {} accesses, {:.2f} "
                   "conflict cycles each",
                   grouped(c.sum("sm.issue.source_words")), grouped(c.sum("sm.issue.result_words")),
                   percent(m.get("pair_share")), grouped(static_cast<std::uint64_t>(m.get("bank_accesses"))),
                   m.get("bank_conflict_cycles_per_access")));
  line("units busy", units(m));
  line("shared memory",
       fmt::format("{} accesses, {:.2f} passes each", grouped(c.sum("sm.load_store.shared_accesses")),
                   m.get("shared_passes_per_access")));
  line("global memory",
       fmt::format("{} accesses, {:.2f} segments each, L1 hits {}; {:.2f} bytes a cycle to and from memory",
                   grouped(c.sum("sm.load_store.global_instructions")), m.get("segments_per_access"),
                   percent(m.get("l1_hit_rate")), m.get("memory_bytes_per_cycle")));
  return out;
}

std::string check_text(const run::RunResult& result) {
  if (result.interrupted) return "ended early: results are partial\n";
  if (!result.checked) return "not checked against the reference: " + result.unchecked_reason + "\n";
  if (!result.equal)
    return "DIFFERENT from the untimed reference\n" + launch::report_differences(result.comparisons);
  std::string names;
  for (const auto& c : result.comparisons)
    names += fmt::format("{}{} ({} elements)", names.empty() ? "" : ", ", c.buffer, grouped(c.count));
  return fmt::format("check: equal to the untimed reference: {}\n", names);
}

/// Returns a number of units as text: one number ("16"), or one for each kind of units ("6 sp + 8 sfu + 2
/// mem").
std::string numbers_text(const NumberByKind& numbers) {
  if (!numbers.by_kind()) return fmt::format("{}", numbers.total());
  std::string out;
  for (std::size_t k = 0; k < numbers.kinds.size(); ++k)
    out += fmt::format("{}{} {}", k ? " + " : "", numbers.values[k], numbers.kinds[k]);
  return out;
}

// Values that the summary shows for one launch or for the whole run. `mark`: text before a value; "~" if it
// is estimated.
struct Shown {
  const std::vector<std::uint64_t>* counters;
  Cycle cycles;
  const char* mark;
};
Shown shown(const std::vector<std::uint64_t>& counters, Cycle cycles,
            const std::optional<estimate::LaunchEstimate>& estimate) {
  if (!estimate) return {&counters, cycles, ""};
  return {&estimate->counters, static_cast<Cycle>(std::llround(estimate->cycles.value)),
          estimate->whole ? "" : "~"};
}

std::string sampled_text(const run::RunResult& result) {
  if (result.estimate) return {};
  const std::uint64_t all = result.totals.ctas, timed = result.totals.ctas_timed;
  if (all == timed || all == 0) return {};
  return fmt::format("sample: {} of {} CTAs timed ({})\n", grouped(timed), grouped(all),
                     percent(static_cast<double>(timed) / static_cast<double>(all)));
}

}  // namespace

std::string part_text(const ConfigNode& part) {
  std::string parameters;
  const ConfigNode tree = choice_parameters(part);
  for (const auto& [key, member] : tree.members) {
    const ConfigNode& value = member.unwrapped();
    if (!value.is_object() && !value.is_array())
      parameters += fmt::format("{}{}={}", parameters.empty() ? "" : ", ", key, value_text(value));
  }
  return choice_name(part) + (parameters.empty() ? "" : "(" + parameters + ")");
}

std::string parts_text(const std::vector<ConfigNode>& parts) {
  std::string out;
  for (const ConfigNode& part : parts) out += (out.empty() ? "" : ", ") + part_text(part);
  return out.empty() ? "none" : out;
}

std::string make_heading(const run::RunParameters& p) {
  const SmParameters& sm = p.gpu.sm;
  const BankParameters& banks = sm.register_file.banks;
  std::string out;
  if (!p.description.empty()) out += p.description + "\n";
  out += fmt::format("launch    {}\n", p.launch);
  out += fmt::format("gpu       {}: {} SM{} at {} MHz, {} warps, {} CTAs each\n",
                     p.gpu.name.empty() ? "(unnamed)" : p.gpu.name, p.gpu.sms, p.gpu.sms == 1 ? "" : "s",
                     p.gpu.core_clock_mhz, sm.max_warps, sm.max_ctas);
  out += fmt::format("schedule  {} x {}, {} instruction{} a cycle each; constraints {}\n", sm.schedulers(),
                     part_text(sm.scheduler), sm.issue_width, sm.issue_width == 1 ? "" : "s",
                     parts_text(sm.constraints));
  out += fmt::format("registers {}; {} banks {} {}, {}; {} collectors{}\n",
                     parts_text(sm.register_file.stages), banks.count, banks.ports, banks.layout,
                     part_text(banks.arbiter), numbers_text(sm.register_file.collectors),
                     sm.partitions == 1 ? "" : fmt::format(" (each of {} partitions)", sm.partitions));
  out += fmt::format("memory    {}; admission {}\n", part_text(p.gpu.memory), parts_text(p.gpu.admission));
  out += fmt::format("compiler  at most {} registers; {}\n",
                     std::min(p.compiler.max_registers, sm.max_registers_per_thread),
                     parts_text(p.compiler.passes));
  if (!p.techniques.empty()) out += fmt::format("with      {}\n", fmt::join(p.techniques, ", "));
  for (const std::string& note : p.technique_notes) out += fmt::format("          {}\n", note);
  if (!p.preset_alone) return out;
  const ConfigNode configuration = run::dump_scenario(p);
  for (const run::ParameterDifference& changed : run::differences({&configuration, p.preset_alone.get()}))
    out += fmt::format("set       {} = {} ({})\n", changed.path, changed.values[0], changed.values[1]);
  return out;
}

std::string make_summary(run::RunSession& session) {
  const run::RunResult& result = session.result();
  const GpuParameters& gpu = session.parameters().gpu;
  std::string out = fmt::format("{:<{}} {:>12} {:>14} {:>7} {:>7} {:>8} {:>8}\n", "launch", name_columns(),
                                "cycles", "instructions", "IPC", "IPC/SM", "occup.", "slots");
  std::uint64_t rows = 0;
  for (const auto& record : result.launches) {
    if (!record.timed || rows == kLaunchRows) continue;
    ++rows;
    const auto& [counted, cycles, mark] = shown(record.counters, record.cycles, record.estimate);
    const CounterView counters(session.counter_classes(), *counted);
    out += row(fmt::format("{}{} {}", mark, record.index, session.plain_name(record.kernel)), cycles,
               counters, Metrics(counters, gpu, cycles));
  }
  const std::uint64_t more = result.totals.timed - rows,
                      untimed = result.totals.launches - result.totals.timed;
  if (more) out += fmt::format("... {} more\n", counted(more, "launch"));
  if (untimed)
    out += fmt::format("{} {} executed untimed\n", counted(untimed, "launch"), untimed == 1 ? "was" : "were");
  const std::vector<std::uint64_t> timed = total_counters(session);
  const auto& [counted, cycles, mark] = shown(timed, total_cycles(result), result.estimate);
  const CounterView total(session.counter_classes(), *counted);
  const Metrics metrics(total, gpu, cycles);
  out += row(std::string(mark) + "total", cycles, total, metrics) + details(total, metrics);
  out +=
      energy_summary(session.energy() ? session.energy()->report(*counted, cycles) : power::EnergyReport{});
  out += estimate_summary(result) + sampled_text(result) + check_text(result);
  for (const std::string& line : result.check_lines) out += line + "\n";
  for (const std::string& warning : result.warnings) out += "warning: " + warning + "\n";
  return out;
}

}  // namespace heddle::output

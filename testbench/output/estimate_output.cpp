#include "testbench/output/estimate_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "testbench/output/counter_view.h"
#include "testbench/output/energy_output.h"
#include "testbench/output/metrics.h"
#include "testbench/output/paired_node.h"

namespace heddle::output {
namespace {

void put(ConfigNode& object, const char* key, ConfigNode value) {
  object.members.emplace_back(key, std::move(value));
}

// Returns an interval as a JSON object. `whole_numbers`: true for cycles, which are written as integers;
// false for energies.
ConfigNode interval_node(const estimate::Interval& interval, bool whole_numbers) {
  ConfigNode node = ConfigNode::make_object();
  const auto number = [whole_numbers](double value) {
    return whole_numbers ? ConfigNode::make_integer(std::llround(value)) : ConfigNode::make_number(value);
  };
  put(node, "value", number(interval.value));
  put(node, "low", number(interval.low));
  put(node, "high", number(interval.high));
  return node;
}

ConfigNode places_node(const estimate::LaunchEstimate& estimate) {
  ConfigNode places = ConfigNode::make_list();
  for (const estimate::TimedWindow& window : estimate.windows) {
    ConfigNode place = ConfigNode::make_object();
    put(place, "first_cta", ConfigNode::make_count(window.first_cta));
    put(place, "ctas", ConfigNode::make_count(window.ctas));
    put(place, "cycles", ConfigNode::make_count(window.cycles));
    put(place, "instructions", ConfigNode::make_count(window.issued));
    places.items.push_back(std::move(place));
  }
  return places;
}

Cycle cycles_of(const estimate::LaunchEstimate& estimate) {
  return static_cast<Cycle>(std::llround(estimate.cycles.value));
}

power::EnergyReport report_of(run::RunSession& session, const estimate::LaunchEstimate& estimate) {
  return session.energy() ? session.energy()->report(estimate.counters, cycles_of(estimate))
                          : power::EnergyReport{};
}

ConfigNode head(run::RunSession& session, const estimate::LaunchEstimate& estimate,
                const power::EnergyReport& report) {
  ConfigNode node = ConfigNode::make_object();
  put(node, "whole", ConfigNode::make_boolean(estimate.whole));
  if (estimate.like) put(node, "like", ConfigNode::make_count(*estimate.like));
  ConfigNode instructions = ConfigNode::make_object();
  put(instructions, "value", ConfigNode::make_count(estimate.instructions));
  put(instructions, "low", ConfigNode::make_count(estimate.instructions_low));
  put(instructions, "high", ConfigNode::make_count(estimate.instructions_high));
  put(node, "instructions", std::move(instructions));
  put(node, "instructions_timed", ConfigNode::make_count(estimate.instructions_timed));
  put(node, "exact_counts", ConfigNode::make_boolean(estimate.exact_counts));
  put(node, "waves", ConfigNode::make_count(estimate.waves));
  put(node, "cycles", interval_node(estimate.cycles, true));
  if (estimate.energy_nj) put(node, "energy_nj", interval_node(*estimate.energy_nj, false));
  if (estimate.dynamic_nj) put(node, "dynamic_nj", interval_node(*estimate.dynamic_nj, false));
  ConfigNode metrics = ConfigNode::make_object();
  const Metrics of(CounterView(session.counter_classes(), estimate.counters), session.parameters().gpu,
                   cycles_of(estimate));
  for (const Metric& metric : of.all())
    metrics.members.emplace_back(metric.name, ConfigNode::make_number(metric.value));
  for (const Metric& metric : energy_metrics(report))
    metrics.members.emplace_back(metric.name, ConfigNode::make_number(metric.value));
  put(node, "metrics", std::move(metrics));
  return node;
}

std::string percent_text(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string interval_text(const estimate::Interval& interval) {
  const double half = (interval.high - interval.low) / 2;
  return fmt::format("+-{:.1f} %", interval.value == 0 ? 0 : 100 * half / interval.value);
}

}  // namespace

ConfigNode launch_estimate_node(run::RunSession& session, const estimate::LaunchEstimate& estimate) {
  ConfigNode node = head(session, estimate, report_of(session, estimate));
  if (!estimate.like) put(node, "places", places_node(estimate));
  ConfigNode counters = ConfigNode::make_object();
  const CounterView view(session.counter_classes(), estimate.counters);
  for (std::size_t i = 0; i < view.sums().size(); ++i)
    counters.members.emplace_back(view.classes()[i].name, ConfigNode::make_count(view.sums()[i]));
  put(node, "counters", std::move(counters));
  return node;
}

ConfigNode total_estimate_node(run::RunSession& session, const estimate::LaunchEstimate& estimate) {
  const power::EnergyReport report = report_of(session, estimate);
  ConfigNode node = head(session, estimate, report);
  if (session.energy()) put(node, "energy", energy_node(report));
  if (!estimate.paired.empty()) put(node, "paired", paired_node(estimate.paired));
  std::vector<std::pair<std::string, std::uint64_t>> sorted;
  for (std::size_t i = 0; i < estimate.counters.size(); ++i)
    sorted.emplace_back(session.stats().counters()[i].full_name(), estimate.counters[i]);
  std::sort(sorted.begin(), sorted.end());
  ConfigNode counters = ConfigNode::make_object();
  for (const auto& [name, value] : sorted) counters.members.emplace_back(name, ConfigNode::make_count(value));
  put(node, "counters", std::move(counters));
  return node;
}

std::string estimate_summary(const run::RunResult& result) {
  if (!result.estimate) return {};
  const estimate::LaunchEstimate& e = *result.estimate;
  const double timed =
      e.instructions ? static_cast<double>(e.instructions_timed) / static_cast<double>(e.instructions) : 0;
  std::string out;
  if (e.whole)
    out += fmt::format("estimate: every CTA was timed ({} waves): the values are exact\n", e.waves);
  else
    out += fmt::format(
        "estimate: values with ~ are estimated from {} of the warp-instructions ({} waves); within 90 % "
        "intervals: cycles {}{}; counts of instructions are {}\n",
        percent_text(timed), e.waves, interval_text(e.cycles),
        e.energy_nj ? fmt::format(", energy {}, dynamic {}", interval_text(*e.energy_nj),
                                  interval_text(*e.dynamic_nj))
                    : "",
        !e.exact_counts     ? std::string("estimated, too: hardware adds instructions at run time")
        : e.order_dependent ? fmt::format("of one order of the CTAs ({} to {})", grouped(e.instructions_low),
                                          grouped(e.instructions_high))
                            : "exact");
  if (result.output_words)
    out += fmt::format(
        "values: timed CTAs wrote {} of the outputs' words, {}; CTAs that were not timed show nothing about "
        "the hardware\n",
        percent_text(static_cast<double>(result.compared_words) / static_cast<double>(result.output_words)),
        result.timed_differences.empty() ? "all as the reference does" : "and NOT as the reference does");
  for (const std::string& difference : result.timed_differences) out += "  " + difference + "\n";
  return out;
}

std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), " ");
  return digits;
}

}  // namespace heddle::output

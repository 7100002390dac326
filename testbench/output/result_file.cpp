#include "testbench/output/result_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"
#include "testbench/output/counter_view.h"
#include "testbench/output/csv_text.h"
#include "testbench/output/energy_output.h"
#include "testbench/output/metrics.h"
#include "testbench/output/run_totals.h"
#include "testbench/run/data_files.h"
#include "testbench/run/scenario.h"

namespace heddle::output {
namespace {

constexpr int kResultFormat = 1;

// Shorthands for building a tree.
ConfigNode text(std::string value) { return ConfigNode::make_string(std::move(value)); }
ConfigNode number(std::uint64_t value) { return ConfigNode::make_integer(static_cast<std::int64_t>(value)); }
ConfigNode boolean(bool value) { return ConfigNode::make_boolean(value); }
ConfigNode list() {
  ConfigNode node;
  node.kind = ConfigNode::Kind::array;
  return node;
}
void add(ConfigNode& object, std::string key, ConfigNode value) {
  object.members.emplace_back(std::move(key), std::move(value));
}

ConfigNode extents(const isa::Dim3& d) {
  ConfigNode node = list();
  for (const std::uint32_t n : {d.x, d.y, d.z}) node.items.push_back(number(n));
  return node;
}

ConfigNode inputs(const run::RunSession& session, const std::string& folder) {
  ConfigNode node = list();
  for (const run::InputFile& input : session.inputs()) {
    ConfigNode item = ConfigNode::make_object();
    add(item, "file", text(relative_to(input.path, folder)));
    add(item, "fnv1a64", text(input.hash));
    node.items.push_back(std::move(item));
  }
  return node;
}

ConfigNode check(const run::RunResult& result) {
  ConfigNode node = ConfigNode::make_object();
  add(node, "checked", boolean(result.checked));
  if (!result.checked) {
    add(node, "reason", text(result.unchecked_reason));
    return node;
  }
  add(node, "equal", boolean(result.equal));
  ConfigNode outputs = list();
  for (const auto& c : result.comparisons) {
    ConfigNode item = ConfigNode::make_object();
    add(item, "buffer", text(c.buffer));
    add(item, "equal", boolean(c.equal));
    add(item, "elements", number(c.count));
    add(item, "differing", number(c.differing));
    if (!c.equal) add(item, "first", text(c.report()));
    outputs.items.push_back(std::move(item));
  }
  add(node, "outputs", std::move(outputs));
  return node;
}

ConfigNode metrics_node(const Metrics& metrics, const power::EnergyReport& energy) {
  ConfigNode node = ConfigNode::make_object();
  for (const Metric& metric : metrics.all()) add(node, metric.name, ConfigNode::make_number(metric.value));
  for (const Metric& metric : energy_metrics(energy))
    add(node, metric.name, ConfigNode::make_number(metric.value));
  return node;
}

ConfigNode sums_node(const CounterView& counters) {
  ConfigNode node = ConfigNode::make_object();
  for (const auto& [name, sum] : counters.sums()) add(node, name, number(sum.value));
  return node;
}

ConfigNode launch_node(run::RunSession& session, const run::LaunchRecord& record) {
  ConfigNode node = ConfigNode::make_object();
  add(node, "index", number(record.index));
  add(node, "kernel", text(record.kernel));
  add(node, "grid", extents(record.grid));
  add(node, "block", extents(record.block));
  add(node, "registers", number(record.registers));
  add(node, "shared_bytes", number(record.shared_bytes));
  add(node, "timed", boolean(record.timed));
  add(node, "ctas", number(record.ctas_total));
  if (!record.timed) return node;
  add(node, "ctas_timed", number(record.ctas_timed));
  add(node, "ctas_per_sm", number(static_cast<std::uint64_t>(record.ctas_per_sm)));
  add(node, "begin_cycle", number(record.begin));
  add(node, "cycles", number(record.cycles));
  const CounterView counters(session.stats(), record.counters);
  power::EnergyReport energy;
  if (session.energy()) energy = session.energy()->report(record.counters, record.cycles);
  add(node, "metrics", metrics_node(Metrics(counters, session.parameters().gpu, record.cycles), energy));
  if (session.energy()) add(node, "energy", energy_node(energy));
  add(node, "counters", sums_node(counters));
  return node;
}

ConfigNode total_node(run::RunSession& session) {
  const std::vector<std::uint64_t> values = total_counters(session);
  const CounterView sums(session.stats(), values);
  const Cycle cycles = total_cycles(session.result());
  ConfigNode node = ConfigNode::make_object();
  add(node, "cycles", number(cycles));
  const power::EnergyReport energy = total_energy(session);
  add(node, "metrics", metrics_node(Metrics(sums, session.parameters().gpu, cycles), energy));
  if (session.energy()) add(node, "energy", energy_node(energy));
  std::vector<std::pair<std::string, std::uint64_t>> sorted;
  for (std::size_t i = 0; i < values.size(); ++i)
    sorted.emplace_back(session.stats().counters()[i].full_name(), values[i]);
  std::sort(sorted.begin(), sorted.end());
  ConfigNode counters = ConfigNode::make_object();
  for (const auto& [name, value] : sorted) add(counters, name, number(value));
  add(node, "counters", std::move(counters));
  return node;
}

}  // namespace

ConfigNode make_result(run::RunSession& session, const std::string& folder) {
  const run::RunResult& result = session.result();
  run::RunParameters parameters = session.parameters();
  parameters.launch = relative_to(parameters.launch, folder);
  for (auto* technologies : {&parameters.power.technologies, &parameters.power.stand_back})
    for (std::string& technology : *technologies)
      if (run::is_file_name(technology)) technology = relative_to(technology, folder);
  ConfigNode root = ConfigNode::make_object();
  add(root, "format", number(kResultFormat));
  add(root, "heddle", text(HEDDLE_VERSION));
  add(root, "configuration", run::dump_scenario(parameters));
  if (!parameters.techniques.empty()) {
    ConfigNode techniques = list();
    for (const std::string& name : parameters.techniques) techniques.items.push_back(text(name));
    add(root, "techniques", std::move(techniques));
  }
  add(root, "inputs", inputs(session, folder));
  if (session.energy()) {
    add(root, "technologies", technologies_node(*session.energy(), folder));
    add(root, "not_priced", not_priced_node(session.energy()->not_priced()));
  }
  add(root, "check", check(result));
  add(root, "interrupted", boolean(result.interrupted));
  ConfigNode warnings = list();
  for (const std::string& warning : result.warnings) warnings.items.push_back(text(warning));
  add(root, "warnings", std::move(warnings));
  ConfigNode launches = list();
  for (const auto& record : result.launches) launches.items.push_back(launch_node(session, record));
  add(root, "launches", std::move(launches));
  add(root, "total", total_node(session));
  return root;
}

std::string make_stats_csv(run::RunSession& session) {
  const auto& infos = session.stats().counters();
  const auto& launches = session.result().launches;
  std::vector<std::size_t> order(infos.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return infos[a].full_name() < infos[b].full_name(); });
  std::string out = "owner,name,unit,description,total";
  for (const auto& record : launches)
    if (record.timed) out += "," + csv_field(fmt::format("{}:{}", record.index, record.kernel));
  out += fmt::format("\n,cycles,cycles,\"cycles of the launches, first cycle to end of last CTA\",{}",
                     total_cycles(session.result()));
  for (const auto& record : launches)
    if (record.timed) out += fmt::format(",{}", record.cycles);
  out += "\n";
  const std::vector<std::uint64_t> total = total_counters(session);
  for (const std::size_t i : order) {
    const CounterInfo& info = infos[i];
    out += fmt::format("{},{},{},{},{}", info.owner, info.name, info.unit, csv_field(info.doc), total[i]);
    for (const auto& record : launches)
      if (record.timed) out += fmt::format(",{}", record.counters[i]);
    out += "\n";
  }
  return out;
}

}  // namespace heddle::output

#include "testbench/output/result_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "models/core/error.h"
#include "models/ptx/kernel_name.h"
#include "testbench/output/counter_view.h"
#include "testbench/output/csv_text.h"
#include "testbench/output/energy_output.h"
#include "testbench/output/estimate_output.h"
#include "testbench/output/metrics.h"
#include "testbench/output/run_totals.h"
#include "testbench/output/stored_table.h"
#include "testbench/run/data_files.h"
#include "testbench/run/scenario.h"

namespace heddle::output {
namespace {

ConfigNode text(std::string value) { return ConfigNode::make_string(std::move(value)); }
ConfigNode number(std::uint64_t value) { return ConfigNode::make_count(value); }
ConfigNode boolean(bool value) { return ConfigNode::make_boolean(value); }
void add(ConfigNode& object, std::string key, ConfigNode value) {
  object.members.emplace_back(std::move(key), std::move(value));
}

ConfigNode inputs(const run::RunSession& session, const std::string& folder) {
  ConfigNode node = ConfigNode::make_list();
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
  if (!result.check_lines.empty()) {
    add(node, "findings", number(result.findings));
    add(node, "finding_lines", ConfigNode::make_texts(result.check_lines));
  }
  if (!result.checked) {
    add(node, "reason", text(result.unchecked_reason));
    return node;
  }
  add(node, "equal", boolean(result.equal));
  ConfigNode outputs = ConfigNode::make_list();
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
  if (result.estimate) {
    add(node, "output_words", number(result.output_words));
    add(node, "compared_words", number(result.compared_words));
    ConfigNode differences = ConfigNode::make_list();
    for (const std::string& difference : result.timed_differences)
      differences.items.push_back(text(difference));
    add(node, "timed_differences", std::move(differences));
  }
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
  for (std::size_t i = 0; i < counters.sums().size(); ++i)
    add(node, counters.classes()[i].name, number(counters.sums()[i]));
  return node;
}

ConfigNode total_node(run::RunSession& session, const CountersByName& order) {
  const std::vector<std::uint64_t> values = total_counters(session);
  const CounterView sums(session.counter_classes(), values);
  const Cycle cycles = total_cycles(session.result());
  ConfigNode node = ConfigNode::make_object();
  add(node, "cycles", number(cycles));
  const power::EnergyReport energy = total_energy(session);
  add(node, "metrics", metrics_node(Metrics(sums, session.parameters().gpu, cycles), energy));
  if (session.energy()) add(node, "energy", energy_node(energy));
  ConfigNode counters = ConfigNode::make_object();
  counters.members.reserve(values.size());
  const std::vector<CounterInfo>& infos = session.stats().counters();
  for (const std::size_t i : order) counters.members.emplace_back(infos[i].full_name(), number(values[i]));
  add(node, "counters", std::move(counters));
  if (session.result().estimate)
    add(node, "estimate", total_estimate_node(session, *session.result().estimate));
  return node;
}

ConfigNode head(const run::RunSession& session, const std::string& folder) {
  const run::RunParameters& parameters = session.parameters();
  ConfigNode root = ConfigNode::make_object();
  add(root, "format", number(kResultFormat));
  add(root, "heddle", text(HEDDLE_VERSION));
  add(root, "configuration", configuration_node(parameters, folder));
  if (!parameters.techniques.empty()) {
    ConfigNode techniques = ConfigNode::make_list();
    for (const std::string& name : parameters.techniques) techniques.items.push_back(text(name));
    add(root, "techniques", std::move(techniques));
  }
  add(root, "inputs", inputs(session, folder));
  if (session.energy()) {
    add(root, "technologies", technologies_node(*session.energy(), folder));
    add(root, "scope", ConfigNode::make_texts(session.energy()->scope()));
    add(root, "not_priced", not_priced_node(session.energy()->not_priced()));
  }
  return root;
}

ConfigNode tail(run::RunSession& session, const CountersByName& order) {
  const run::RunResult& result = session.result();
  ConfigNode root = ConfigNode::make_object();
  add(root, "total", total_node(session, order));
  add(root, "check", check(result));
  add(root, "interrupted", boolean(result.interrupted));
  ConfigNode warnings = ConfigNode::make_list();
  for (const std::string& warning : result.warnings) warnings.items.push_back(text(warning));
  add(root, "warnings", std::move(warnings));
  return root;
}

}  // namespace

// All SMs have the same counters, so only the counters of one SM are sorted; this order is used for all other
// SMs. Comparing the long names of all SMs would take longer than any other output of a short run.
CountersByName counters_by_name(const StatsRegistry& stats) {
  const std::vector<CounterRoot> roots = counter_roots(stats);
  std::map<std::string, const CounterRoot*> sorted;  // by name with a dot, such as "sm0."
  for (const CounterRoot& root : roots) sorted.emplace(std::string(root.name) + '.', &root);
  std::vector<std::vector<std::size_t>> orders(roots.size());  // indices into a root's counters, by name
  CountersByName all;
  all.reserve(stats.counters().size());
  for (const auto& [name, root] : sorted) {
    std::vector<std::size_t>& order = orders[root->like];
    if (order.empty()) {
      std::vector<std::string> names;
      for (const std::size_t i : root->counters) names.push_back(stats.counters()[i].full_name());
      order.resize(names.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::sort(order.begin(), order.end(),
                [&names](std::size_t a, std::size_t b) { return names[a] < names[b]; });
    }
    for (const std::size_t place : order) all.push_back(root->counters[place]);
  }
  return all;
}

int result_format(const ConfigNode& result) {
  return format_of(result, "a result.json of heddle run", kOldestResultFormat, kResultFormat, true);
}

ConfigNode extents_node(const isa::Dim3& d) {
  ConfigNode node = ConfigNode::make_list();
  for (const std::uint32_t n : {d.x, d.y, d.z}) node.items.push_back(number(n));
  return node;
}

ConfigNode load_waits_node(const compiler::LoadWaits& waits) {
  ConfigNode node = ConfigNode::make_object();
  add(node, "listed", number(waits.listed));
  add(node, "scheduled", number(waits.scheduled));
  add(node, "share", ConfigNode::make_number(waits.share));
  return node;
}

ConfigNode configuration_node(run::RunParameters parameters, const std::string& folder) {
  parameters.launch = relative_to(parameters.launch, folder);
  for (auto* technologies : {&parameters.power.technologies, &parameters.power.stand_back})
    for (std::string& technology : *technologies)
      if (run::is_file_name(technology)) technology = relative_to(technology, folder);
  return run::dump_scenario(std::move(parameters));
}

ConfigNode LaunchEntries::entry(const run::LaunchRecord& record) {
  ConfigNode node = ConfigNode::make_object();
  add(node, "index", number(record.index));
  add(node, "kernel", text(record.kernel));
  add(node, "grid", extents_node(record.grid));
  add(node, "block", extents_node(record.block));
  add(node, "registers", number(record.registers));
  add(node, "shared_bytes", number(record.shared_bytes));
  add(node, "timed", boolean(record.timed));
  add(node, "ctas", number(record.ctas_total));
  if (record.estimate && record.in_full)
    add(node, "estimate", launch_estimate_node(*session_, *record.estimate));
  if (!record.timed) return node;
  add(node, "ctas_timed", number(record.ctas_timed));
  add(node, "ctas_per_sm", number(static_cast<std::uint64_t>(record.ctas_per_sm)));
  if (record.in_full) add(node, "load_waits", load_waits_node(session_->load_waits(*record.program)));
  add(node, "begin_cycle", number(record.begin));
  add(node, "cycles", number(record.cycles));
  if (record.in_full)
    add_counts(node, record);
  else
    add_short(node, record);
  return node;
}

void LaunchEntries::add_counts(ConfigNode& node, const run::LaunchRecord& record) const {
  const CounterView counters(session_->counter_classes(), record.counters);
  power::EnergyReport energy;
  if (session_->energy()) energy = session_->energy()->report(record.counters, record.cycles);
  add(node, "metrics", metrics_node(Metrics(counters, session_->parameters().gpu, record.cycles), energy));
  if (session_->energy()) add(node, "energy", energy_node(energy));
  add(node, "counters", sums_node(counters));
}

void LaunchEntries::add_short(ConfigNode& node, const run::LaunchRecord& record) {
  if (issued_.empty())
    issued_ = CounterView(session_->counter_classes(), record.counters).counters("sm.issue.issued");
  ConfigNode metrics = ConfigNode::make_object();
  const auto issued = static_cast<double>(sum_of(record.counters, issued_));
  add(metrics, "ipc",
      ConfigNode::make_number(record.cycles ? issued / static_cast<double>(record.cycles) : 0));
  if (session_->energy()) {
    const power::EnergyReport energy = session_->energy()->balances(record.counters, record.cycles);
    for (const Metric& metric : energy_metrics(energy))
      if (metric.name == "power_mw" || metric.name == "energy_nj")
        add(metrics, metric.name, ConfigNode::make_number(metric.value));
  }
  add(node, "metrics", std::move(metrics));
}

ConfigNode make_result(run::RunSession& session, const std::string& folder) {
  ConfigNode root = head(session, folder);
  ConfigNode launches = ConfigNode::make_list();
  LaunchEntries entries(session);
  for (const auto& record : session.result().launches) launches.items.push_back(entries.entry(record));
  add(root, "launches", std::move(launches));
  ConfigNode end = tail(session, counters_by_name(session.stats()));
  for (auto& member : end.members) root.members.push_back(std::move(member));
  return root;
}

ResultWriter::ResultWriter(run::RunSession& session, std::string folder, Write write)
    : session_(&session), folder_(std::move(folder)), write_(std::move(write)), entries_(session) {
  write_("{");
  put(head(session, folder_));
  write_(",\n  \"launches\": [");
}

void ResultWriter::launch_ended(const run::LaunchRecord& record) {
  write_(any_launch_ ? ",\n    " : "\n    ");
  write_(to_json_at(entries_.entry(record), 2));
  any_launch_ = true;
}

void ResultWriter::end(const run::OutFolder* folder, const CountersByName& order) {
  write_(any_launch_ ? "\n  ]" : "]");
  ConfigNode rest = tail(*session_, order);
  if (folder) add_files(rest, *folder);
  put(rest);
  write_("\n}\n");
}

void ResultWriter::put(const ConfigNode& members) {
  for (const auto& [key, value] : members.members) {
    write_(fmt::format("{}\n  \"{}\": ", any_member_ ? "," : "", key));
    write_(to_json_at(value, 1));
    any_member_ = true;
  }
}

std::string make_stats_csv(run::RunSession& session, const CountersByName& order) {
  const auto& infos = session.stats().counters();
  const auto& launches = session.result().launches;
  std::string out = "owner,name,unit,description,total";
  for (const auto& record : launches)
    if (record.timed)
      out += "," + csv_field(fmt::format("{}:{}", record.index, ptx::plain_name(record.kernel)));
  out += fmt::format("\n,cycles,cycles,\"cycles of the launches, first cycle to end of last CTA\",{}",
                     total_cycles(session.result()));
  for (const auto& record : launches)
    if (record.timed) out += fmt::format(",{}", record.cycles);
  out += "\n";
  const std::vector<std::uint64_t> total = total_counters(session);
  const auto add_count = [&out](std::uint64_t value) {
    const fmt::format_int digits(value);
    (out += ',').append(digits.data(), digits.size());
  };
  std::unordered_map<const char*, std::string> docs;  // as fields, by the address that all SMs share
  constexpr std::size_t kRowBytes = 128;
  out.reserve(out.size() + order.size() * kRowBytes);
  for (const std::size_t i : order) {
    const CounterInfo& info = infos[i];
    for (const std::string_view field : {info.owner, info.name, info.unit}) (out += field) += ',';
    std::string& doc = docs[info.doc.data()];
    if (doc.empty()) append_csv_field(doc, info.doc);
    out.append(doc);
    add_count(total[i]);
    for (const auto& record : launches)
      if (record.timed) add_count(record.counters[i]);
    out += '\n';
  }
  return out;
}

}  // namespace heddle::output

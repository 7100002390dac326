// Writes a comparison as JSON and CSV.

#include <fmt/format.h>

#include "testbench/comparison/comparison_text.h"
#include "testbench/output/csv_text.h"
#include "testbench/output/run_totals.h"

namespace heddle::comparison {
namespace {

constexpr int kFormat = 1;

ConfigNode text(const std::string& value) { return ConfigNode::make_string(value); }

ConfigNode texts(const std::vector<std::string>& values) {
  ConfigNode node = ConfigNode::make_list();
  for (const std::string& value : values) node.items.push_back(text(value));
  return node;
}

ConfigNode value_node(const std::optional<double>& value, bool whole) {
  if (!value) return {};
  return whole ? ConfigNode::make_integer(static_cast<std::int64_t>(*value))
               : ConfigNode::make_number(*value);
}

ConfigNode values_of(const Row& row) {
  ConfigNode node = ConfigNode::make_list();
  for (const auto& value : row.values) node.items.push_back(value_node(value, row.whole));
  return node;
}

ConfigNode savings_of(const Row& row) {
  ConfigNode node = ConfigNode::make_list();
  for (std::size_t i = 0; i < row.values.size(); ++i) node.items.push_back(value_node(saved(row, i), false));
  return node;
}

ConfigNode run_node(const ComparedRun& run, const std::string& folder) {
  ConfigNode node = ConfigNode::make_object();
  const auto add = [&node](const char* key, ConfigNode value) {
    node.members.emplace_back(key, std::move(value));
  };
  add("name", text(run.name));
  if (!run.file.empty()) add("file", text(output::relative_to(run.file, folder)));
  add("launch", text(run.command.empty() ? output::relative_to(run.launch, folder) : run.command));
  add("techniques", texts(run.techniques));
  std::vector<std::string> account;
  for (const PricedBy& one : run.account) account.push_back(one.name);
  add("technologies", texts(account));
  if (!run.scope.empty()) add("scope", texts(run.scope));
  add("check", text(run.check));
  return node;
}

void add_ratio(ConfigNode& node, const estimate::PairedDifference& paired) {
  const auto add = [&node](const char* key, double value) {
    node.members.emplace_back(key, ConfigNode::make_number(value));
  };
  add("ratio", paired.ratio);
  add("low", paired.ratio * (1 - paired.half));
  add("high", paired.ratio * (1 + paired.half));
}

ConfigNode paired_node(const Runs& runs, std::size_t run) {
  const auto cycles = run == 0 ? std::nullopt : paired_difference(runs, run);
  if (!cycles) return {};
  ConfigNode node = ConfigNode::make_object();
  add_ratio(node, *cycles);
  node.members.emplace_back("places", ConfigNode::make_count(cycles->places));
  const auto energy = same_account(runs, run) ? paired_energy(runs, run) : std::nullopt;
  if (!energy) return node;
  ConfigNode of_energy = ConfigNode::make_object();
  add_ratio(of_energy, *energy);
  node.members.emplace_back("energy", std::move(of_energy));
  return node;
}

void add_csv_row(std::string& out, const std::string& name, const ConfigNode& values) {
  out += output::csv_field(name);
  for (const ConfigNode& value : values.items) {
    std::string cell = value.kind == ConfigNode::Kind::null ? "-"
                       : value.is_string()                  ? output::csv_field(value.text)
                       : value.is_integer                   ? std::to_string(value.integer)
                                                            : fmt::format("{}", value.number);
    out += "," + cell;
  }
  out += "\n";
}

}  // namespace

ConfigNode comparison_json(const Runs& runs, const std::string& folder) {
  ConfigNode root = ConfigNode::make_object();
  const auto add = [&root](const char* key, ConfigNode value) {
    root.members.emplace_back(key, std::move(value));
  };
  add("format", ConfigNode::make_integer(kFormat));
  add("heddle", text(HEDDLE_VERSION));
  ConfigNode variants = ConfigNode::make_list();
  for (const ComparedRun& run : runs) variants.items.push_back(run_node(run, folder));
  add("variants", std::move(variants));
  add("against", text(runs[0].name));
  ConfigNode paired = ConfigNode::make_list();
  bool any = false;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    paired.items.push_back(paired_node(runs, i));
    any = any || paired.items.back().is_object();
  }
  if (any) add("paired", std::move(paired));
  add("remarks", texts(remarks(runs)));
  ConfigNode parameters = ConfigNode::make_object();
  for (const run::ParameterDifference& one : differing_parameters(runs))
    parameters.members.emplace_back(one.path, texts(one.values));
  add("parameters", std::move(parameters));
  ConfigNode metrics = ConfigNode::make_object();
  for (const Row& row : measures(runs)) metrics.members.emplace_back(row.name, values_of(row));
  add("metrics", std::move(metrics));
  ConfigNode energy = ConfigNode::make_object();
  for (const EnergyRow& row : energies(runs)) {
    ConfigNode one = ConfigNode::make_object();
    one.members = {{"dynamic_nj", values_of(row.dynamic)},
                   {"leakage_nj", values_of(row.leakage)},
                   {"overhead_nj", values_of(row.overhead)},
                   {"total_nj", values_of(row.total)},
                   {"saved", savings_of(row.total)}};
    energy.members.emplace_back(row.name(), std::move(one));
  }
  add("energy", std::move(energy));
  ConfigNode signs = ConfigNode::make_list();
  for (std::size_t i = 0; i < runs.size(); ++i) signs.items.push_back(texts(sign_depends_on(runs, i)));
  add("sign_depends_on", std::move(signs));
  return root;
}

std::string comparison_csv(const Runs& runs) {
  std::vector<std::string> names, checks;
  for (const ComparedRun& run : runs) {
    names.push_back(run.name);
    checks.push_back(run.check);
  }
  std::string out;
  add_csv_row(out, "variant", texts(names));
  for (const Row& row : measures(runs)) {
    add_csv_row(out, row.name, values_of(row));
    if (row.name == "speed-up") add_csv_row(out, "check", texts(checks));
  }
  const auto named = [](const std::string& what, const EnergyRow& row) {
    return row.name() == "total" ? what : what + "." + row.name();
  };
  const std::vector<EnergyRow> rows = energies(runs);
  for (const EnergyRow& row : rows) add_csv_row(out, named("energy_nj", row), values_of(row.total));
  for (const EnergyRow& row : rows) add_csv_row(out, named("saved", row), savings_of(row.total));
  return out;
}

}  // namespace heddle::comparison

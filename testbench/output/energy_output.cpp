#include "testbench/output/energy_output.h"

#include <fmt/format.h>

#include <cmath>

#include "models/ptx/kernel_name.h"
#include "power/energy_units.h"
#include "testbench/output/csv_text.h"
#include "testbench/output/run_totals.h"

namespace heddle::output {
namespace {

using power::EnergyBalance;
using power::EnergyParts;
using power::EnergyReport;
using power::Kind;
using power::kPicojoulesOfNanojoule;

void add(ConfigNode& object, std::string key, double value) {
  object.members.emplace_back(std::move(key), ConfigNode::make_number(value));
}

ConfigNode parts_node(const EnergyParts& parts) {
  ConfigNode node = ConfigNode::make_object();
  for (const Kind kind : {Kind::dynamic, Kind::leakage, Kind::overhead})
    add(node, fmt::format("{}_nj", name_of(kind)), parts[kind] / kPicojoulesOfNanojoule);
  add(node, "total_nj", parts.total() / kPicojoulesOfNanojoule);
  return node;
}

ConfigNode balance_node(const EnergyBalance& energy) {
  ConfigNode node = parts_node(energy.spent);
  node.members.emplace_back("baseline", parts_node(energy.baseline));
  add(node, "saved", energy.saved());
  add(node, "dynamic_saved", energy.dynamic_saved());
  add(node, "static_saved", energy.static_saved());
  return node;
}

std::string energy_text(double pj) {
  const char* units[] = {"pJ", "nJ", "uJ", "mJ", "J"};
  std::size_t unit = 0;
  while (std::abs(pj) >= 1000 && unit + 1 < std::size(units)) {
    pj /= 1000;
    ++unit;
  }
  return fmt::format("{:.3g} {}", pj, units[unit]);
}

bool shows(double share) { return std::abs(share) >= 0.00005; }

// Returns text with the parts of an energy (dynamic, leakage, overhead) that are not zero.
std::string parts_text(const EnergyParts& parts) {
  std::string out;
  for (const Kind kind : {Kind::dynamic, Kind::leakage, Kind::overhead})
    if (parts[kind] != 0)
      out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name_of(kind), energy_text(parts[kind]));
  return out.empty() ? "nothing" : out;
}

std::string side_text(double below) {
  return fmt::format("{:.1f} % {}", 100 * std::abs(below), below < 0 ? "above" : "below");
}

// Returns text with an energy and its baseline. The baseline is the energy of this run's accesses and cycles
// at the prices of a machine without techniques. The difference between energy and baseline is no saving; a
// saving needs a second run, without the technique.
std::string balance_text(const EnergyBalance& energy) {
  std::string out = fmt::format("{:>8} ({})", energy_text(energy.spent.total()), parts_text(energy.spent));
  if (shows(energy.saved()))
    out +=
        fmt::format("; {} plain prices, {}", side_text(energy.saved()), energy_text(energy.baseline.total()));
  if (shows(energy.static_saved())) out += fmt::format("; leakage {}", side_text(energy.static_saved()));
  return out;
}

std::string left_out_text(const power::NotPriced& not_priced) {
  std::vector<std::string> parts = not_priced.dynamic;
  parts.push_back(not_priced.still.empty() ? std::string("static power of the rest")
                                           : fmt::format("leakage of {}; static power of the rest",
                                                         fmt::join(not_priced.still, ", ")));
  return fmt::format("    {:<15} {}\n", "left out", fmt::join(parts, ", "));
}

}  // namespace

EnergyReport total_energy(run::RunSession& session) {
  if (!session.energy()) return {};
  return session.energy()->report(total_counters(session), total_cycles(session.result()));
}

ConfigNode energy_node(const EnergyReport& report) {
  ConfigNode node = ConfigNode::make_object();
  add(node, "power_mw", report.milliwatts(report.total.spent.total()));
  add(node, "baseline_power_mw", report.milliwatts(report.total.baseline.total()));
  node.members.emplace_back("total", balance_node(report.total));
  ConfigNode groups = ConfigNode::make_object();
  for (const power::NamedBalance& group : report.groups)
    groups.members.emplace_back(group.name, balance_node(group.energy));
  node.members.emplace_back("groups", std::move(groups));
  ConfigNode structures = ConfigNode::make_object();
  for (const power::StructureReport& structure : report.structures) {
    ConfigNode one = balance_node(structure.energy);
    ConfigNode units = ConfigNode::make_object();
    for (const power::NamedBalance& unit : structure.units)
      if (!unit.name.empty()) units.members.emplace_back(unit.name, balance_node(unit.energy));
    one.members.emplace_back("units", std::move(units));
    structures.members.emplace_back(structure.name, std::move(one));
  }
  node.members.emplace_back("structures", std::move(structures));
  ConfigNode shares = ConfigNode::make_object();
  for (const power::ShareReport& share : report.shares) add(shares, share.share->name, share.saved);
  node.members.emplace_back("shares", std::move(shares));
  return node;
}

ConfigNode technologies_node(const power::EnergyAccount& account, const std::string& folder) {
  ConfigNode list = ConfigNode::make_list();
  for (const power::Technology& technology : account.technologies()) {
    ConfigNode node = ConfigNode::make_object();
    node.members.emplace_back("name", ConfigNode::make_string(technology.name));
    node.members.emplace_back("description", ConfigNode::make_string(technology.description));
    node.members.emplace_back("file", ConfigNode::make_string(relative_to(technology.file, folder)));
    if (technology.node_nm > 0) add(node, "node_nm", technology.node_nm);
    if (technology.what_if) node.members.emplace_back("what-if", ConfigNode::make_boolean(true));
    ConfigNode left_out = ConfigNode::make_list();
    for (const auto& entry : account.left_out())
      if (entry.technology == technology.name)
        left_out.items.push_back(ConfigNode::make_string(
            entry.entry.empty() ? fmt::format("replaced by {}", entry.priced_by)
                                : fmt::format("{}: priced by {}", entry.entry, entry.priced_by)));
    if (!left_out.items.empty()) node.members.emplace_back("left_out", std::move(left_out));
    ConfigNode shares = ConfigNode::make_object();
    for (const power::Share& share : technology.shares)
      shares.members.emplace_back(share.name, ConfigNode::make_string(share.doc));
    node.members.emplace_back("shares", std::move(shares));
    list.items.push_back(std::move(node));
  }
  return list;
}

ConfigNode not_priced_node(const power::NotPriced& not_priced) {
  ConfigNode node = ConfigNode::make_object();
  node.members.emplace_back("events", ConfigNode::make_texts(not_priced.dynamic));
  node.members.emplace_back("leakage", ConfigNode::make_texts(not_priced.still));
  return node;
}

std::string scope_text(const std::vector<std::string>& scope) {
  std::string text;
  for (std::size_t i = 0; i < scope.size(); ++i)
    text += (i == 0 ? "" : i + 1 == scope.size() ? " and " : ", ") + scope[i];
  return text;
}

std::vector<Metric> energy_metrics(const EnergyReport& report) {
  std::vector<Metric> metrics;
  const auto add_metrics = [&](const std::string& suffix, const EnergyBalance& energy) {
    metrics.push_back({"energy_nj" + suffix, energy.spent.total() / kPicojoulesOfNanojoule});
    if (energy.baseline.total() != 0) metrics.push_back({"energy_saved" + suffix, energy.saved()});
    if (energy.baseline.still() != 0) metrics.push_back({"static_saved" + suffix, energy.static_saved()});
  };
  if (report.structures.empty()) return metrics;
  metrics.push_back({"power_mw", report.milliwatts(report.total.spent.total())});
  add_metrics("", report.total);
  for (const power::NamedBalance& group : report.groups) add_metrics("." + group.name, group.energy);
  for (const power::StructureReport& structure : report.structures)
    add_metrics("." + structure.name, structure.energy);
  return metrics;
}

bool is_energy_metric(const std::string& name) {
  return name == "power_mw" || name.starts_with("energy_nj") || name.starts_with("energy_saved") ||
         name.starts_with("static_saved");
}

std::string energy_csv_heading() {
  return "launch,technology,structure,entry,kind,events,pj_each,energy_nj,baseline_nj\n";
}

std::string energy_csv_rows(const std::string& launch, const EnergyReport& report) {
  std::string out;
  for (const power::EntryReport& row : report.entries)
    out += fmt::format("{},{},{},{},{},{},{},{},{}\n", launch, csv_field(row.technology),
                       csv_field(row.entry->structure), csv_field(row.entry->name), name_of(row.entry->kind),
                       row.events, row.pj_each, row.spent_pj / kPicojoulesOfNanojoule,
                       row.baseline_pj / kPicojoulesOfNanojoule);
  return out;
}

std::string make_energy_csv(run::RunSession& session) {
  std::string out = energy_csv_heading() + energy_csv_rows("total", total_energy(session));
  for (const run::LaunchRecord& record : session.result().launches)
    if (record.timed)
      out += energy_csv_rows(csv_field(fmt::format("{}:{}", record.index, ptx::plain_name(record.kernel))),
                             session.energy()->report(record.counters, record.cycles));
  return out;
}

std::string energy_summary(const EnergyReport& report) {
  if (report.structures.empty()) return {};
  const auto shown = [](const EnergyBalance& energy) {
    return energy.spent.total() != 0 || energy.baseline.total() != 0;
  };
  std::string out = fmt::format("  {:<15} {}; {:#.3g} W\n", "energy", balance_text(report.total),
                                report.milliwatts(report.total.spent.total()) / 1000);
  out += fmt::format("    {:<15} {}\n", "scope", scope_text(report.scope));
  for (const power::NamedBalance& group : report.groups) {
    if (!shown(group.energy)) continue;
    out += fmt::format("    {:<15} {}\n", group.name, balance_text(group.energy));
    const std::string prefix = group.name + ".";
    for (const power::StructureReport& structure : report.structures)
      if (structure.name.starts_with(prefix) && shown(structure.energy))
        out += fmt::format("      {:<15} {}\n", structure.name.substr(prefix.size()),
                           balance_text(structure.energy));
  }
  if (!report.mixed_nodes.empty()) {
    std::string nodes;
    for (const auto& [name, nm] : report.mixed_nodes)
      nodes +=
          fmt::format("{}{}{}", nodes.empty() ? "" : ", ", name, nm > 0 ? fmt::format(" {} nm", nm) : "");
    out += fmt::format("    {:<15} {}: not on one scale\n", "nodes", nodes);
  }
  if (!report.what_if.empty())
    out += fmt::format("    {:<15} {}: no hardware, a limit study\n", "what if",
                       fmt::join(report.what_if, ", "));
  out += left_out_text(report.not_priced);
  for (const power::ShareReport& share : report.shares)
    if (shows(share.saved))
      out += fmt::format("    {:<15} {:.2f} % {}, {} plain prices\n", "of a whole",
                         100 * std::abs(share.saved), share.share->doc, share.saved < 0 ? "above" : "below");
  if (shows(report.total.saved()) || shows(report.total.static_saved()))
    out += fmt::format(
        "    {:<15} what the plain machine pays for the same accesses and cycles; to see what is saved, "
        "compare with a run without techniques: --against plain\n",
        "plain prices");
  return out;
}

}  // namespace heddle::output

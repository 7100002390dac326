#include "testbench/comparison/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "testbench/output/energy_output.h"

namespace heddle::comparison {
namespace {

std::optional<double> number(const ConfigNode* node) {
  if (!node || !node->is_number()) return std::nullopt;
  return node->number;
}

bool is_of_energy(const std::string& metric) {
  for (const char* name : {"energy_nj", "energy_saved", "static_saved"})
    if (metric == name || metric.starts_with(std::string(name) + ".")) return true;
  return false;
}

void add_new(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

const ConfigNode* energy_of(const ComparedRun& run, const std::string& name) {
  if (!run.energy.is_object()) return nullptr;
  if (name == "total") return run.energy.find("total");
  const ConfigNode* list = run.energy.find(name.find('.') == std::string::npos ? "groups" : "structures");
  return list ? list->find(name) : nullptr;
}

std::string change_text(double share, const char* fewer, const std::string& what) {
  const std::string percent = fmt::format("{:.1f} %", std::abs(100 * share));
  if (percent == "0.0 %") return "the same " + what;
  return fmt::format("{} {} {}", percent, share < 0 ? "more" : fewer, what);
}

std::string paired_text(const estimate::PairedDifference& paired) {
  return fmt::format("+-{:.1f} %", 100 * paired.half * paired.ratio);
}

std::string paired_text(const Runs& runs, std::size_t i) {
  const auto paired = paired_difference(runs, i);
  if (!paired) return {};
  return fmt::format(
      " ({}, {}{})", paired_text(*paired),
      paired->places ? fmt::format("from {} places that both timed", paired->places)
                     : "because they timed other places",
      estimate::is_well_known(*paired) ? "" : "; not accurate to one point: increase estimate.paired_share");
}

std::string paired_energy_text(const Runs& runs, std::size_t i) {
  if (!same_account(runs, i)) return " (of another account)";
  const auto paired = paired_energy(runs, i);
  return paired ? " (" + paired_text(*paired) + ")" : "";
}

// Returns a text that names the structures which an energy includes, such as "energy of SM, L1, L2 and DRAM".
std::string energy_of(const std::vector<std::string>& scope) {
  return scope.empty() ? "energy" : "energy of " + output::scope_text(scope);
}

std::string names_of(const std::vector<PricedBy>& account) {
  std::vector<std::string> names;
  for (const PricedBy& one : account) names.push_back(one.name);
  return names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::optional<double> saved(const Row& row, std::size_t run) {
  if (!row.values[0] || !row.values[run] || *row.values[0] == 0) return std::nullopt;
  return 1 - *row.values[run] / *row.values[0];
}

std::vector<Row> measures(const Runs& runs) {
  std::vector<Row> rows = {{"cycles", {}, true}, {"speed-up", {}, false}};
  std::vector<std::string> names;
  for (const ComparedRun& run : runs) {
    rows[0].values.emplace_back(static_cast<double>(run.cycles));
    rows[1].values.push_back(run.cycles == 0
                                 ? std::optional<double>()
                                 : static_cast<double>(runs[0].cycles) / static_cast<double>(run.cycles));
    // Collect the names of metrics over all runs, because some configurations have kinds of units that others
    // lack.
    for (const auto& [name, value] : run.metrics.members)
      if (!is_of_energy(name)) add_new(names, name);
  }
  for (const std::string& name : names) {
    Row row{name, {}, true};
    for (const ComparedRun& run : runs) {
      const ConfigNode* value = run.metrics.find(name);
      row.whole = row.whole && (!value || value->is_integer);
      row.values.push_back(number(value));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<EnergyRow> energies(const Runs& runs) {
  std::vector<std::string> groups, names;
  for (const ComparedRun& run : runs)
    if (run.energy.is_object())
      for (const auto& [name, energy] : run.energy.find("groups")->members) add_new(groups, name);
  if (std::none_of(runs.begin(), runs.end(), [](const ComparedRun& run) { return run.energy.is_object(); }))
    return {};
  names.push_back("total");
  for (const std::string& group : groups) {
    names.push_back(group);
    for (const ComparedRun& run : runs)
      if (run.energy.is_object())
        for (const auto& [name, energy] : run.energy.find("structures")->members)
          if (name.starts_with(group + ".")) add_new(names, name);
  }
  std::vector<EnergyRow> rows;
  for (const std::string& name : names) {
    EnergyRow row;
    const std::pair<Row*, const char*> parts[] = {{&row.total, "total_nj"},
                                                  {&row.dynamic, "dynamic_nj"},
                                                  {&row.leakage, "leakage_nj"},
                                                  {&row.overhead, "overhead_nj"}};
    for (const auto& [one, key] : parts) {
      one->name = name;
      for (const ComparedRun& run : runs) {
        const ConfigNode* energy = energy_of(run, name);
        one->values.push_back(energy ? number(energy->find(key)) : std::nullopt);
      }
    }
    const auto spends = [](const std::optional<double>& value) { return value && *value != 0; };
    if (std::any_of(row.total.values.begin(), row.total.values.end(), spends)) rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<run::ParameterDifference> differing_parameters(const Runs& runs) {
  std::vector<const ConfigNode*> configurations;
  for (const ComparedRun& run : runs) configurations.push_back(&run.configuration);
  return run::differences(configurations);
}

bool same_account(const Runs& runs, std::size_t run) {
  return runs[run].account == runs[0].account && runs[run].extended == runs[0].extended;
}

std::vector<std::string> remarks(const Runs& runs) {
  std::vector<std::string> out;
  for (const ComparedRun& run : runs) out.insert(out.end(), run.notes.begin(), run.notes.end());
  const ComparedRun& first = runs[0];
  for (std::size_t i = 1; i < runs.size(); ++i) {
    const ComparedRun& run = runs[i];
    if (run.runs() != first.runs() && run.program != first.program)
      out.push_back(fmt::format("{} runs {}, not {}", run.name, run.runs(), first.runs()));
    else if (run.program != first.program)
      out.push_back(
          fmt::format("{} runs other contents of {} or of files that it names", run.name, run.runs()));
    if (run.version != first.version)
      out.push_back(fmt::format("{} was made by Heddle {}, {} by {}", run.name, run.version, first.name,
                                first.version));
    if (same_account(runs, i)) continue;
    if (names_of(run.account) == names_of(first.account))
      out.push_back(fmt::format(
          "the energies of {} are of another account than those of {}: other contents or ranks of {}",
          run.name, first.name, names_of(run.account)));
    else
      out.push_back(
          fmt::format("the energies of {} are of another account than those of {}: priced by {}, not by {} "
                      "(--set power.technologies=[...] prices both alike)",
                      run.name, first.name, names_of(run.account), names_of(first.account)));
  }
  return out;
}

std::vector<std::string> conclusions(const Runs& runs) {
  std::vector<std::string> out;
  const std::vector<Row> measured = measures(runs);
  const std::vector<EnergyRow> spent = energies(runs);
  for (std::size_t i = 1; i < runs.size(); ++i) {
    std::string text = fmt::format("{} against {}:", runs[i].name, runs[0].name);
    const std::optional<double> cycles = saved(measured[0], i);
    if (cycles) text += " " + change_text(*cycles, "fewer", "cycles") + paired_text(runs, i);
    const std::optional<double> energy = spent.empty() ? std::nullopt : saved(spent[0].total, i);
    if (energy)
      text +=
          fmt::format("{} {}{}", cycles ? "," : "", change_text(*energy, "less", energy_of(runs[i].scope)),
                      paired_energy_text(runs, i));
    out.push_back(std::move(text));
  }
  return out;
}

std::optional<estimate::PairedDifference> paired_difference(const Runs& runs, std::size_t run) {
  if (runs[0].paired.places.empty() || runs[run].paired.places.empty()) return std::nullopt;
  return estimate::paired_difference(runs[0].paired, runs[run].paired);
}

std::optional<estimate::PairedDifference> paired_energy(const Runs& runs, std::size_t run) {
  if (!paired_difference(runs, run)) return std::nullopt;
  return estimate::paired_energy(runs[0].paired, runs[run].paired);
}

bool all_equal(const Runs& runs) {
  return std::none_of(runs.begin(), runs.end(), [](const ComparedRun& run) {
    return run.check == "DIFFERENT" || run.check == "FINDINGS";
  });
}

}  // namespace heddle::comparison

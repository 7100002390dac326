#include "testbench/comparison/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "models/core/error.h"
#include "testbench/output/result_file.h"

namespace heddle::comparison {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAllowed = "a result.json of heddle run";

const ConfigNode& part(const ConfigNode& object, const char* key, ConfigNode::Kind kind,
                       const std::string& where) {
  const ConfigNode* member = object.find(key);
  if (!member) throw Error(where, fmt::format("no \"{}\"", key), kAllowed);
  if (member->kind != kind) throw Error(where, fmt::format("\"{}\" is of another kind", key), kAllowed);
  return *member;
}

const std::string& text_of(const ConfigNode& object, const char* key, const std::string& where) {
  return part(object, key, ConfigNode::Kind::string, where).text;
}

std::string check_text(const ConfigNode& check, const std::string& where) {
  if (!part(check, "checked", ConfigNode::Kind::boolean, where).boolean) return "unchecked";
  return part(check, "equal", ConfigNode::Kind::boolean, where).boolean ? "equal" : "DIFFERENT";
}

std::string placed(const std::string& folder, const std::string& file) {
  return (fs::path(folder) / file).lexically_normal().string();
}

void read_inputs(ComparedRun& run, const ConfigNode& result, const std::string& folder,
                 const std::string& where) {
  std::set<std::string> tables;
  if (const ConfigNode* technologies = result.find("technologies"))
    for (const ConfigNode& technology : technologies->items) {
      run.account.push_back({text_of(technology, "name", where), "", false});
      const std::string file = placed(folder, text_of(technology, "file", where));
      tables.insert(file);
      for (const ConfigNode& input : part(result, "inputs", ConfigNode::Kind::array, where).items)
        if (placed(folder, text_of(input, "file", where)) == file)
          run.account.back().hash = text_of(input, "fnv1a64", where);
      const ConfigNode* power = run.configuration.find("power");
      if (const ConfigNode* behind = power ? power->find("stand_back") : nullptr)
        for (const ConfigNode& name : behind->items)
          run.account.back().stands_back |= fs::path(name.text).stem() == fs::path(file).stem();
    }
  std::sort(run.account.begin(), run.account.end(),
            [](const PricedBy& a, const PricedBy& b) { return a.name < b.name; });
  const fs::path tables_of_heddle = "configs/technology";
  std::vector<std::string> program, extended;
  for (const ConfigNode& input : part(result, "inputs", ConfigNode::Kind::array, where).items) {
    const std::string file = placed(folder, text_of(input, "file", where));
    if (tables.contains(file)) continue;
    const bool table = fs::path(file).parent_path().string().ends_with(tables_of_heddle.string());
    (table ? extended : program)
        .push_back(fs::path(file).filename().string() + ":" + text_of(input, "fnv1a64", where));
  }
  std::sort(extended.begin(), extended.end());
  const ConfigNode* power = run.configuration.find("power");
  if (const ConfigNode* corners = power ? power->find("corners") : nullptr)
    for (const ConfigNode& corner : corners->items) extended.push_back(corner.text);
  run.extended = fmt::format("{}", fmt::join(extended, " "));
  std::sort(program.begin(), program.end());
  run.program = fmt::format("{}", fmt::join(program, " "));
}

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

/// The energy of a structure, a group or the total of one run; nullptr if it has none.
const ConfigNode* energy_of(const ComparedRun& run, const std::string& name) {
  if (!run.energy.is_object()) return nullptr;
  if (name == "total") return run.energy.find("total");
  const ConfigNode* list = run.energy.find(name.find('.') == std::string::npos ? "groups" : "structures");
  return list ? list->find(name) : nullptr;
}

// "2.3 % more cycles", of the share that is saved.
std::string change_text(double share, const char* fewer, const std::string& what) {
  const std::string percent = fmt::format("{:.1f} %", std::abs(100 * share));
  if (percent == "0.0 %") return "the same " + what;
  return fmt::format("{} {} {}", percent, share < 0 ? "more" : fewer, what);
}

run::PairedRun paired_run(const ConfigNode& estimate, const std::string& where) {
  const ConfigNode* places = estimate.find("paired");
  if (!places) return {};
  using Kind = ConfigNode::Kind;
  const ConfigNode& cycles = part(estimate, "cycles", Kind::object, where);
  run::PairedRun run;
  run.cycles = part(cycles, "value", Kind::number, where).number;
  run.half = part(cycles, "high", Kind::number, where).number / run.cycles - 1;
  for (const ConfigNode& place : places->items) {
    const auto count = [&](const char* key) {
      return static_cast<std::uint64_t>(part(place, key, Kind::number, where).integer);
    };
    run.places.push_back({static_cast<std::uint32_t>(count("launch")), count("first_cta"), count("ctas"),
                          count("cycles"), count("instructions"),
                          part(place, "stands_for", Kind::number, where).number});
  }
  return run;
}

std::string paired_text(const Runs& runs, std::size_t i) {
  const auto paired = paired_difference(runs, i);
  if (!paired) return {};
  return fmt::format(
      " (+-{:.1f} %, {}{})", 100 * paired->half * paired->ratio,
      paired->places ? fmt::format("from {} places that both timed", paired->places)
                     : "for they timed other places",
      run::is_well_known(*paired) ? "" : "; not known to a point: a larger estimate.paired_share says more");
}

std::string names_of(const std::vector<PricedBy>& account) {
  std::vector<std::string> names;
  for (const PricedBy& one : account) names.push_back(one.name);
  return names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

bool is_result(const ConfigNode& tree) { return tree.is_object() && tree.find("configuration"); }

ComparedRun compared_run(const std::string& name, const ConfigNode& result, const std::string& folder,
                         const std::string& where) {
  using Kind = ConfigNode::Kind;
  if (!result.is_object()) throw Error(where, "not a result", kAllowed);
  output::result_format(result);
  ComparedRun run;
  run.name = name;
  run.configuration = part(result, "configuration", Kind::object, where);
  if (part(result, "interrupted", Kind::boolean, where).boolean)
    throw Error(where, "this run was ended early; there is nothing to compare with");
  run.launch = placed(folder, text_of(run.configuration, "launch", where));
  run.version = text_of(result, "heddle", where);
  run.check = check_text(part(result, "check", Kind::object, where), where);
  // What a run estimates of the whole, not what its timed part counted.
  const ConfigNode& counted = part(result, "total", Kind::object, where);
  const bool estimates = counted.find("estimate") != nullptr;
  const ConfigNode& total = estimates ? part(counted, "estimate", Kind::object, where) : counted;
  const ConfigNode& cycles =
      estimates ? part(part(total, "cycles", Kind::object, where), "value", Kind::number, where)
                : part(total, "cycles", Kind::number, where);
  run.cycles = static_cast<std::uint64_t>(cycles.integer);
  if (estimates) {
    run.name += " (estimated)";
    run.paired = paired_run(total, where);
  }
  run.metrics = part(total, "metrics", Kind::object, where);
  if (total.find("energy")) {
    run.energy = part(total, "energy", Kind::object, where);
    for (const char* key : {"total", "groups", "structures"}) part(run.energy, key, Kind::object, where);
  }
  if (result.find("techniques"))
    for (const ConfigNode& technique : part(result, "techniques", Kind::array, where).items)
      run.techniques.push_back(technique.text);
  read_inputs(run, result, folder, where);
  return run;
}

ComparedRun read_compared_run(const std::string& file) {
  ComparedRun run = compared_run(file, parse_config_file(file), fs::path(file).parent_path().string(), file);
  run.file = file;
  return run;
}

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
    // Kinds of units differ between configurations.
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
  if (groups.empty()) return {};
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
  std::vector<ConfigNode> configurations;
  for (const ComparedRun& run : runs) configurations.push_back(run.configuration);
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
    if (run.launch != first.launch && run.program != first.program)
      out.push_back(fmt::format("{} runs {}, not {}", run.name, run.launch, first.launch));
    else if (run.program != first.program)
      out.push_back(fmt::format("{} runs other contents of {} or of what it names", run.name, run.launch));
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
                      "(--set power.technologies=[...] prices all alike)",
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
      text += fmt::format("{} {}{}", cycles ? "," : "", change_text(*energy, "less", "energy"),
                          same_account(runs, i) ? "" : " (of another account)");
    out.push_back(std::move(text));
  }
  return out;
}

std::optional<run::PairedDifference> paired_difference(const Runs& runs, std::size_t run) {
  if (runs[0].paired.places.empty() || runs[run].paired.places.empty()) return std::nullopt;
  return run::paired_difference(runs[0].paired, runs[run].paired);
}

bool all_equal(const Runs& runs) {
  return std::none_of(runs.begin(), runs.end(),
                      [](const ComparedRun& run) { return run.check == "DIFFERENT"; });
}

}  // namespace heddle::comparison

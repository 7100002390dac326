// Reads the parts of a result.json or program.json that a comparison uses.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "models/core/error.h"
#include "power/energy_units.h"
#include "testbench/comparison/comparison.h"
#include "testbench/output/paired_node.h"
#include "testbench/output/result_file.h"
#include "testbench/run/energy_setup.h"

namespace heddle::comparison {
namespace {

namespace fs = std::filesystem;
using Kind = ConfigNode::Kind;
using power::kPicojoulesOfNanojoule;

constexpr const char* kAllowed = "a result.json of heddle run, or a program.json of heddle exec";

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
  if (const ConfigNode* findings = check.find("findings"); findings && findings->integer != 0)
    return "FINDINGS";
  if (!part(check, "checked", ConfigNode::Kind::boolean, where).boolean) return "unchecked";
  return part(check, "equal", ConfigNode::Kind::boolean, where).boolean ? "equal" : "DIFFERENT";
}

std::string placed(const std::string& folder, const std::string& file) {
  return (fs::path(folder) / file).lexically_normal().string();
}

// Returns true if the technology table `file` was formerly called `name`.
bool is_alias_of(const std::string& name, const std::string& file) {
  const fs::path former = fs::path("configs/technology") / (name + ".json");
  return fs::path(run::present_technology(former.string())).filename() == fs::path(file).filename();
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
          run.account.back().stands_back |=
              fs::path(name.text).stem() == fs::path(file).stem() || is_alias_of(name.text, file);
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

double number_of(const ConfigNode& object, const char* key, const std::string& where) {
  return part(object, key, Kind::number, where).number;
}

// Reads the measured CTA windows of an estimate that was made with estimate.paired_share. Energies in a
// result.json are in nJ, in a program.json in pJ.
estimate::PairedRun paired_run(const ConfigNode& estimate, const std::string& where) {
  const ConfigNode* places = estimate.find("paired");
  if (!places) return {};
  const auto known = [&](const ConfigNode& interval, double& value, double& half) {
    value = number_of(interval, "value", where);
    half = value > 0 ? number_of(interval, "high", where) / value - 1 : 0;
  };
  estimate::PairedRun run;
  known(part(estimate, "cycles", Kind::object, where), run.cycles, run.half);
  for (const auto& [key, unit] : {std::pair{"energy_nj", 1.0}, {"energy_pj", kPicojoulesOfNanojoule}}) {
    if (!estimate.find(key)) continue;
    known(part(estimate, key, Kind::object, where), run.energy_nj, run.energy_half);
    run.energy_nj /= unit;
  }
  run.places = output::paired_of(*places);
  return run;
}

void read_techniques(ComparedRun& run, const ConfigNode& result, const std::string& where) {
  if (!result.find("techniques")) return;
  for (const ConfigNode& technique : part(result, "techniques", Kind::array, where).items)
    run.techniques.push_back(technique.text);
}

void read_scope(ComparedRun& run, const ConfigNode& node) {
  if (const ConfigNode* scope = node.find("scope"))
    for (const ConfigNode& one : scope->items) run.scope.push_back(one.text);
}

// Reads the totals of a program's launches. If a process of the program has stored no counters, for example
// because it crashed, the totals have no energies by structure.
void read_program_total(ComparedRun& run, const ConfigNode& total, const std::string& where) {
  const auto launches = number_of(total, "launches", where), timed = number_of(total, "timed", where),
             checked = number_of(total, "checked", where), different = number_of(total, "different", where);
  if (timed == 0) throw Error(where, "no launch of this program was timed", "heddle exec --gpu PRESET");
  for (const char* const key : {"failed", "not_run"})
    if (total.find(key))
      run.notes.push_back(fmt::format("{}: {:.0f} of {:.0f} launches {}", run.name,
                                      number_of(total, key, where), launches,
                                      key == std::string_view("failed") ? "failed" : "were not run"));
  if (timed < launches)
    run.notes.push_back(fmt::format("{} timed {:.0f} of its {:.0f} launches", run.name, timed, launches));
  const auto any = [&](const char* key) { return total.find(key) && number_of(total, key, where) > 0; };
  run.check = different > 0     ? "DIFFERENT"
              : any("findings") ? "FINDINGS"
              : any("failed")   ? "FAILED"
              : checked < timed ? "unchecked"
                                : "equal";
  run.cycles = static_cast<std::uint64_t>(std::llround(number_of(total, "cycles", where)));
  run.metrics = ConfigNode::make_object();
  const auto add = [](ConfigNode& node, const char* key, double value) {
    node.members.emplace_back(key, ConfigNode::make_number(value));
  };
  add(run.metrics, "launches", launches);
  const double instructions = number_of(total, "instructions", where);
  add(run.metrics, "instructions", instructions);
  if (timed == launches && run.cycles)
    add(run.metrics, "ipc", instructions / static_cast<double>(run.cycles));
  if (total.find("energy")) {
    run.energy = part(total, "energy", Kind::object, where);
    for (const char* key : {"total", "groups", "structures"}) part(run.energy, key, Kind::object, where);
    read_scope(run, total);
    if (total.find("counted")) {
      run.counted = part(total, "counted", Kind::object, where);
      part(run.counted, "counters", Kind::object, where);
      part(run.counted, "cycles", Kind::number, where);
    }
    return;
  }
  if (!total.find("energy_pj")) return;
  ConfigNode energy = ConfigNode::make_object();
  add(energy, "total_nj", number_of(total, "energy_pj", where) / kPicojoulesOfNanojoule);
  add(energy, "dynamic_nj", number_of(total, "dynamic_pj", where) / kPicojoulesOfNanojoule);
  run.energy = ConfigNode::make_object();
  run.energy.members = {{"total", std::move(energy)},
                        {"groups", ConfigNode::make_object()},
                        {"structures", ConfigNode::make_object()}};
}

bool is_program(const ConfigNode& tree) {
  return tree.is_object() && tree.find("command") && tree.find("kernels");
}

ComparedRun compared_program(const std::string& name, const ConfigNode& result, const std::string& folder,
                             const std::string& where) {
  ComparedRun run;
  run.name = name;
  const ConfigNode& end = part(result, "end", Kind::object, where);
  if (part(end, "interrupted", Kind::boolean, where).boolean)
    throw Error(where, "this program was ended early; there is nothing to compare with");
  for (const ConfigNode& word : part(result, "command", Kind::array, where).items)
    run.command += (run.command.empty() ? "" : " ") + word.text;
  const ConfigNode& total = part(result, "total", Kind::object, where);
  if (const ConfigNode* estimate = total.find("estimate")) {
    run.name += " (estimated)";
    run.paired = paired_run(*estimate, where);
  }
  read_program_total(run, total, where);
  run.version = text_of(result, "heddle", where);
  run.configuration = part(result, "configuration", Kind::object, where);
  run.folder = folder;
  read_techniques(run, result, where);
  read_inputs(run, result, folder, where);
  run.program += " " + run.command.substr(std::min(run.command.find(' '), run.command.size()));
  return run;
}

}  // namespace

bool is_result(const ConfigNode& tree) {
  return tree.is_object() && (tree.find("configuration") || is_program(tree));
}

ComparedRun compared_run(const std::string& name, const ConfigNode& result, const std::string& folder,
                         const std::string& where) {
  if (!result.is_object()) throw Error(where, "not a result", kAllowed);
  if (is_program(result)) return compared_program(name, result, folder, where);
  output::result_format(result);
  ComparedRun run;
  run.name = name;
  run.configuration = part(result, "configuration", Kind::object, where);
  run.folder = folder;
  if (part(result, "interrupted", Kind::boolean, where).boolean)
    throw Error(where, "this run was ended early; there is nothing to compare with");
  run.launch = placed(folder, text_of(run.configuration, "launch", where));
  run.version = text_of(result, "heddle", where);
  run.check = check_text(part(result, "check", Kind::object, where), where);
  // For an estimated run, use the estimates of the whole run. The other counts of the file cover only the
  // timed CTAs.
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
  if (const ConfigNode* counters = total.find("counters"))
    run.counted.members = {{"cycles", ConfigNode::make_count(run.cycles)}, {"counters", *counters}};
  run.counted.kind = run.counted.members.empty() ? Kind::null : Kind::object;
  read_scope(run, result);
  read_techniques(run, result, where);
  read_inputs(run, result, folder, where);
  return run;
}

ComparedRun read_compared_run(const std::string& file) {
  ComparedRun run = compared_run(file, parse_config_file(file), fs::path(file).parent_path().string(), file);
  run.file = run.stored = file;
  return run;
}

}  // namespace heddle::comparison

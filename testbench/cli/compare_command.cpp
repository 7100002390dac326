// heddle compare: variants of a configuration side by side. SystemC elaborates once a process, so every
// variant runs in a child.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <memory>

#include "models/core/error.h"
#include "testbench/cli/commands.h"
#include "testbench/experiment/child_pool.h"
#include "testbench/experiment/simulate.h"
#include "testbench/output/csv_text.h"
#include "testbench/run/data_files.h"
#include "testbench/run/differences.h"
#include "testbench/run/inputs.h"
#include "testbench/run/new_file.h"
#include "testbench/run/scenario.h"

namespace heddle::cli {
namespace {

struct CompareOptions {
  std::vector<std::string> variants, sets, with;
  std::string launch, out, csv;
  int jobs = 1;
  bool profile = false;
};

// "name,path=value,path=value": commas within brackets and quotes do not separate.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '[' || c == '{')) ++depth;
    if (!quoted && (c == ']' || c == '}')) --depth;
    if (c == ',' && depth == 0 && !quoted)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

bool is_scenario(const std::string& name) {
  if (name.find('/') == std::string::npos && !name.ends_with(".json")) return false;
  const ConfigNode tree = parse_config_file(name);
  return tree.find("gpu") || tree.find("launch") || tree.find("like");
}

run::RunParameters parameters_of(const std::string& variant, std::size_t index,
                                 const CompareOptions& options) {
  const std::vector<std::string> parts = split(variant);
  run::ScenarioRequest request;
  (is_scenario(parts[0]) ? request.scenario : request.gpu) = parts[0];
  request.launch = run::find_launch(options.launch);
  request.sets = options.sets;
  request.with = options.with;
  request.sets.insert(request.sets.end(), parts.begin() + 1, parts.end());
  const std::string folder = options.out.empty() ? "" : fmt::format("{}/{}", options.out, index);
  request.flags.emplace_back("output.folder", ConfigNode::make_string(folder, "--out"));
  if (options.profile)
    request.flags.emplace_back("output.profile", ConfigNode::make_boolean(true, "--profile"));
  run::RunParameters parameters = run::read_scenario(request);
  if (parameters.launch.empty())
    throw Error(variant, "no launch file is named", "a scenario with \"launch\", or --launch FILE");
  return parameters;
}

std::vector<ConfigNode> run_all(const std::vector<run::RunParameters>& parameters,
                                const CompareOptions& options) {
  std::vector<ConfigNode> results(parameters.size());
  experiment::ChildWork work;
  work.count = parameters.size();
  work.jobs = options.jobs;
  work.task = [&](std::size_t i) { return to_json(experiment::simulate(parameters[i])); };
  work.done = [&](std::size_t i, const experiment::ChildOutcome& outcome) {
    if (!outcome.ok) throw Error("variant \"" + options.variants[i] + "\"", outcome.error);
    results[i] = parse_config_text(outcome.text, options.variants[i]);
  };
  experiment::run_children(work);
  return results;
}

using Row = std::vector<std::string>;

// Every parameter in which the variants differ, so that none is compared with another without its being said.
void print_differences(const std::vector<run::RunParameters>& parameters, const CompareOptions& options) {
  std::vector<ConfigNode> configurations;
  for (const run::RunParameters& one : parameters) configurations.push_back(run::dump_scenario(one));
  const std::vector<run::ParameterDifference> all = run::differences(configurations);
  if (parameters.size() > 1 && all.empty()) fmt::print("the variants' parameters are equal\n\n");
  if (all.empty()) return;
  fmt::print("the variants differ in {} parameter{}:\n", all.size(), all.size() == 1 ? "" : "s");
  for (const run::ParameterDifference& one : all)
    fmt::print("  {} = {}\n", one.path, fmt::join(one.values, " | "));
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].launch != parameters[0].launch)
      fmt::print("  {} runs {}, not {}\n", options.variants[i], parameters[i].launch, parameters[0].launch);
  fmt::print("\n");
}

std::vector<Row> make_rows(const std::vector<ConfigNode>& results, const std::vector<std::string>& names) {
  Row head = {"variant"}, cycles = {"cycles"}, speed = {"speed-up"}, check = {"check"};
  head.insert(head.end(), names.begin(), names.end());
  const double first = results[0].find("total")->find("cycles")->number;
  for (const ConfigNode& result : results) {
    const ConfigNode& count = *result.find("total")->find("cycles");
    cycles.push_back(std::to_string(count.integer));
    speed.push_back(count.number > 0 ? fmt::format("{:.4f}", first / count.number) : "-");
    check.push_back(experiment::check_of(result));
  }
  std::vector<Row> rows = {head, cycles, speed, check};
  // Kinds of units differ between configurations: every metric that any variant has.
  std::vector<std::string> metrics;
  for (const ConfigNode& result : results)
    for (const auto& [name, value] : result.find("total")->find("metrics")->members)
      if (std::find(metrics.begin(), metrics.end(), name) == metrics.end()) metrics.push_back(name);
  for (const std::string& name : metrics) {
    Row row = {name};
    for (const ConfigNode& result : results) {
      const ConfigNode* value = result.find("total")->find("metrics")->find(name);
      row.push_back(!value              ? "-"
                    : value->is_integer ? std::to_string(value->integer)
                                        : fmt::format("{:.4f}", value->number));
    }
    rows.push_back(row);
  }
  return rows;
}

struct LineChange {
  std::string line, instruction;
  std::int64_t issues = 0, waited = 0, largest = 0;
  std::string reason;  ///< of the largest change
};

// Counts of a line that one of the two runs does not have are 0 there.
std::vector<LineChange> line_changes(const ConfigNode& first, const ConfigNode& other) {
  std::vector<std::string> lines;
  for (const ConfigNode* run : {&first, &other})
    for (const auto& [line, node] : run->members)
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  std::vector<LineChange> changes;
  for (const std::string& line : lines) {
    const ConfigNode *a = first.find(line), *b = other.find(line);
    const ConfigNode& known = a ? *a : *b;
    LineChange change;
    change.line = line;
    change.instruction = known.find("instruction")->text;
    for (const auto& [key, value] : known.members) {
      if (!value.is_number()) continue;
      const std::int64_t difference = (b ? b->find(key)->integer : 0) - (a ? a->find(key)->integer : 0);
      if (key == "issues") {
        change.issues = difference;
        continue;
      }
      change.waited += difference;
      if (std::abs(difference) > std::abs(change.largest)) {
        change.largest = difference;
        change.reason = key;
      }
    }
    if (change.issues || change.largest) changes.push_back(std::move(change));
  }
  std::stable_sort(changes.begin(), changes.end(), [](const LineChange& a, const LineChange& b) {
    return std::abs(a.waited) > std::abs(b.waited);
  });
  return changes;
}

// Every other variant against the first, by line of the PTX.
void print_profiles(const std::vector<ConfigNode>& results, const CompareOptions& options) {
  constexpr std::size_t kMost = 12;
  for (std::size_t i = 1; i < results.size(); ++i)
    for (const auto& [kernel, first] : results[0].find("profile")->members) {
      const ConfigNode* other = results[i].find("profile")->find(kernel);
      if (!other) continue;
      const std::vector<LineChange> changes = line_changes(first, *other);
      fmt::print("\n{}: {} against {}: lines of the PTX, by the change of warp-cycles waited\n", kernel,
                 options.variants[i], options.variants[0]);
      if (changes.empty()) fmt::print("  no line differs\n");
      if (!changes.empty())
        fmt::print("  {:>6} {:>10} {:>12}  {:<24} {}\n", "line", "issues", "waited", "most of it",
                   "instruction");
      for (std::size_t c = 0; c < std::min(changes.size(), kMost); ++c)
        fmt::print(
            "  {:>6} {:>+10} {:>+12}  {:<24} {}\n", changes[c].line, changes[c].issues, changes[c].waited,
            changes[c].reason.empty() ? "" : fmt::format("{} {:+}", changes[c].reason, changes[c].largest),
            changes[c].instruction);
      if (changes.size() > kMost) fmt::print("  ... {} more lines\n", changes.size() - kMost);
    }
}

int compare(const CompareOptions& options) {
  std::vector<run::RunParameters> parameters;
  for (std::size_t i = 0; i < options.variants.size(); ++i)
    parameters.push_back(parameters_of(options.variants[i], i, options));
  if (!options.csv.empty())
    for (const run::RunParameters& one : parameters)
      run::check_overwrites_no_input({options.csv}, run::input_paths(one), "--csv");
  const std::vector<ConfigNode> results = run_all(parameters, options);
  print_differences(parameters, options);
  const std::vector<Row> rows = make_rows(results, options.variants);
  std::vector<std::size_t> widths(rows[0].size());
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  for (const Row& row : rows) {
    fmt::print("{:<{}}", row[0], widths[0]);
    for (std::size_t i = 1; i < row.size(); ++i) fmt::print("  {:>{}}", row[i], widths[i]);
    fmt::print("\n");
  }
  if (options.profile) print_profiles(results, options);
  if (!options.csv.empty()) {
    std::string text;
    for (const Row& row : rows)
      for (std::size_t i = 0; i < row.size(); ++i) {
        text +=
            fmt::format("{}{}{}", i ? "," : "", output::csv_field(row[i]), i + 1 == row.size() ? "\n" : "");
      }
    run::write_text(options.csv, text);
  }
  const bool equal =
      std::none_of(rows[3].begin(), rows[3].end(), [](const auto& c) { return c == "DIFFERENT"; });
  return equal ? kSuccess : kDifferent;
}

}  // namespace

Action add_compare(CLI::App& app) {
  auto options = std::make_shared<CompareOptions>();
  app.add_option(
         "variants", options->variants,
         "scenario files or GPU presets, each with changes if wanted: fermi-gtx480,gpu.sm.scheduler=lrr")
      ->required()
      ->expected(1, 64);
  app.add_option("--launch", options->launch, "launch file for all variants");
  app.add_option("--with", options->with, "technique that is laid on all variants; may be given again")
      ->type_size(1)
      ->allow_extra_args(false);
  app.add_option("--set", options->sets, "path.key=value for all variants")
      ->type_size(1)
      ->allow_extra_args(false);
  app.add_option("--out", options->out, "folder; the results of the variants go to its folders 0, 1, ...");
  app.add_flag("--profile", options->profile,
               "also what waits longer and shorter than in the first variant, by line of the PTX");
  app.add_option("--csv", options->csv, "write the table to this file");
  app.add_option("--jobs", options->jobs, "variants that run at one time")->check(CLI::Range(1, 64));
  return [options] { return compare(*options); };
}

}  // namespace heddle::cli

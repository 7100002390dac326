// heddle compare: variants of a configuration side by side. SystemC elaborates once a process, so every
// variant runs in a child.

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "models/core/error.h"
#include "testbench/cli/commands.h"
#include "testbench/output/result_file.h"
#include "testbench/output/run_outputs.h"
#include "testbench/run/data_files.h"
#include "testbench/run/scenario.h"

namespace heddle::cli {
namespace {

struct Options {
  std::vector<std::string> variants, sets;
  std::string launch, out, csv;
  int jobs = 1;
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
  return tree.find("gpu") || tree.find("launch");
}

run::RunParameters parameters_of(const std::string& variant, std::size_t index, const Options& options) {
  const std::vector<std::string> parts = split(variant);
  run::ScenarioRequest request;
  (is_scenario(parts[0]) ? request.scenario : request.gpu) = parts[0];
  request.launch = options.launch;
  request.sets = options.sets;
  request.sets.insert(request.sets.end(), parts.begin() + 1, parts.end());
  const std::string folder = options.out.empty() ? "" : fmt::format("{}/{}", options.out, index);
  request.flags.emplace_back("output.folder", ConfigNode::make_string(folder, "--out"));
  run::RunParameters parameters = run::read_scenario(request);
  if (parameters.launch.empty())
    throw Error(variant, "no launch file is named", "a scenario with \"launch\", or --launch FILE");
  return parameters;
}

std::string run_variant(const run::RunParameters& parameters) {
  RunOutputs outputs(parameters.output);
  std::unique_ptr<run::RunSession> session;
  run::RunHooks hooks;
  hooks.on_built = [&](Gpu& gpu) { outputs.attach(gpu, session->stats(), session->energy()); };
  hooks.on_launch = [&](const isa::KernelLaunch& launch) { outputs.launch_begins(launch); };
  hooks.on_launch_end = [&](const run::LaunchRecord& record) { outputs.launch_ended(record); };
  hooks.on_interval = [&](Cycle cycle) { outputs.interval(cycle); };
  session = std::make_unique<run::RunSession>(parameters, hooks);
  session->run();
  outputs.finish(*session);
  return to_json(output::make_result(*session, parameters.output.folder));
}

struct Child {
  pid_t id = 0;
  int pipe = -1;
};

Child start(const run::RunParameters& parameters) {
  int ends[2];
  if (::pipe(ends) != 0) throw Error("heddle compare", "cannot make a pipe");
  std::fflush(nullptr);
  const pid_t id = ::fork();
  if (id < 0) throw Error("heddle compare", "cannot start a process");
  if (id > 0) {
    ::close(ends[1]);
    return {id, ends[0]};
  }
  ::close(ends[0]);
  int status = kSuccess;
  try {
    const std::string text = run_variant(parameters);
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t n = ::write(ends[1], text.data() + at, text.size() - at);
      if (n <= 0) std::_Exit(kFailure);
      at += static_cast<std::size_t>(n);
    }
  } catch (const std::exception& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    status = kFailure;
  }
  ::close(ends[1]);
  std::fflush(nullptr);
  std::_Exit(status);
}

std::string finish(const Child& child, const std::string& variant) {
  std::string text;
  char buffer[65536];
  for (ssize_t n = 0; (n = ::read(child.pipe, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  ::close(child.pipe);
  int status = 0;
  ::waitpid(child.id, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != kSuccess)
    throw Error("heddle compare", "variant \"" + variant + "\" has failed");
  return text;
}

std::vector<ConfigNode> run_all(const std::vector<run::RunParameters>& parameters, const Options& options) {
  std::vector<Child> children;
  std::vector<ConfigNode> results;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    while (children.size() < parameters.size() &&
           children.size() < results.size() + static_cast<std::size_t>(options.jobs))
      children.push_back(start(parameters[children.size()]));
    results.push_back(parse_config_text(finish(children[i], options.variants[i]), options.variants[i]));
  }
  return results;
}

std::string check_of(const ConfigNode& result) {
  const ConfigNode& check = *result.find("check");
  if (!check.find("checked")->boolean) return "unchecked";
  return check.find("equal")->boolean ? "equal" : "DIFFERENT";
}

using Row = std::vector<std::string>;

std::vector<Row> make_rows(const std::vector<ConfigNode>& results, const std::vector<std::string>& names) {
  Row head = {"variant"}, cycles = {"cycles"}, speed = {"speed-up"}, check = {"check"};
  head.insert(head.end(), names.begin(), names.end());
  const double first = results[0].find("total")->find("cycles")->number;
  for (const ConfigNode& result : results) {
    const ConfigNode& count = *result.find("total")->find("cycles");
    cycles.push_back(std::to_string(count.integer));
    speed.push_back(count.number > 0 ? fmt::format("{:.4f}", first / count.number) : "-");
    check.push_back(check_of(result));
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

int compare(const Options& options) {
  std::vector<run::RunParameters> parameters;
  for (std::size_t i = 0; i < options.variants.size(); ++i)
    parameters.push_back(parameters_of(options.variants[i], i, options));
  const std::vector<ConfigNode> results = run_all(parameters, options);
  const std::vector<Row> rows = make_rows(results, options.variants);
  std::vector<std::size_t> widths(rows[0].size());
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  for (const Row& row : rows) {
    fmt::print("{:<{}}", row[0], widths[0]);
    for (std::size_t i = 1; i < row.size(); ++i) fmt::print("  {:>{}}", row[i], widths[i]);
    fmt::print("\n");
  }
  if (!options.csv.empty()) {
    std::string text;
    for (const Row& row : rows)
      for (std::size_t i = 0; i < row.size(); ++i) {
        const bool quote = row[i].find(',') != std::string::npos;
        text += (i ? "," : "") + (quote ? "\"" + row[i] + "\"" : row[i]) + (i + 1 == row.size() ? "\n" : "");
      }
    output::write_text(options.csv, text);
  }
  const bool equal =
      std::none_of(rows[3].begin(), rows[3].end(), [](const auto& c) { return c == "DIFFERENT"; });
  return equal ? kSuccess : kDifferent;
}

}  // namespace

Action add_compare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option(
         "variants", options->variants,
         "scenario files or GPU presets, each with changes if wanted: fermi-gtx480,gpu.sm.scheduler=lrr")
      ->required()
      ->expected(1, 64);
  app.add_option("--launch", options->launch, "launch file for all variants");
  app.add_option("--set", options->sets, "path.key=value for all variants")
      ->type_size(1)
      ->allow_extra_args(false);
  app.add_option("--out", options->out, "folder; the results of the variants go to its folders 0, 1, ...");
  app.add_option("--csv", options->csv, "write the table to this file");
  app.add_option("--jobs", options->jobs, "variants that run at one time")->check(CLI::Range(1, 64));
  return [options] { return compare(*options); };
}

}  // namespace heddle::cli

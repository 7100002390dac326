// heddle compare: compares new or stored runs. Each new run has its own child process, because SystemC
// elaborates once per process.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <memory>

#include "models/core/error.h"
#include "models/ptx/kernel_name.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/option_values.h"
#include "testbench/cli/page_head.h"
#include "testbench/cli/variants.h"
#include "testbench/comparison/comparison_text.h"
#include "testbench/experiment/child_pool.h"
#include "testbench/experiment/simulate.h"
#include "testbench/launch/new_file.h"
#include "testbench/output/html_page.h"
#include "testbench/output/progress_line.h"
#include "testbench/output/terminal_text.h"
#include "testbench/run/data_files.h"
#include "testbench/run/inputs.h"
#include "testbench/run/out_folder.h"

namespace heddle::cli {
namespace {

struct CompareOptions {
  std::shared_ptr<OptionValues> shared;
  std::vector<std::string> variants;
  std::string csv;

  bool profile() const { return shared->given("--profile"); }
  bool report() const { return shared->given("--report"); }
  std::string out() const {
    const std::string& named = shared->text("--out");
    return named.empty() && report() && std::all_of(variants.begin(), variants.end(), is_stored)
               ? "comparison"
               : named;
  }
};

std::vector<Variant> read_variants(const CompareOptions& options) {
  const run::ScenarioRequest all = options.shared->request();
  options.shared->check_folder(options.out());
  std::vector<Variant> variants;
  for (const std::string& text : options.variants) {
    variants.push_back(read_variant(text, all));
    Variant& variant = variants.back();
    if (variant.stored && options.profile())
      throw Error("--profile", text + " is a stored result, which has no profile", "variants that run");
    std::string& folder = variant.parameters.output.folder;
    folder = options.out().empty() ? "" : fmt::format("{}/{}", options.out(), variants.size() - 1);
    if (variant.stored) continue;
    options.shared->check_outputs(variant.parameters.output);
    if (!variant.parameters.output.pipeline.file.empty())
      throw Error(text + ": output.pipeline.file", "the runs would all write to one file",
                  "heddle run, for each variant");
  }
  return variants;
}

// Executes the variants (compared configurations) that have no stored result. Returns one result for each
// variant, in the order of `variants`; it is empty for a stored variant.
std::vector<ConfigNode> run_all(const std::vector<Variant>& variants, const CompareOptions& options) {
  std::vector<std::size_t> runs;
  for (std::size_t i = 0; i < variants.size(); ++i)
    if (!variants[i].stored) runs.push_back(i);
  std::vector<ConfigNode> results(variants.size());
  experiment::ChildWork work;
  work.count = runs.size();
  work.jobs = options.shared->jobs();
  work.task = [&](std::size_t i) { return to_json(experiment::simulate(variants[runs[i]].parameters)); };
  work.done = [&](std::size_t i, const experiment::ChildOutcome& outcome) {
    const std::string& name = variants[runs[i]].name;
    if (!outcome.ok) throw Error("variant \"" + name + "\"", outcome.error);
    results[runs[i]] = parse_config_text(outcome.text, name);
  };
  output::ProgressLine progress(!options.shared->given("--quiet"));
  std::size_t ended = 0;
  const auto say = [&] { progress.say(fmt::format("{} of {} variants", ended, runs.size())); };
  say();
  const auto done = work.done;
  work.done = [&](std::size_t i, const experiment::ChildOutcome& outcome) {
    done(i, outcome);
    ++ended;
    say();
  };
  experiment::run_children(work);
  return results;
}

comparison::Runs compared(const std::vector<Variant>& variants, const std::vector<ConfigNode>& results) {
  comparison::Runs runs;
  for (std::size_t i = 0; i < variants.size(); ++i)
    runs.push_back(variants[i].stored
                       ? *variants[i].stored
                       : comparison::compared_run(variants[i].name, results[i],
                                                  variants[i].parameters.output.folder, variants[i].name));
  return runs;
}

struct LineChange {
  std::string line, instruction;
  std::int64_t issues = 0, waited = 0, largest = 0;
  std::string reason;
};

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

std::string profiles_text(const std::vector<ConfigNode>& results, const CompareOptions& options) {
  constexpr std::size_t kMost = 12;
  std::string text;
  for (std::size_t i = 1; i < results.size(); ++i)
    for (const auto& [kernel, first] : results[0].find("profile")->members) {
      const ConfigNode* other = results[i].find("profile")->find(kernel);
      if (!other) continue;
      const std::vector<LineChange> changes = line_changes(first, *other);
      text += fmt::format("\n{}: {} against {}: lines of the PTX, by the change of warp-cycles waited\n",
                          ptx::plain_name(kernel), options.variants[i], options.variants[0]);
      if (changes.empty()) text += "  no line differs\n";
      if (!changes.empty())
        text += fmt::format("  {:>6} {:>10} {:>12}  {:<24} {}\n", "line", "issues", "waited", "most of it",
                            "instruction");
      for (std::size_t c = 0; c < std::min(changes.size(), kMost); ++c)
        text += fmt::format(
            "  {:>6} {:>+10} {:>+12}  {:<24} {}\n", changes[c].line, changes[c].issues, changes[c].waited,
            changes[c].reason.empty() ? "" : fmt::format("{} {:+}", changes[c].reason, changes[c].largest),
            changes[c].instruction);
      if (changes.size() > kMost) text += fmt::format("  ... {} more lines\n", changes.size() - kMost);
    }
  return text;
}

std::vector<std::string> inputs_of(const std::vector<Variant>& variants) {
  std::vector<std::string> inputs;
  for (const Variant& variant : variants) {
    const std::vector<std::string> more = variant.stored ? std::vector<std::string>{variant.stored->file}
                                                         : run::input_paths(variant.parameters);
    inputs.insert(inputs.end(), more.begin(), more.end());
  }
  return inputs;
}

std::unique_ptr<run::OutFolder> claimed(const CompareOptions& options,
                                        const std::vector<std::string>& inputs) {
  if (options.out().empty()) return nullptr;
  auto folder = std::make_unique<run::OutFolder>(options.out());
  std::vector<std::string> names = {"comparison.json"};
  if (options.report()) names.push_back("report.html");
  folder->expect(names, inputs, "--out");
  return folder;
}

// Adds sentences to a page about why the compared runs differ. `results`: the result of each run; empty for a
// stored run, whose result.json is then read.
void add_causes(output::HtmlPage& page, const comparison::Runs& runs, std::vector<ConfigNode> results) {
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (!results[i].is_object()) results[i] = parse_config_file(runs[i].stored);
  add_why(page, runs, results);
}

void write_files(const comparison::Runs& runs, const std::vector<ConfigNode>& results,
                 const CompareOptions& options, run::OutFolder* folder) {
  if (!options.csv.empty()) launch::write_named(options.csv, comparison::comparison_csv(runs));
  if (!folder) return;
  folder->write("comparison.json", to_json(comparison::comparison_json(runs, options.out())));
  if (options.report()) {
    output::HtmlPage page("Heddle: " + fmt::format("{}", fmt::join(options.variants, ", ")));
    add_causes(page, runs, results);
    comparison::add_comparison(page, runs);
    folder->write("report.html", page.text());
  }
  folder->commit();
}

int compare(const CompareOptions& options) {
  const std::vector<Variant> variants = read_variants(options);
  const std::vector<std::string> inputs = inputs_of(variants);
  if (!options.csv.empty()) launch::check_overwrites_no_input({options.csv}, inputs, "--csv");
  const std::unique_ptr<run::OutFolder> folder = claimed(options, inputs);
  const std::vector<ConfigNode> results = run_all(variants, options);
  const comparison::Runs runs = compared(variants, results);
  write_files(runs, results, options, folder.get());
  if (options.shared->given("--json")) {
    fmt::print("{}", to_json(comparison::comparison_json(runs, options.out())));
  } else if (!options.shared->given("--quiet")) {
    output::print_wrapped(comparison::comparison_text(runs, comparison::Detail::all));
    if (options.profile()) output::print_wrapped(profiles_text(results, options));
    if (options.report()) fmt::print("the page is {}/report.html\n", options.out());
  }
  return comparison::all_equal(runs) ? kSuccess : kDifferent;
}

}  // namespace

Action add_compare(CLI::App& app) {
  auto options = std::make_shared<CompareOptions>();
  app.add_option(
         "variants", options->variants,
         "GPU presets, scenarios and stored result.json files, by name or file; after a preset or scenario "
         "techniques and changes: fermi-gtx480+hybrid,gpu.sm.scheduler=lrr")
      ->required()
      ->expected(1, 64);
  options->shared = add_shared_options(app, Command::compare);
  app.add_option("--csv", options->csv, "write the table to this file");
  return [options] { return compare(*options); };
}

}  // namespace heddle::cli

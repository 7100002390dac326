// heddle experiment: runs all variants, kernels and sweep values of an experiment file in parallel, and
// writes figures and a report.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "models/core/counted.h"
#include "models/core/error.h"
#include "models/core/unknown_name.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/option_values.h"
#include "testbench/experiment/causes.h"
#include "testbench/experiment/command.h"
#include "testbench/experiment/costs.h"
#include "testbench/experiment/database.h"
#include "testbench/experiment/figure_data.h"
#include "testbench/experiment/html_report.h"
#include "testbench/experiment/pictures.h"
#include "testbench/experiment/report.h"
#include "testbench/experiment/run_table.h"
#include "testbench/experiment/slurm.h"
#include "testbench/experiment/stack_search.h"
#include "testbench/launch/new_file.h"
#include "testbench/launch/stop_signals.h"
#include "testbench/run/data_files.h"
#include "testbench/run/plugins.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;
using namespace heddle::experiment;

volatile std::sig_atomic_t stop_requested = 0;

void on_signal(int number) {
  stop_requested = 1;
  std::signal(number, SIG_DFL);
}

struct ExperimentOptions {
  std::shared_ptr<OptionValues> shared;
  std::string file, size = "quick", out, markdown;
  std::vector<std::string> only, sweeps, kernels;
  std::optional<std::string> shard;
  std::string slurm_options;
  int shards = 0, cut = 0;
  bool list = false, collect = false, slurm = false, cost = false, wide = false;

  bool quiet() const { return shared->given("--quiet"); }
  std::vector<std::string> words() const;
};

std::vector<std::string> ExperimentOptions::words() const {
  std::vector<std::string> all = {"--size", size};
  const std::vector<std::string> more = shared->words({"--out", "--jobs", "--quiet", "--report"});
  all.insert(all.end(), more.begin(), more.end());
  for (const std::string& id : only) all.insert(all.end(), {"--only", id});
  for (const std::string& choice : sweeps) all.insert(all.end(), {"--sweep", choice});
  if (!kernels.empty()) all.insert(all.end(), {"--kernels", fmt::format("{}", fmt::join(kernels, ","))});
  if (!markdown.empty()) all.insert(all.end(), {"--markdown", markdown});
  if (wide) all.emplace_back("--wide");
  return all;
}

std::string refused_text(const Results& results) {
  const std::size_t refused = results.in_state(PointResult::State::refused).size();
  return refused ? fmt::format(", {} refused", refused) : "";
}

Share read_share(const std::string& text) {
  Share share;
  char behind = 0;
  if (std::sscanf(text.c_str(), "%6d/%6d%c", &share.number, &share.of, &behind) != 2 || share.number < 1 ||
      share.number > share.of)
    throw Error("--shard " + text, "not a share", "k/n with 1 <= k <= n, as 2/8");
  return share;
}

void make_folder(const std::string& folder) {
  std::error_code ec;
  fs::create_directories(folder, ec);
  if (ec) throw Error(folder, "cannot make this folder");
}

int run_share(Results& results, const Plan& plan, RunRequest request, const ExperimentOptions& options) {
  request.wait = false;
  results.run(request);
  const auto own = [&](PointResult::State state) {
    std::vector<std::size_t> points = results.in_state(state);
    if (request.chosen) std::erase_if(points, [&](std::size_t i) { return !request.chosen(i); });
    return points;
  };
  const auto failed = own(PointResult::State::failed);
  const std::size_t done = own(PointResult::State::done).size(),
                    missing = own(PointResult::State::missing).size();
  for (const std::size_t i : failed)
    fmt::print(stderr, "error: {}: {}\n", plan.label(i), results.of(i).error);
  if (!options.quiet())
    fmt::print("share {}: {} of {} runs have a result, {} failed, {} are running elsewhere{}\n",
               *options.shard, done, done + missing + failed.size(), failed.size(), missing,
               refused_text(results));
  if (stop_requested) return kInterrupted;
  return failed.empty() ? kSuccess : kFailure;
}

// Returns a function that is true for the runs of the share that --shard selects. `cut`: share number of each
// run, read from a file. If the file does not list a run, because the experiment has changed since the file
// was written, the share depends on the run's index in the plan.
std::function<bool(std::size_t)> chosen_by(const std::map<std::string, int>& cut, const Plan& plan,
                                           const Share& share) {
  return [cut, &plan, share](std::size_t point) {
    const auto named = cut.find(plan.name(point));
    return (named == cut.end() ? plan.share_of(point, share.of) : named->second) == share.number;
  };
}

int cut_runs(const Plan& plan, const ExpectedCosts& costs, const ExperimentOptions& options) {
  make_folder(options.out);
  const auto used = write_cut(plan, options.out, options.cut, costs);
  fmt::print("{}: --shard K/{} on this folder runs a share of about equal cost, K among the first {}\n",
             cut_file_of(options.out, options.cut), options.cut, used.size());
  return kSuccess;
}

int run_by_slurm(Results& results, const ExperimentFile& file, const Plan& plan, RunRequest request,
                 ExpectedCosts costs, const ExperimentOptions& options) {
  request.collect = true;
  results.run(request);
  const std::vector<std::size_t> missing = results.in_state(PointResult::State::missing);
  SlurmRequest slurm;
  slurm.folder = options.out;
  slurm.name = "heddle-" + file.name;
  slurm.options = options.slurm_options;
  slurm.of =
      options.shards > 0 ? options.shards : static_cast<int>(std::clamp<std::size_t>(results.runs(), 1, 64));
  for (const std::size_t i : missing)
    if (std::find(costs.missing.begin(), costs.missing.end(), i) == costs.missing.end()) {
      costs.missing.push_back(i);
      costs.seconds.push_back(1);
    }
  if (!missing.empty()) slurm.shards = write_cut(plan, options.out, slurm.of, costs);
  slurm.command = {fs::read_symlink("/proc/self/exe").string(), "experiment", options.file, "--out",
                   options.out};
  const std::vector<std::string> words = options.words();
  slurm.command.insert(slurm.command.end(), words.begin(), words.end());
  if (options.shared->given("--report")) slurm.command.emplace_back("--report");
  for (const run::Plugin& plugin : run::loaded_plugins())
    slurm.command.insert(slurm.command.end(), {"--plugin", plugin.path});
  const SlurmJobs jobs = submit_to_slurm(slurm);
  if (!jobs.runs.empty())
    fmt::print("{} of {} runs are missing: job {} runs them in {} tasks\n", missing.size(), results.runs(),
               jobs.runs, slurm.shards.size());
  fmt::print("job {} writes the report in {}\n", jobs.collect, options.out);
  return kSuccess;
}

// Returns the figures that --only names; without --only, all figures. Leaves out figures that show results of
// an unfinished search (for good combinations of techniques).
std::vector<const Figure*> chosen_figures(const ExperimentFile& file, const ExperimentOptions& options) {
  std::vector<const Figure*> figures;
  std::vector<std::string> names;
  for (const Figure& figure : file.figures) {
    names.push_back(figure.id);
    if (options.only.empty() && !figure.pending) figures.push_back(&figure);
  }
  for (const std::string& id : options.only) {
    const Figure* figure = file.find_figure(id);
    for (const Figure& one : file.left_out)
      if (one.id == id) throw Error("--only " + id, "--kernels leaves out all kernels of this figure");
    if (!figure) throw unknown_name("--only", "figure", id, names);
    if (!figure->pending) figures.push_back(figure);
  }
  return figures;
}

void print_left_out(const ExperimentFile& file, const std::vector<const Figure*>& figures,
                    const ExperimentOptions& options) {
  for (const Figure* figure : figures)
    if (!figure->left_out.empty())
      fmt::print(stderr, "note: figure {}: left out with the runs that it needs: {}\n", figure->id,
                 fmt::join(figure->left_out, "; "));
  if (!options.only.empty()) return;
  for (const Figure& figure : file.left_out)
    fmt::print(stderr, "note: figure {}: left out, because --kernels leaves out all its kernels\n",
               figure.id);
}

// Returns the default of --out. If options select or change runs, the folder's name ends with a hash of these
// options. The report of all runs is then not overwritten.
std::string default_folder(const ExperimentFile& file, const ExperimentOptions& options) {
  std::string folder = fmt::format("results/{}-{}", file.name, options.size);
  std::vector<std::string> chosen = options.sweeps;
  chosen.emplace_back();
  chosen.insert(chosen.end(), options.kernels.begin(), options.kernels.end());
  chosen.emplace_back();
  const std::vector<std::string>& sets = options.shared->texts("--set");
  chosen.insert(chosen.end(), sets.begin(), sets.end());
  constexpr std::size_t kDigits = 8;
  if (file.is_selection() || !sets.empty())
    folder += "-" + launch::hash_of_text(fmt::format("{}", fmt::join(chosen, "\n"))).substr(0, kDigits);
  return folder;
}

bool wants_searches(const ExperimentFile& file, const ExperimentOptions& options) {
  return options.only.empty() || std::any_of(options.only.begin(), options.only.end(), [&](const auto& id) {
           const Figure* figure = file.find_figure(id);
           return figure && figure->searches;
         });
}

// Runs the experiment's searches for good combinations of techniques. Returns the experiment with the
// additions of the command line and with the combinations that were found. With --list, --cost, --cut,
// --collect or --slurm, searches use stored results and execute no runs.
ExperimentFile read_searched(const ExperimentFile& file, const RunRequest& request, const Share& share,
                             const ExperimentOptions& options, const std::shared_ptr<PointStore>& store) {
  if (file.searches.empty() || !wants_searches(file, options)) return file;
  RunRequest rounds = request;
  rounds.collect = request.collect || options.list || options.cost || options.cut != 0 || options.slurm;
  const SearchProgress searched =
      run_searches(file.path, file.size, file.additions, rounds, options.cut ? Share{} : share, store);
  if (!searched.waits_for.empty() && !options.quiet())
    fmt::print("{} have no result yet; the search continues when they have\n", searched.waits_for);
  return read_experiment(file.path, file.size, searched.additions);
}

// Parses "a,b" or a JSON list. Numbers and booleans become JSON numbers and booleans, not texts.
std::vector<ConfigNode> sweep_values(const std::string& text, const std::string& where) {
  if (text.starts_with('[')) return parse_config_text(text, where).items;
  std::vector<ConfigNode> values;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    ConfigNode one = ConfigNode::make_object(where);
    if (end == begin) throw Error(where, "an empty value", "NAME=VALUE,VALUE,... or NAME=[JSON values]");
    set_config(one, "value=" + text.substr(begin, end - begin));
    values.push_back(std::move(one.members.front().second));
    begin = end + 1;
  }
  return values;
}

SweepChoice sweep_choice(const std::string& text) {
  const std::string where = "--sweep " + text;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw Error(where, "no sweep and values", "NAME=VALUE,VALUE,... as split=10+2,6+6");
  return {text.substr(0, equals), sweep_values(text.substr(equals + 1), where), where};
}

Additions additions_of(const ExperimentOptions& options) {
  Additions additions;
  for (const std::string& text : options.sweeps) {
    additions.sweeps.push_back(sweep_choice(text));
    for (const SweepChoice& other : additions.sweeps)
      if (&other != &additions.sweeps.back() && other.sweep == additions.sweeps.back().sweep)
        throw Error(other.where, "this sweep has values already", "one --sweep for each sweep");
  }
  additions.kernels = options.kernels;
  for (const std::string& technique : options.shared->texts("--with"))
    additions.techniques.push_back(run::is_file_name(technique) ? fs::absolute(technique).string()
                                                                : technique);
  additions.flags = options.shared->flags();
  additions.sets = options.shared->texts("--set");
  return additions;
}

bool write_figures(const std::vector<FigureData>& figures, const Published& published,
                   const std::string& folder) {
  make_folder(folder);
  for (const FigureData& data : figures)
    if (data.error.empty())
      launch::write_text(fmt::format("{}/{}.csv", folder, data.figure->id), figure_csv(data));
  if (!can_draw()) {
    fmt::print(stderr, "warning: node is missing (scripts/setup installs it): no pictures are drawn\n");
    return true;
  }
  std::string error;
  if (draw_pictures(figures, published, folder, error)) return true;
  fmt::print(stderr, "error: {}: node: {}\n", folder, error);
  return false;
}

void write_tables(const ExperimentFile& file, const Plan& plan, const Results& results,
                  const std::vector<FigureData>& figures, const Published& published,
                  const ExperimentOptions& options) {
  const auto write = [&options](const char* name, const std::string& text) {
    launch::write_text(fmt::format("{}/{}", options.out, name), text);
  };
  const RunTable table(file, plan, results);
  const output::DescribedValues described = describe_counters(plan, results);
  write("results.csv", run_table_csv(table, false));
  write("sweeps.csv", run_table_csv(table, true));
  write("columns.csv", columns_csv(table, results, described));
  write("results.sqlite", database_of(file, plan, results, table, figures, published, described));
  write("points.csv", points_csv(file, plan, results));
  if (options.wide) write("results-wide.csv", wide_csv(file, plan, results));
}

std::string picture_folder(const std::string& report) { return fs::path(report).stem().string(); }

void copy_pictures(const std::set<std::string>& figures, const std::string& from, const std::string& report) {
  const fs::path folder = fs::path(report).parent_path() / picture_folder(report);
  for (const std::string& id : figures) {
    const fs::path picture = fs::path(from) / (id + ".svg");
    if (!fs::exists(picture)) continue;
    make_folder(folder.string());
    fs::copy_file(picture, folder / picture.filename(), fs::copy_options::overwrite_existing);
  }
}

std::string find_experiment(const std::string& name) {
  if (run::is_file_name(name)) return name;
  std::string found = run::find_data(fmt::format("configs/experiments/{}.json", name));
  if (found.empty())
    throw run::unknown_file("heddle experiment", "experiment", name,
                            run::list_data("configs/experiments", ".json"));
  return found;
}

std::string typed(const std::string& word) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=+:,@%-";
  return !word.empty() && word.find_first_not_of(kPlain) == std::string::npos ? word : shell_quoted(word);
}

std::string command_line(const ExperimentOptions& options) {
  std::string text = "heddle experiment " + typed(options.file);
  for (const std::string& word : options.words()) text += " " + typed(word);
  return text;
}

// Throws Error if an output file would overwrite an input file of the experiment. Stored results of earlier
// runs may be overwritten.
void check_files(const Plan& plan, const std::vector<const Figure*>& figures,
                 const ExperimentOptions& options) {
  std::vector<std::string> written;
  for (const char* name : {"results.csv", "sweeps.csv", "columns.csv", "results.sqlite", "results-wide.csv",
                           "points.csv", "report.md", "report.html"})
    written.push_back(fmt::format("{}/{}", options.out, name));
  for (const Figure* figure : figures)
    for (const char* ending : {"csv", "svg"})
      written.push_back(fmt::format("{}/figures/{}.{}", options.out, figure->id, ending));
  std::vector<std::string> inputs = plan.input_paths();
  inputs.push_back(run::find_data("configs/published.json"));
  launch::check_overwrites_no_input(written, inputs, "--out");
  if (options.markdown.empty()) return;
  written = {options.markdown};
  const fs::path pictures = fs::path(options.markdown).parent_path() / picture_folder(options.markdown);
  for (const Figure* figure : figures) written.push_back((pictures / (figure->id + ".svg")).string());
  launch::check_overwrites_no_input(written, inputs, "--markdown");
}

int print_outcome(const Plan& plan, const Results& results, const std::vector<FigureData>& figures,
                  const ExperimentOptions& options) {
  const auto failed = results.in_state(PointResult::State::failed);
  const auto done = results.in_state(PointResult::State::done);
  for (const std::size_t i : failed)
    fmt::print(stderr, "error: {}: {}\n", plan.label(i), results.of(i).error);
  const auto missing = results.in_state(PointResult::State::missing);
  for (const std::size_t i : missing) {
    const std::string& bad_file = results.of(i).error;
    if (!stop_requested)
      fmt::print(stderr, "error: {}: has not been run{}\n", plan.label(i),
                 bad_file.empty() ? "" : ": " + bad_file);
  }
  bool complete = failed.empty() && missing.empty();
  for (const FigureData& data : figures) {
    if (data.error.empty()) continue;
    complete = complete && results.runs() == 0;
    fmt::print(stderr, "error: figure {}: {}\n", data.figure->id, data.error);
  }
  if (!options.quiet())
    fmt::print("{} of {} runs have a result ({} of them from an earlier time), {} failed{}; {} in {}\n",
               done.size(), results.runs(), results.finished_before(), failed.size(), refused_text(results),
               counted(figures.size(), "figure"),
               options.markdown.empty() ? options.out + "/report.md" : options.markdown);
  if (stop_requested) return kInterrupted;
  return complete ? kSuccess : kFailure;
}

// Judges the causes that an experiment file states for differences from published figures. Prints an error
// for each cause that the measured results contradict. Returns true if there is no such cause.
bool print_causes(const ExperimentFile& file, const std::vector<FigureData>& figures,
                  const Published& published) {
  bool borne_out = true;
  for (const JudgedCause& judged : judge_causes(file, figures, published)) {
    if (judged.failure.empty()) continue;
    borne_out = false;
    fmt::print(stderr, "error: {}: decides \"{}\": {}\n", file.path, judged.cause->id, judged.failure);
  }
  return borne_out;
}

int list_points(const Plan& plan) {
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const std::string& refusal = plan.refusal(i);
    fmt::print("{:16}  {}{}\n", refusal.empty() ? plan.name(i) : "refused", plan.label(i),
               refusal.empty() ? "" : ": " + refusal);
  }
  return kSuccess;
}

RunRequest request_of(const ExperimentOptions& options) {
  RunRequest request;
  request.folder = options.out;
  request.jobs = options.shared->jobs();
  request.progress = !options.quiet();
  request.stop = &stop_requested;
  request.collect = options.collect;
  request.quiet = options.quiet();
  return request;
}

int run_experiment(ExperimentOptions options) {
  options.shared->check();
  options.out = options.shared->text("--out");
  const ExperimentFile alone =
      read_experiment(find_experiment(options.file), options.size, additions_of(options));
  const Published published = Published::read();
  published.check(alone);
  if (options.out.empty()) options.out = default_folder(alone, options);
  const Share share = options.shard ? read_share(*options.shard) : Share{};
  launch::catch_stop_signals(on_signal);
  RunRequest request = request_of(options);
  const auto store = std::make_shared<PointStore>();
  const ExperimentFile file = read_searched(alone, request, share, options, store);
  const std::vector<const Figure*> chosen = chosen_figures(file, options);
  const auto cut = options.shard ? read_cut(options.out, share.of) : std::map<std::string, int>{};
  std::vector<const Figure*> planned = chosen;
  if (wants_searches(file, options))
    for (const Search& search : file.searches) planned.push_back(&search.figure);
  const Plan plan(file, planned, cut.empty() ? share : Share{});
  if (options.list) return list_points(plan);
  if (!options.quiet()) print_left_out(file, chosen, options);
  Results results(plan, store);
  check_files(plan, chosen, options);
  const ExpectedCosts costs = options.collect ? ExpectedCosts{} : expected_costs(plan, options.out);
  if (options.cost) {
    fmt::print("{}\n", cost_line(costs, results.runs()));
    return kSuccess;
  }
  if (!options.quiet() && !costs.missing.empty()) fmt::print("{}\n", cost_text(costs, results.runs()));
  if (options.cut) return cut_runs(plan, costs, options);
  if (!cut.empty()) request.chosen = chosen_by(cut, plan, share);
  if (options.shard) return run_share(results, plan, request, options);
  if (options.slurm) return run_by_slurm(results, file, plan, request, costs, options);
  results.run(request);

  std::vector<FigureData> figures;
  for (const Figure* figure : chosen) figures.push_back(evaluate(*figure, file, results));
  write_tables(file, plan, results, figures, published, options);
  const std::string pictures = options.out + "/figures";
  const bool drawn = write_figures(figures, published, pictures);
  const std::string command = command_line(options);
  launch::write_text(options.out + "/report.md",
                     report_text(file, plan, results, figures, published,
                                 {"figures", charted(figures, published)}, command));
  if (options.shared->given("--report"))
    launch::write_text(options.out + "/report.html",
                       html_report(file, plan, results, figures, published, command));
  if (!options.markdown.empty() && !stop_requested) {
    const ReportPictures shown{picture_folder(options.markdown), argued_from(file, figures, published)};
    copy_pictures(shown.shown, pictures, options.markdown);
    launch::write_named(options.markdown,
                        report_text(file, plan, results, figures, published, shown, command));
  }
  const bool borne_out = print_causes(file, figures, published);
  const int status = print_outcome(plan, results, figures, options);
  return status == kSuccess && (!drawn || !borne_out) ? kFailure : status;
}

}  // namespace

Action add_experiment(CLI::App& app) {
  auto options = std::make_shared<ExperimentOptions>();
  app.add_option("file", options->file,
                 "experiment: a file (docs/experiments.md), or the name of one in configs/experiments")
      ->required();
  app.add_option("--size", options->size, "one of the file's sizes")->capture_default_str();
  options->shared = add_shared_options(app, Command::experiment);
  app.add_option("--only", options->only, "only this figure and its inputs; may be given again")
      ->type_size(1)
      ->allow_extra_args(false);
  app.add_option(
         "--sweep", options->sweeps,
         "NAME=VALUE,VALUE,...: run this sweep at these values only: names of the file's values or, if the "
         "sweep has \"of\", new values; NAME=[...]: values as in the file; may be given again")
      ->type_size(1)
      ->allow_extra_args(false);
  app.add_option("--kernels", options->kernels, "only these kernels of the size, as hotspot,bfs or b*")
      ->delimiter(',')
      ->type_size(1)
      ->allow_extra_args(false);
  app.add_option("--markdown", options->markdown,
                 "write the Markdown report to this file too, with at most three of its pictures, in a "
                 "folder next to it");
  app.add_flag("--wide", options->wide,
               "also write results-wide.csv: one column for each metric, energy and counter");
  CLI::Option* shard =
      app.add_option("--shard", options->shard,
                     "run only share k of n, as 2/8, and write no report; many machines may share --out");
  CLI::Option* collect = app.add_flag(
      "--collect", options->collect, "run nothing: make tables and report from the shares' results in --out");
  CLI::Option* slurm =
      app.add_flag("--slurm", options->slurm,
                   "submit missing runs to Slurm: an array of shares, then a job that collects");
  app.add_option("--cut", options->cut,
                 "run nothing: divide the missing runs into this many shares of about equal cost, which "
                 "--shard K/N then uses")
      ->check(CLI::Range(1, 100000))
      ->excludes(shard)
      ->excludes(collect)
      ->excludes(slurm);
  app.add_option("--shards", options->shards,
                 "with --slurm: total number of shares; default: one per run, up to 64")
      ->check(CLI::Range(1, 100000))
      ->needs(slurm);
  app.add_option("--slurm-options", options->slurm_options,
                 "with --slurm: options of sbatch, as \"--time=60\"")
      ->needs(slurm);
  shard->excludes(collect)->excludes(slurm);
  collect->excludes(slurm);
  CLI::Option* list = app.add_flag("--list", options->list,
                                   "print the runs and the names of their results instead of running them");
  app.add_flag("--cost", options->cost,
               "run nothing: print the cost of the runs in --out and the expected cost of the missing ones")
      ->excludes(list)
      ->excludes(shard)
      ->excludes(collect)
      ->excludes(slurm);
  return [options] { return run_experiment(*options); };
}

}  // namespace heddle::cli

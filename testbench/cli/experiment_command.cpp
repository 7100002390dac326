// heddle experiment: variants x kernels x sweeps of one file, in parallel, with figures and a report.

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <filesystem>
#include <memory>
#include <thread>

#include "models/core/error.h"
#include "testbench/cli/commands.h"
#include "testbench/experiment/figure_data.h"
#include "testbench/experiment/plot.h"
#include "testbench/experiment/report.h"
#include "testbench/run/data_files.h"
#include "testbench/run/new_file.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;
using namespace heddle::experiment;

volatile std::sig_atomic_t stop_asked = 0;

// The second signal ends the program as it would have without us.
void on_signal(int number) {
  stop_asked = 1;
  std::signal(number, SIG_DFL);
}

struct ExperimentOptions {
  std::string file, size = "quick", out, report;
  std::vector<std::string> only;
  int jobs = 0;
  bool quiet = false, list = false;
};

void make_folder(const std::string& folder) {
  std::error_code ec;
  fs::create_directories(folder, ec);
  if (ec) throw Error(folder, "cannot make this folder");
}

std::vector<const Figure*> chosen_figures(const ExperimentFile& file, const ExperimentOptions& options) {
  std::vector<const Figure*> figures;
  std::string names;
  for (const Figure& figure : file.figures) {
    names += (names.empty() ? "" : ", ") + figure.id;
    if (options.only.empty()) figures.push_back(&figure);
  }
  for (const std::string& id : options.only) {
    const Figure* figure = file.find_figure(id);
    if (!figure) throw Error("--only " + id, "there is no such figure", names);
    figures.push_back(figure);
  }
  return figures;
}

// What no figure looks at is not run.
std::set<std::size_t> wanted_points(const Plan& plan, const std::vector<const Figure*>& figures) {
  std::set<std::size_t> wanted;
  for (const Figure* figure : figures) wanted.merge(plan.needed_by(*figure));
  return wanted;
}

// Tables and pictures; returns false if gnuplot failed on one.
bool write_figures(const std::vector<FigureData>& figures, const Published& published,
                   const std::string& folder) {
  make_folder(folder);
  const bool plots = has_gnuplot();
  if (!plots)
    fmt::print(stderr, "warning: gnuplot is missing (scripts/setup installs it): no pictures are drawn\n");
  bool good = true;
  for (const FigureData& data : figures) {
    const std::string& id = data.figure->id;
    if (!data.error.empty()) continue;
    run::write_text(fmt::format("{}/{}.csv", folder, id), figure_csv(data));
    const std::string script = gnuplot_script(data, published);
    if (script.empty()) continue;
    run::write_text(fmt::format("{}/{}.gp", folder, id), script);
    std::string error;
    if (!plots || run_gnuplot(folder, id + ".gp", error)) continue;
    fmt::print(stderr, "error: {}/{}.gp: gnuplot: {}\n", folder, id, error);
    good = false;
  }
  return good;
}

// The report's pictures lie beside it, in a folder of its name.
std::string pictures_beside(const std::string& report) { return fs::path(report).stem().string(); }

void copy_pictures(const std::vector<FigureData>& figures, const std::string& from,
                   const std::string& report) {
  const fs::path folder = fs::path(report).parent_path() / pictures_beside(report);
  for (const FigureData& data : figures) {
    const fs::path picture = fs::path(from) / (data.figure->id + ".svg");
    if (!fs::exists(picture)) continue;
    make_folder(folder.string());
    fs::copy_file(picture, folder / picture.filename(), fs::copy_options::overwrite_existing);
  }
}

// A file, or the name of one that comes with Heddle.
std::string find_experiment(const std::string& name) {
  if (name.find('/') != std::string::npos || name.ends_with(".json")) return name;
  const std::string found = run::find_data(fmt::format("configs/experiments/{}.json", name));
  if (found.empty())
    throw Error(
        "heddle experiment", fmt::format("there is no experiment \"{}\"", name),
        fmt::format("{}, or a file", fmt::join(run::list_data("configs/experiments", ".json"), ", ")));
  return found;
}

std::string command_line(const ExperimentOptions& options) {
  std::string text = fmt::format("heddle experiment {} --size {}", options.file, options.size);
  for (const std::string& id : options.only) text += " --only " + id;
  if (!options.report.empty()) text += " --report " + options.report;
  return text;
}

// Results are kept, so that only what the experiment reads is protected.
void check_files(const Plan& plan, const std::vector<const Figure*>& figures,
                 const ExperimentOptions& options) {
  std::vector<std::string> written = {options.out + "/results.csv", options.out + "/points.csv",
                                      options.out + "/report.md"};
  for (const Figure* figure : figures)
    for (const char* ending : {"csv", "gp", "svg", "png"})
      written.push_back(fmt::format("{}/figures/{}.{}", options.out, figure->id, ending));
  std::vector<std::string> inputs = plan.input_paths();
  inputs.push_back(run::find_data("configs/published.json"));
  run::check_overwrites_no_input(written, inputs, "--out");
  if (options.report.empty()) return;
  written = {options.report};
  const fs::path pictures = fs::path(options.report).parent_path() / pictures_beside(options.report);
  for (const Figure* figure : figures) written.push_back((pictures / (figure->id + ".svg")).string());
  run::check_overwrites_no_input(written, inputs, "--report");
}

int print_outcome(const Plan& plan, const Results& results, const std::vector<FigureData>& figures,
                  const ExperimentOptions& options) {
  const auto failed = results.in_state(PointResult::State::failed);
  const auto done = results.in_state(PointResult::State::done);
  for (const std::size_t i : failed)
    fmt::print(stderr, "error: {}: {}\n", plan.points()[i].label, results.of(i).error);
  bool complete = failed.empty();
  for (const FigureData& data : figures) {
    if (data.error.empty()) continue;
    complete = false;
    fmt::print(stderr, "error: figure {}: {}\n", data.figure->id, data.error);
  }
  if (!options.quiet)
    fmt::print("{} of {} runs have a result ({} of them from an earlier time), {} failed; {} figures in {}\n",
               done.size(), results.wanted().size(), results.finished_before(), failed.size(), figures.size(),
               options.report.empty() ? options.out + "/report.md" : options.report);
  if (stop_asked) return kInterrupted;
  return complete ? kSuccess : kFailure;
}

int run_experiment(ExperimentOptions options) {
  const ExperimentFile file = read_experiment(find_experiment(options.file), options.size);
  const Published published = Published::read();
  published.check(file);
  const Plan plan(file);
  const std::vector<const Figure*> chosen = chosen_figures(file, options);
  if (options.out.empty()) options.out = fmt::format("results/{}-{}", file.name, options.size);
  Results results(plan, wanted_points(plan, chosen));
  if (options.list) {
    for (const std::size_t i : results.wanted())
      fmt::print("{}  {}\n", plan.points()[i].hash, plan.points()[i].label);
    return kSuccess;
  }
  check_files(plan, chosen, options);
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  RunRequest request;
  request.folder = options.out;
  request.jobs =
      options.jobs > 0 ? options.jobs : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  request.progress = !options.quiet && ::isatty(STDERR_FILENO);
  request.stop = &stop_asked;
  results.run(request);

  std::vector<FigureData> figures;
  for (const Figure* figure : chosen) figures.push_back(evaluate(*figure, file, results));
  run::write_text(options.out + "/results.csv", results_csv(file, plan, results));
  run::write_text(options.out + "/points.csv", points_csv(file, plan, results));
  const std::string pictures = options.out + "/figures";
  const bool drawn = write_figures(figures, published, pictures);
  const std::string command = command_line(options);
  run::write_text(options.out + "/report.md",
                  report_text(file, plan, results, figures, published, "figures", command));
  if (!options.report.empty() && !stop_asked) {
    copy_pictures(figures, pictures, options.report);
    run::write_text(options.report, report_text(file, plan, results, figures, published,
                                                pictures_beside(options.report), command));
  }
  const int status = print_outcome(plan, results, figures, options);
  return status == kSuccess && !drawn ? kFailure : status;
}

}  // namespace

Action add_experiment(CLI::App& app) {
  auto options = std::make_shared<ExperimentOptions>();
  app.add_option("file", options->file,
                 "experiment: a file (docs/experiments.md), or the name of one in configs/experiments")
      ->required();
  app.add_option("--size", options->size, "one of the file's sizes")->capture_default_str();
  app.add_option("--out", options->out,
                 "folder of results, default results/NAME-SIZE; finished runs there are kept");
  app.add_option("--jobs", options->jobs, "runs at one time, default: as many as the machine has cores")
      ->check(CLI::Range(1, 256));
  app.add_option("--only", options->only, "only this figure and what it needs; may be given again")
      ->type_size(1)
      ->allow_extra_args(false);
  app.add_option("--report", options->report,
                 "write the Markdown report to this file, its pictures beside it");
  app.add_flag("--list", options->list,
               "print the runs and the names of their results instead of running them");
  app.add_flag("--quiet", options->quiet, "print errors only");
  return [options] { return run_experiment(*options); };
}

}  // namespace heddle::cli

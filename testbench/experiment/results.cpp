#include "testbench/experiment/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <thread>
#include <utility>

#include "models/core/error.h"
#include "models/core/read_file.h"
#include "testbench/experiment/child_pool.h"
#include "testbench/experiment/claims.h"
#include "testbench/experiment/costs.h"
#include "testbench/experiment/simulate.h"
#include "testbench/launch/new_file.h"
#include "testbench/output/progress_line.h"

namespace heddle::experiment {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::string file_of(const std::string& folder, const Plan& plan, std::size_t point) {
  return fmt::format("{}/points/{}.json", folder, plan.name(point));
}

// Returns the largest numbers of warps and registers that a launch holds on an SM, and the number of waves of
// all launches together.
ConfigNode occupancy_of(const ConfigNode& result, const run::RunParameters& parameters) {
  const auto sms = static_cast<std::int64_t>(parameters.gpu.sms);
  std::int64_t warps = 0, registers = 0, waves = 0;
  for (const ConfigNode& launch : result.find("launches")->items) {
    const ConfigNode* held = launch.find("ctas_per_sm");
    if (!held || held->integer < 1) continue;
    std::int64_t threads = 1;
    for (const ConfigNode& extent : launch.find("block")->items) threads *= extent.integer;
    const std::int64_t ctas = launch.find("ctas")->integer, wave = held->integer * sms;
    const std::int64_t resident = std::min(held->integer, (ctas + sms - 1) / sms) * ((threads + 31) / 32);
    warps = std::max(warps, resident);
    registers = std::max(registers, resident * launch.find("registers")->integer);
    waves += (ctas + wave - 1) / wave;
  }
  ConfigNode node = ConfigNode::make_object();
  node.members = {{"warps", ConfigNode::make_integer(warps)},
                  {"warp_registers", ConfigNode::make_integer(registers)},
                  {"waves", ConfigNode::make_integer(waves)}};
  return node;
}

// Executes one run in this process and returns the part of result.json that is stored: totals without single
// launches, and a hash of the configuration. Energies are computed later from the counters.
ConfigNode run_point(const Plan& plan, std::size_t point, const std::string& folder) {
  run::RunParameters parameters = plan.parameters(point);
  parameters.power.technologies.clear();
  parameters.power.stand_back.clear();
  parameters.power.corners.clear();
  parameters.watch.untimed_store = folder + "/untimed";
  std::vector<run::RunParameters> priced;
  for (const std::size_t price : plan.prices_of(point)) priced.push_back(plan.parameters(point, price));
  const ConfigNode result = simulate(parameters, priced);
  if (check_of(result) == "FINDINGS")
    throw Error(plan.label(point),
                "checks found faults: " + result.find("check")->find("finding_lines")->items.front().text);
  if (check_of(result) == "DIFFERENT")
    throw Error(plan.label(point), "outputs differ from the untimed reference");
  ConfigNode kept = ConfigNode::make_object();
  for (const auto& [key, member] : result.members)
    if (key != "configuration" && key != "launches" && key != "inputs")
      kept.members.emplace_back(key, member);
  kept.members.emplace_back("occupancy", occupancy_of(result, parameters));
  for (const run::InputFile& input : plan.inputs(point))
    if (run::has_changed(input)) throw Error(input.path, "this file has changed since the experiment began");
  return kept;
}

class Progress {
 public:
  Progress(bool shown, std::size_t all) : line_(shown), all_(all) { say(); }
  void done(bool ok) {
    ++done_;
    failed_ += !ok;
    say();
  }

 private:
  void say() {
    if (!line_.shown()) return;
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    const double rate = static_cast<double>(done_) / seconds;
    std::string text = fmt::format("{} of {} runs", done_, all_);
    if (failed_) text += fmt::format(", {} failed", failed_);
    if (done_)
      text += fmt::format(", {:.1f} runs/s, {:.0f} s to go", rate, static_cast<double>(all_ - done_) / rate);
    line_.say(std::move(text));
  }

  output::ProgressLine line_;
  std::size_t all_, done_ = 0, failed_ = 0;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

std::string state_text(const PointResult& result) {
  switch (result.state) {
    case PointResult::State::done:
      return "done";
    case PointResult::State::failed:
      return "failed";
    case PointResult::State::refused:
      return "refused: " + result.error;
    default:
      return "not run";
  }
}

Results::Results(const Plan& plan, std::shared_ptr<PointStore> store)
    : plan_(plan), store_(std::move(store)), results_(plan.size()) {
  for (std::size_t i = 0; i < results_.size(); ++i) {
    if (plan.refusal(i).empty()) continue;
    results_[i].state = PointResult::State::refused;
    results_[i].error = plan.refusal(i);
  }
}

void Results::load(const RunRequest& request, const std::vector<std::size_t>& points) {
  for (const std::size_t i : points) {
    if (store_->has(plan_, i)) {
      price(i);
      ++finished_before_;
      continue;
    }
    const std::string file = file_of(request.folder, plan_, i);
    if (!fs::exists(file)) continue;
    PointFile point = read_point_file(file, plan_.identity(i));
    if (point.error.empty()) {
      take_over(i, point.result);
      ++finished_before_;
      continue;
    }
    const std::string known = std::exchange(results_[i].error, fmt::format("{}: {}", file, point.error));
    if (!request.collect && results_[i].error != known)
      fmt::print(stderr, "warning: {}; {} is run again\n", results_[i].error, plan_.label(i));
  }
}

void Results::take_over(std::size_t point, const ConfigNode& result) {
  try {
    store_->add(plan_, point, result);
  } catch (const Error& error) {
    results_[point].state = PointResult::State::failed;
    results_[point].error = error.what();
    return;
  }
  price(point);
}

void Results::price(std::size_t point) {
  PointResult& kept = results_[point];
  kept.values.clear();
  try {
    for (const std::size_t price : plan_.prices_of(point))
      kept.values.emplace(price, store_->values(plan_, point, price));
  } catch (const Error& error) {
    kept.state = PointResult::State::failed;
    kept.error = error.what();
    return;
  }
  kept.state = PointResult::State::done;
  kept.error.clear();
}

void Results::run(const RunRequest& request) {
  std::error_code ec;
  fs::create_directories(request.folder + "/points", ec);
  if (ec) throw Error(request.folder, "cannot make this folder");
  const Claims claims(request.folder + "/points");
  for (const char* place : {"", "/points", "/figures", "/slurm", "/untimed", "/costs", "/cuts"})
    claims.clean(request.folder + place);
  load(request, in_state(PointResult::State::missing));
  if (!request.collect) {
    run_missing(request, chosen(request, in_state(PointResult::State::missing)));
    if (request.wait) wait_for_others(request);
    remove_left_claims(claims);
  }
  for (const std::size_t i : in_state(PointResult::State::done))
    for (const auto& [price, values] : results_[i].values)
      if (price == results_[i].values.begin()->first)
        known_.merge_names(*values);
      else
        known_.merge_own_names(*values);
}

// Removes the files by which killed processes have claimed runs (claims.h), and claims of runs whose results
// are stored.
void Results::remove_left_claims(const Claims& claims) const {
  std::set<std::string> done;
  for (const std::size_t i : in_state(PointResult::State::done)) done.insert(plan_.name(i));
  claims.remove_left([&done](const std::string& point) { return done.contains(point); });
}

std::vector<std::size_t> Results::chosen(const RunRequest& request, std::vector<std::size_t> points) const {
  if (request.chosen) std::erase_if(points, [&](std::size_t i) { return !request.chosen(i); });
  return points;
}

// Executes runs in child processes. A child ends without a result if another process has claimed or finished
// its run.
void Results::run_missing(const RunRequest& request, const std::vector<std::size_t>& points) {
  const Claims claims(request.folder + "/points");
  const auto name = [&](std::size_t i) { return plan_.name(points[i]); };
  Progress progress(request.progress, points.size());
  ChildWork work;
  work.count = points.size();
  work.jobs = request.jobs;
  work.stop = request.stop;
  work.task = [&](std::size_t i) -> std::string {
    const std::string file = file_of(request.folder, plan_, points[i]);
    const PointIdentity identity = plan_.identity(points[i]);
    if (!claims.take(name(i))) return {};
    if (fs::exists(file) && read_point_file(file, identity).error.empty()) {
      claims.release(name(i));
      return {};
    }
    const ConfigNode result = run_point(plan_, points[i], request.folder);
    launch::remove_unless_file(file);
    launch::write_text(file, point_file_text(identity, result));
    write_cost(request.folder, plan_, points[i]);
    return to_json(result);
  };
  work.done = [&](std::size_t i, const ChildOutcome& outcome) {
    progress.done(outcome.ok);
    PointResult& result = results_[points[i]];
    if (!outcome.ok) {
      result.state = PointResult::State::failed;
      result.error = outcome.error;
    } else if (!outcome.text.empty()) {
      take_over(points[i], parse_config_text(outcome.text, file_of(request.folder, plan_, points[i])));
    } else {
      return;
    }
    claims.release(name(i));
  };
  auto renewed = Clock::now();
  work.beat = [&] {
    if (Clock::now() - renewed < std::chrono::seconds(Claims::kRenewSeconds)) return;
    renewed = Clock::now();
    for (std::size_t i = 0; i < points.size(); ++i)
      if (results_[points[i]].state == PointResult::State::missing) claims.renew(name(i));
  };
  const auto give_up = [&] {
    for (std::size_t i = 0; i < points.size(); ++i)
      if (results_[points[i]].state == PointResult::State::missing) claims.release(name(i));
  };
  try {
    run_children(work);
  } catch (...) {
    give_up();
    throw;
  }
  give_up();
}

void Results::wait_for_others(const RunRequest& request) {
  const Claims claims(request.folder + "/points");
  std::set<std::string> said;
  while (!request.stop || !*request.stop) {
    load(request, in_state(PointResult::State::missing));
    const std::vector<std::size_t> missing = in_state(PointResult::State::missing);
    if (missing.empty()) return;
    std::vector<std::size_t> free;
    std::set<std::string> owners;
    for (const std::size_t i : missing) {
      if (claims.is_free(plan_.name(i)))
        free.push_back(i);
      else
        owners.insert(printable(claims.owner_of(plan_.name(i))));
    }
    if (!free.empty()) {
      run_missing(request, free);
      continue;
    }
    if (!request.quiet && owners != said)
      fmt::print(stderr, "waiting for {} runs that others are at work on (host and process: {})\n",
                 missing.size(), fmt::join(owners, ", "));
    said = owners;
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
}

const PointValues* Results::values_at(const Place& place) const {
  const Plan::Planned* planned = plan_.find(place);
  if (!planned) return nullptr;
  const PointResult& result = results_[planned->point];
  return result.state == PointResult::State::done ? result.values.at(planned->price).get() : nullptr;
}

std::optional<std::size_t> Results::point_at(const Place& place) const {
  const Plan::Planned* planned = plan_.find(place);
  if (!planned || results_[planned->point].state != PointResult::State::done) return std::nullopt;
  return planned->point;
}

const std::string& Results::refusal_at(const Place& place) const {
  static const std::string none;
  const Plan::Planned* planned = plan_.find(place);
  return planned ? plan_.refusal(planned->point) : none;
}

std::vector<std::size_t> Results::in_state(PointResult::State state) const {
  std::vector<std::size_t> points;
  for (std::size_t i = 0; i < results_.size(); ++i)
    if (results_[i].state == state) points.push_back(i);
  return points;
}

}  // namespace heddle::experiment

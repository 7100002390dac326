#include "testbench/experiment/results.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <string_view>
#include <thread>

#include "models/core/error.h"
#include "testbench/experiment/child_pool.h"
#include "testbench/experiment/claims.h"
#include "testbench/experiment/simulate.h"
#include "testbench/launch/npy.h"
#include "testbench/run/new_file.h"

namespace heddle::experiment {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::string file_of(const std::string& folder, const Point& point) {
  return fmt::format("{}/points/{}.json", folder, point.hash);
}

// What a point keeps of its result.json: not the configuration, which its hash stands for, and not the
// launches one by one.
std::string run_point(const Point& point) {
  const ConfigNode result = simulate(point.parameters);
  if (check_of(result) == "DIFFERENT") throw Error(point.label, "outputs differ from the untimed reference");
  ConfigNode kept = ConfigNode::make_object();
  kept.members.emplace_back("point", ConfigNode::make_string(point.label));
  for (const auto& [key, member] : result.members)
    if (key != "configuration" && key != "launches" && key != "inputs")
      kept.members.emplace_back(key, member);
  for (const run::InputFile& input : point.inputs)
    if (run::has_changed(input)) throw Error(input.path, "this file has changed since the experiment began");
  return to_json(kept);
}

// The first line of a point's file carries the hash of the rest, so that a point that has been edited or cut
// off is not taken for a result.
constexpr std::string_view kBegin = "{\n", kSealBegin = "{\n  \"content_fnv1a64\": \"", kSealEnd = "\",\n";

std::string sealed(const std::string& text) {
  return fmt::format("{}{}{}{}", kSealBegin, run::hash_of_text(text), kSealEnd, text.substr(kBegin.size()));
}

// The text as it was before it was sealed; nothing if it is another.
std::optional<std::string> unsealed(const std::string& file) {
  const std::size_t end = file.find(kSealEnd);
  if (!file.starts_with(kSealBegin) || end == std::string::npos) return std::nullopt;
  const std::string hash = file.substr(kSealBegin.size(), end - kSealBegin.size());
  std::string text = std::string(kBegin) + file.substr(end + kSealEnd.size());
  return run::hash_of_text(text) == hash ? std::optional(std::move(text)) : std::nullopt;
}

bool is_whole(const std::string& file) {
  if (!fs::exists(file)) return false;
  const std::vector<std::uint8_t> bytes = launch::read_bytes(file);
  return unsealed(std::string(bytes.begin(), bytes.end())).has_value();
}

// One line on the terminal.
class Progress {
 public:
  Progress(bool shown, std::size_t all) : shown_(shown), all_(all) {}
  ~Progress() {
    if (printed_) fmt::print(stderr, "\r\x1b[K");
  }
  void done(bool ok) {
    ++done_;
    failed_ += !ok;
  }
  void beat() {
    const auto now = Clock::now();
    if (!shown_ || now - last_ < std::chrono::milliseconds(250)) return;
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double rate = static_cast<double>(done_) / seconds;
    std::string text = fmt::format("{} of {} runs", done_, all_);
    if (failed_) text += fmt::format(", {} failed", failed_);
    if (done_)
      text += fmt::format(", {:.1f} runs/s, {:.0f} s to go", rate, static_cast<double>(all_ - done_) / rate);
    fmt::print(stderr, "\r\x1b[K{}", text);
    std::fflush(stderr);
    printed_ = true;
  }

 private:
  bool shown_, printed_ = false;
  std::size_t all_, done_ = 0, failed_ = 0;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

}  // namespace

void Results::load(const std::string& folder, const std::vector<std::size_t>& points) {
  for (const std::size_t i : points) {
    const std::string file = file_of(folder, plan_.points()[i]);
    if (!fs::exists(file)) continue;
    const std::vector<std::uint8_t> bytes = launch::read_bytes(file);
    const std::optional<std::string> text = unsealed(std::string(bytes.begin(), bytes.end()));
    if (!text) {
      fmt::print(stderr, "warning: {}: not as it was written; {} is run again\n", file,
                 plan_.points()[i].label);
      continue;
    }
    results_[i].values = PointValues(parse_config_text(*text, file));
    results_[i].state = PointResult::State::done;
    ++finished_before_;
  }
}

void Results::keep(std::size_t point, const std::string& text, const std::string& folder) {
  results_[point].values = PointValues(parse_config_text(text, file_of(folder, plan_.points()[point])));
  results_[point].state = PointResult::State::done;
}

std::vector<std::size_t> Results::share(int shard, int shards) const {
  std::vector<std::size_t> points;
  std::size_t position = 0;
  for (const std::size_t i : wanted_)
    if (shard == 0 || position++ % static_cast<std::size_t>(shards) == static_cast<std::size_t>(shard - 1))
      points.push_back(i);
  return points;
}

void Results::run(const RunRequest& request) {
  std::error_code ec;
  fs::create_directories(request.folder + "/points", ec);
  if (ec) throw Error(request.folder, "cannot make this folder");
  results_.assign(plan_.points().size(), {});
  load(request.folder, {wanted_.begin(), wanted_.end()});
  if (!request.collect) {
    std::vector<std::size_t> missing;
    for (const std::size_t i : share(request.shard, request.shards))
      if (results_[i].state == PointResult::State::missing) missing.push_back(i);
    run_missing(request, missing);
    if (request.shard == 0) wait_for_others(request);
  }
  for (const std::size_t i : in_state(PointResult::State::done)) known_.merge_names(results_[i].values);
}

// A child that finds the point claimed, or done in the meantime, leaves it and says nothing.
void Results::run_missing(const RunRequest& request, const std::vector<std::size_t>& points) {
  const Claims claims(request.folder + "/points");
  const auto point = [&](std::size_t i) -> const Point& { return plan_.points()[points[i]]; };
  Progress progress(request.progress, points.size());
  ChildWork work;
  work.count = points.size();
  work.jobs = request.jobs;
  work.stop = request.stop;
  work.task = [&](std::size_t i) -> std::string {
    const std::string file = file_of(request.folder, point(i));
    if (!claims.take(point(i).hash)) return {};
    if (is_whole(file)) {
      claims.release(point(i).hash);
      return {};
    }
    std::string text = run_point(point(i));
    run::write_text(file, sealed(text));
    return text;
  };
  work.done = [&](std::size_t i, const ChildOutcome& outcome) {
    progress.done(outcome.ok);
    PointResult& result = results_[points[i]];
    if (!outcome.ok) {
      result.state = PointResult::State::failed;
      result.error = outcome.error;
    } else if (!outcome.text.empty()) {
      keep(points[i], outcome.text, request.folder);
    } else {
      return;
    }
    claims.release(point(i).hash);
  };
  auto renewed = Clock::now();
  work.beat = [&] {
    progress.beat();
    if (Clock::now() - renewed < std::chrono::seconds(Claims::kRenewSeconds)) return;
    renewed = Clock::now();
    for (std::size_t i = 0; i < points.size(); ++i)
      if (results_[points[i]].state == PointResult::State::missing) claims.renew(point(i).hash);
  };
  const auto give_up = [&] {
    for (std::size_t i = 0; i < points.size(); ++i)
      if (results_[points[i]].state == PointResult::State::missing) claims.release(point(i).hash);
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
  while (!request.stop || !*request.stop) {
    load(request.folder, in_state(PointResult::State::missing));
    const std::vector<std::size_t> missing = in_state(PointResult::State::missing);
    if (missing.empty()) return;
    std::vector<std::size_t> free;
    for (const std::size_t i : missing)
      if (claims.is_free(plan_.points()[i].hash)) free.push_back(i);
    if (!free.empty())
      run_missing(request, free);
    else
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
}

const PointValues* Results::values_at(const Place& place) const {
  const int point = plan_.find(place);
  if (point < 0) return nullptr;
  const PointResult& result = results_[static_cast<std::size_t>(point)];
  return result.state == PointResult::State::done ? &result.values : nullptr;
}

std::vector<std::size_t> Results::in_state(PointResult::State state) const {
  std::vector<std::size_t> points;
  for (const std::size_t i : wanted_)
    if (results_[i].state == state) points.push_back(i);
  return points;
}

}  // namespace heddle::experiment

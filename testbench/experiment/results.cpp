#include "testbench/experiment/results.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <string_view>

#include "models/core/error.h"
#include "testbench/experiment/child_pool.h"
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

void Results::load(const std::string& folder) {
  for (const std::size_t i : wanted_) {
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
  const std::string file = file_of(folder, plan_.points()[point]);
  run::write_text(file, sealed(text));
  results_[point].values = PointValues(parse_config_text(text, file));
  results_[point].state = PointResult::State::done;
}

void Results::run(const RunRequest& request) {
  std::error_code ec;
  fs::create_directories(request.folder + "/points", ec);
  if (ec) throw Error(request.folder, "cannot make this folder");
  results_.assign(plan_.points().size(), {});
  load(request.folder);
  const std::vector<std::size_t> missing = in_state(PointResult::State::missing);
  Progress progress(request.progress, missing.size());
  ChildWork work;
  work.count = missing.size();
  work.jobs = request.jobs;
  work.stop = request.stop;
  work.task = [&](std::size_t i) { return run_point(plan_.points()[missing[i]]); };
  work.done = [&](std::size_t i, const ChildOutcome& outcome) {
    progress.done(outcome.ok);
    PointResult& result = results_[missing[i]];
    if (outcome.ok) return keep(missing[i], outcome.text, request.folder);
    result.state = PointResult::State::failed;
    result.error = outcome.error;
  };
  work.beat = [&] { progress.beat(); };
  run_children(work);
  for (const std::size_t i : in_state(PointResult::State::done)) known_.merge_names(results_[i].values);
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

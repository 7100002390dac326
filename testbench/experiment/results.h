#pragma once

// Runs the points of a plan and keeps what they give in a folder, so that an experiment that was stopped goes
// on where it was.

#include <csignal>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testbench/experiment/plan.h"
#include "testbench/experiment/point_store.h"
#include "testbench/experiment/point_values.h"

namespace heddle::experiment {

struct PointResult {
  enum class State { missing, done, failed, refused };
  State state = State::missing;
  /// Why it failed, or was refused; of a missing one, what is wrong with the file that has its name.
  std::string error;
  /// By price (Plan::prices).
  std::map<std::size_t, std::shared_ptr<const PointValues>> values;
};

/// "done", "failed", "not run", and for a refused one the reason with it.
std::string state_text(const PointResult& result);

struct RunRequest {
  std::string folder;  ///< points are kept in its folder "points"
  int jobs = 1;
  bool collect = false;                                ///< takes over what the folder has, and runs nothing
  bool wait = true;                                    ///< for what other processes on the folder are running
  bool quiet = false;                                  ///< says nothing of whom it waits for
  bool progress = false;                               ///< a line on the terminal
  std::function<bool(std::size_t point)> chosen = {};  ///< which points are run, if it is given: else all
  const volatile std::sig_atomic_t* stop = nullptr;
};

class Results {
 public:
  /// `store`: what the command has read before, and where all goes that is read here; a new one unless given.
  explicit Results(const Plan& plan, std::shared_ptr<PointStore> store = std::make_shared<PointStore>());

  /// Takes over what the folder has, runs the rest. What another process on the folder is running is left to it,
  /// and waited for if that is asked. What fails is kept as failed and does not stop the
  /// others; it is tried again by the next run. Throws Error if the folder cannot be written to.
  void run(const RunRequest& request);

  const PointResult& of(std::size_t point) const { return results_[point]; }
  /// The result at a place, or nullptr where nothing was run.
  const PointValues* values_at(const Place& place) const;
  /// Whether the techniques at a place refuse each other.
  bool is_refused(const Place& place) const { return !refusal_at(place).empty(); }
  /// Why; empty if they do not.
  const std::string& refusal_at(const Place& place) const;
  /// Every name that any finished run has.
  const PointValues& known() const { return known_; }
  std::size_t finished_before() const { return finished_before_; }
  std::vector<std::size_t> in_state(PointResult::State state) const;
  /// How many points are not refused.
  std::size_t runs() const { return results_.size() - in_state(PointResult::State::refused).size(); }
  /// The point at a place that has been run, or nullopt.
  std::optional<std::size_t> point_at(const Place& place) const;
  /// Whether every point of the experiment is planned, not those of some figures alone.
  bool all_wanted() const { return plan_.is_whole(); }

 private:
  void load(const RunRequest& request, const std::vector<std::size_t>& points);
  std::vector<std::size_t> chosen(const RunRequest& request, std::vector<std::size_t> points) const;
  void run_missing(const RunRequest& request, const std::vector<std::size_t>& points);
  void wait_for_others(const RunRequest& request);
  /// Prices a run that is in the store for every place of the point; what is wrong with a technology makes it failed.
  void price(std::size_t point);
  void take_over(std::size_t point, const ConfigNode& result);

  const Plan& plan_;
  std::shared_ptr<PointStore> store_;
  std::vector<PointResult> results_;
  PointValues known_;
  std::size_t finished_before_ = 0;
};

}  // namespace heddle::experiment

#pragma once

// Runs the points of a plan and keeps what they give in a folder, so that an experiment that was stopped goes
// on where it was.

#include <csignal>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "testbench/experiment/plan.h"
#include "testbench/experiment/point_values.h"

namespace heddle::experiment {

struct PointResult {
  enum class State { missing, done, failed };
  State state = State::missing;
  std::string error;
  PointValues values;
};

struct RunRequest {
  std::string folder;  ///< points are kept in its folder "points"
  int jobs = 1;
  bool collect = false;  ///< takes over what the folder has, and runs nothing
  int shard = 0;         ///< runs only every `shards`-th point from the shard-th on; 0: all
  int shards = 1;
  bool progress = false;  ///< a line on the terminal
  const volatile std::sig_atomic_t* stop = nullptr;
};

class Results {
 public:
  Results(const Plan& plan, const std::set<std::size_t>& wanted) : plan_(plan), wanted_(wanted) {}

  /// Takes over what the folder has, runs the rest. What another process on the folder is running is left to it,
  /// and waited for where all points are wanted. What fails is kept as failed and does not stop the
  /// others; it is tried again by the next run. Throws Error if the folder cannot be written to.
  void run(const RunRequest& request);

  const PointResult& of(std::size_t point) const { return results_[point]; }
  /// The result at a place, or nullptr where nothing was run.
  const PointValues* values_at(const Place& place) const;
  /// Every name that any finished run has.
  const PointValues& known() const { return known_; }
  std::size_t finished_before() const { return finished_before_; }
  std::vector<std::size_t> in_state(PointResult::State state) const;
  const std::set<std::size_t>& wanted() const { return wanted_; }
  /// Whether every point of the plan is wanted, not those of some figures alone.
  bool all_wanted() const { return wanted_.size() == plan_.points().size(); }
  /// The wanted points of a share.
  std::vector<std::size_t> share(int shard, int shards) const;

 private:
  void load(const std::string& folder, const std::vector<std::size_t>& points);
  void run_missing(const RunRequest& request, const std::vector<std::size_t>& points);
  void wait_for_others(const RunRequest& request);
  void keep(std::size_t point, const std::string& text, const std::string& folder);

  const Plan& plan_;
  std::set<std::size_t> wanted_;
  std::vector<PointResult> results_;
  PointValues known_;
  std::size_t finished_before_ = 0;
};

}  // namespace heddle::experiment

#pragma once

// Runs the points of a plan (a point is one run) and stores their results in a folder. An experiment that was
// stopped continues from the stored results.

#include <csignal>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testbench/experiment/claims.h"
#include "testbench/experiment/plan.h"
#include "testbench/experiment/point_store.h"
#include "testbench/experiment/point_values.h"

namespace heddle::experiment {

struct PointResult {
  enum class State { missing, done, failed, refused };
  State state = State::missing;
  /// Cause of a failure or refusal; for a missing point, the error in the file with its name.
  std::string error;
  /// values of the point for each price (Plan::prices)
  std::map<std::size_t, std::shared_ptr<const PointValues>> values;
};

/// Returns "done", "failed" or "not run", or "refused" with the reason.
std::string state_text(const PointResult& result);

struct RunRequest {
  std::string folder;  ///< folder of the experiment; results are stored in its subfolder "points"
  int jobs = 1;
  bool collect = false;   ///< True: only the folder's results are read, and nothing is run.
  bool wait = true;       ///< True: waits for points that other processes are running.
  bool quiet = false;     ///< True: the processes that are waited for are not printed.
  bool progress = false;  ///< True: a line on the terminal shows the progress.
  std::function<bool(std::size_t point)> chosen = {};  ///< selects the points that are run; empty: all points
  const volatile std::sig_atomic_t* stop = nullptr;
};

class Results {
 public:
  /// `store`: holds results that were read earlier, and receives all results that this object reads.
  explicit Results(const Plan& plan, std::shared_ptr<PointStore> store = std::make_shared<PointStore>());

  /// Reads the results of finished points and runs the other points. Points that another process is running
  /// are left to that process; `request` determines whether this process waits for them. A failed point is
  /// stored as failed, does not stop other points, and is tried again by the next run. Throws Error if the
  /// folder cannot be written to.
  void run(const RunRequest& request);

  const PointResult& of(std::size_t point) const { return results_[point]; }
  /// Returns the result at a place (variant, kernel, sweep value); nullptr if there is no result.
  const PointValues* values_at(const Place& place) const;
  /// Returns true if the techniques at a place (variant, kernel, sweep value) refuse each other.
  bool is_refused(const Place& place) const { return !refusal_at(place).empty(); }
  /// Returns the reason of the refusal; empty if there is none.
  const std::string& refusal_at(const Place& place) const;
  /// Returns an object that has every name of a value which some finished run has.
  const PointValues& known() const { return known_; }
  std::size_t finished_before() const { return finished_before_; }
  std::vector<std::size_t> in_state(PointResult::State state) const;
  /// Returns the number of points that are not refused.
  std::size_t runs() const { return results_.size() - in_state(PointResult::State::refused).size(); }
  /// Returns the point at a place (variant, kernel, sweep value), if the point has been run.
  std::optional<std::size_t> point_at(const Place& place) const;
  /// Returns true if the plan has every point of the experiment, not only points that some figures use.
  bool all_wanted() const { return plan_.is_whole(); }

 private:
  void remove_left_claims(const Claims& claims) const;
  void load(const RunRequest& request, const std::vector<std::size_t>& points);
  std::vector<std::size_t> chosen(const RunRequest& request, std::vector<std::size_t> points) const;
  void run_missing(const RunRequest& request, const std::vector<std::size_t>& points);
  void wait_for_others(const RunRequest& request);
  /// Prices a stored run for every place that shares it. An invalid technology makes the point count as
  /// failed.
  void price(std::size_t point);
  void take_over(std::size_t point, const ConfigNode& result);

  const Plan& plan_;
  std::shared_ptr<PointStore> store_;
  std::vector<PointResult> results_;
  PointValues known_;
  std::size_t finished_before_ = 0;
};

}  // namespace heddle::experiment

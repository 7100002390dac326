#pragma once

// Executes the runs of a plan and stores their results in a folder. An experiment that was stopped continues
// from the stored results.

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
  /// Cause of a failure or refusal. For a missing run, the error in its result file with the file's name.
  std::string error;
  /// values of the run, one object for each set of energy prices (Plan::prices)
  std::map<std::size_t, std::shared_ptr<const PointValues>> values;
};

/// Returns "done", "failed", "not run", or "refused" with the reason why the techniques cannot be combined.
std::string state_text(const PointResult& result);

struct RunRequest {
  std::string folder;  ///< folder of the experiment; results are stored in its subfolder "points"
  int jobs = 1;
  bool collect = false;   ///< True: stored results are read, and no run is executed.
  bool wait = true;       ///< True: waits for the runs that other processes are executing.
  bool quiet = false;     ///< True: does not print the names of the processes for which it waits.
  bool progress = false;  ///< True: shows the progress in one line on the terminal.
  /// Returns true for the runs to execute; empty: all runs.
  std::function<bool(std::size_t point)> chosen = {};
  const volatile std::sig_atomic_t* stop = nullptr;
};

class Results {
 public:
  /// `store`: holds results that were read before, and receives all results that this object reads.
  explicit Results(const Plan& plan, std::shared_ptr<PointStore> store = std::make_shared<PointStore>());

  /// Reads the results of finished runs and executes the other runs. If another process is executing a run,
  /// the run is left to that process. `request` determines whether this process waits for the other process.
  /// A failed run is recorded as failed and does not stop other runs. The next call executes failed runs
  /// again. Throws Error if the folder cannot be written to.
  void run(const RunRequest& request);

  const PointResult& of(std::size_t point) const { return results_[point]; }
  /// Returns the result for a combination of variant, kernel and sweep value; nullptr if there is none.
  const PointValues* values_at(const Place& place) const;
  /// Returns true if the techniques of a combination (variant, kernel, sweep value) refuse each other.
  bool is_refused(const Place& place) const { return !refusal_at(place).empty(); }
  /// Returns the reason why the techniques of a combination refuse each other; empty if they do not.
  const std::string& refusal_at(const Place& place) const;
  /// Returns an object with the names of all values that at least one finished run has.
  const PointValues& known() const { return known_; }
  std::size_t finished_before() const { return finished_before_; }
  std::vector<std::size_t> in_state(PointResult::State state) const;
  /// Returns the number of runs. Runs whose techniques refuse each other are left out.
  std::size_t runs() const { return results_.size() - in_state(PointResult::State::refused).size(); }
  /// Returns the run of a combination (variant, kernel, sweep value), if it has been executed.
  std::optional<std::size_t> point_at(const Place& place) const;
  /// Returns true if the plan has all runs of the experiment, not only those of some figures.
  bool all_wanted() const { return plan_.is_whole(); }

 private:
  void remove_left_claims(const Claims& claims) const;
  void load(const RunRequest& request, const std::vector<std::size_t>& points);
  std::vector<std::size_t> chosen(const RunRequest& request, std::vector<std::size_t> points) const;
  void run_missing(const RunRequest& request, const std::vector<std::size_t>& points);
  void wait_for_others(const RunRequest& request);
  /// Computes the energies of a stored run for every combination that uses it, with the combination's prices.
  /// If a technology is invalid, the run counts as failed.
  void price(std::size_t point);
  void take_over(std::size_t point, const ConfigNode& result);

  const Plan& plan_;
  std::shared_ptr<PointStore> store_;
  std::vector<PointResult> results_;
  PointValues known_;
  std::size_t finished_before_ = 0;
};

}  // namespace heddle::experiment

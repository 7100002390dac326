#pragma once

// Executes the runs of a plan and stores their results in a folder. A stopped experiment continues from the
// stored results.

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
  /// Cause of a failure or refusal. For a missing run whose result file cannot be used: the file's name and
  /// its error.
  std::string error;
  std::map<std::size_t, std::shared_ptr<const PointValues>> values;
};

/// Returns "done", "failed", "not run", or "refused" with the reason.
std::string state_text(const PointResult& result);

struct RunRequest {
  std::string folder;
  int jobs = 1;
  bool collect = false;  ///< Reads stored results and executes no run.
  bool wait = true;      ///< Waits for the runs that other processes are executing.
  bool quiet = false;    ///< Does not print which processes it waits for.
  bool progress = false;
  /// Returns true for the runs to execute. If the function is empty, all runs are executed.
  std::function<bool(std::size_t point)> chosen = {};
  const volatile std::sig_atomic_t* stop = nullptr;
};

class Results {
 public:
  /// Prepares the results of the runs of `plan`. `store`: holds results that were read before, and receives
  /// the results of this object.
  explicit Results(const Plan& plan, std::shared_ptr<PointStore> store = std::make_shared<PointStore>());

  /// Reads the results of finished runs and executes the others. Does not execute runs that another process
  /// is executing; if `request.wait` is set, waits for their results. A failed run does not stop others, and
  /// the next call executes it again. Throws Error if the folder cannot be written to.
  void run(const RunRequest& request);

  const PointResult& of(std::size_t point) const { return results_[point]; }
  const PointValues* values_at(const Place& place) const;
  /// Returns true if the techniques of this variant, kernel and sweep value cannot be combined.
  bool is_refused(const Place& place) const { return !refusal_at(place).empty(); }
  /// Returns why the techniques of the run at `place` cannot be combined; empty if they can.
  const std::string& refusal_at(const Place& place) const;
  /// Returns the names of the values of all finished runs. A name is present if at least one run has the
  /// value.
  const PointValues& known() const { return known_; }
  std::size_t finished_before() const { return finished_before_; }
  std::vector<std::size_t> in_state(PointResult::State state) const;
  std::size_t runs() const { return results_.size() - in_state(PointResult::State::refused).size(); }
  std::optional<std::size_t> point_at(const Place& place) const;
  bool all_wanted() const { return plan_.is_whole(); }

 private:
  void remove_left_claims(const Claims& claims) const;
  void load(const RunRequest& request, const std::vector<std::size_t>& points);
  std::vector<std::size_t> chosen(const RunRequest& request, std::vector<std::size_t> points) const;
  void run_missing(const RunRequest& request, const std::vector<std::size_t>& points);
  void wait_for_others(const RunRequest& request);
  /// Computes the energies of a stored run, once for every set of prices that the plan has for this run. If a
  /// technology is invalid, the run counts as failed.
  void price(std::size_t point);
  void take_over(std::size_t point, const ConfigNode& result);

  const Plan& plan_;
  std::shared_ptr<PointStore> store_;
  std::vector<PointResult> results_;
  PointValues known_;
  std::size_t finished_before_ = 0;
};

}  // namespace heddle::experiment

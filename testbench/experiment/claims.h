#pragma once

// Distributes points (the runs of an experiment) among processes that share a folder, on one machine or
// several. A claim is a file next to the point's result that names host and process. The process that creates
// the claim runs the point.

#include <functional>
#include <string>

namespace heddle::experiment {

class Claims {
 public:
  /// `folder`: the folder in which the runs' results are stored.
  explicit Claims(std::string folder);

  /// Returns true if this process may execute a run of the experiment: the run has no claim, or the process
  /// that claimed the run has ended. A process of this host has ended if no process has its number. Running
  /// processes renew their claims. A process of any host therefore counts as ended if the date of its claim
  /// differs from the present time by more than kStaleSeconds.
  bool take(const std::string& point) const;
  /// Renews the claims of this process and of its child processes, so that other processes do not treat them
  /// as stale.
  void renew(const std::string& point) const;
  /// Releases this process's claim of a run.
  void release(const std::string& point) const;
  /// Returns true if no living process has claimed this run of the experiment.
  bool is_free(const std::string& point) const;

  /// Removes claims that killed processes have left: claims of ended processes, and claims of runs that have
  /// a result. `has_result`: returns true for a run with a result.
  void remove_left(const std::function<bool(const std::string& point)>& has_result) const;

  /// Returns host and process that hold the claim of a run, such as "node7 4711"; empty if it has no claim.
  std::string owner_of(const std::string& point) const;
  /// Removes files that ended processes left incomplete in a folder ("FILE.HOST-PROCESS.part"), and claims of
  /// runs without a result. A file of another host is removed only under two conditions: the file is older
  /// than kStaleSeconds, and no living process has claimed its run.
  void clean(const std::string& folder) const;

  static constexpr int kStaleSeconds =
      /// Age of a claim in seconds from which its process counts as ended. Running processes renew their
      /// claims every kRenewSeconds.
      120;
  static constexpr int kRenewSeconds = 10;

 private:
  std::string file_of(const std::string& point) const { return folder_ + "/" + point + ".claim"; }
  bool is_ours(const std::string& point) const;
  bool is_stale(const std::string& file) const;
  bool move_stale_away(const std::string& file) const;
  bool is_left_over(const std::string& folder, const std::string& name) const;
  bool is_gone(long process) const;
  long seconds_since(const std::string& file, long otherwise) const;

  std::string folder_, host_, owner_;
};

}  // namespace heddle::experiment

#pragma once

// Distributes the runs of an experiment among processes that share a folder, on one or several machines. A
// claim is a file next to a run's result that names host and process. The process that creates the claim
// executes the run.

#include <functional>
#include <string>

namespace heddle::experiment {

class Claims {
 public:
  explicit Claims(std::string folder);

  /// Returns true if this process may execute a run: no process has claimed the run, or the claiming process
  /// has ended. A process of this host has ended if its process number is unused. Running processes renew
  /// their claims. Therefore, a process of any host counts as ended if its claim is older than kStaleSeconds,
  /// or dated that far in the future.
  bool take(const std::string& point) const;
  void renew(const std::string& point) const;
  void release(const std::string& point) const;
  bool is_free(const std::string& point) const;

  /// Removes files by which processes have claimed runs, if they are no longer needed: claims of ended
  /// processes, and claims of runs for which `has_result` returns true.
  void remove_left(const std::function<bool(const std::string& point)>& has_result) const;

  /// Returns host and process that have claimed a run, such as "node7 4711"; empty if no process has.
  std::string owner_of(const std::string& point) const;
  /// Removes incomplete files ("FILE.HOST-PROCESS.part") of ended processes. Also removes claims of ended
  /// processes on runs without a result. Removes a file of another host only if the file is older than
  /// kStaleSeconds and no living process claims the file's run.
  void clean(const std::string& folder) const;

  static constexpr int kStaleSeconds =
      /// Age, in seconds, of the file by which a process has claimed a run. From this age on, the process
      /// counts as ended. Running processes renew claims every kRenewSeconds.
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

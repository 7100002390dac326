#pragma once

// Distributes points (the runs of an experiment) among processes that share a folder, on one machine or
// several. A claim is a file next to the point's result that names host and process. The process that creates
// the claim runs the point.

#include <functional>
#include <string>

namespace heddle::experiment {

class Claims {
 public:
  /// `folder`: the folder of the points.
  explicit Claims(std::string folder);

  /// Returns true if this process may run the point (a run of the experiment): the point has no claim, or the
  /// process that claimed it has ended. A process of this host has ended if it does not exist. A process of
  /// any host has ended if the date of its claim differs from the present time by more than kStaleSeconds,
  /// because running processes renew their claims.
  bool take(const std::string& point) const;
  /// Renews the claims of this process and of its children.
  void renew(const std::string& point) const;
  /// Releases this process's claim of a point.
  void release(const std::string& point) const;
  /// Returns true if no running process has claimed the point.
  bool is_free(const std::string& point) const;

  /// Removes the claims of ended processes, and of points that have a result: processes that were killed leave
  /// both. `has_result`: returns true for such a point.
  void remove_left(const std::function<bool(const std::string& point)>& has_result) const;

  /// Returns host and process of the claim, such as "node7 4711"; empty if there is none.
  std::string owner_of(const std::string& point) const;
  /// Removes files that ended processes left incomplete in a folder ("FILE.HOST-PROCESS.part"), and claims
  /// without a result in the folder of the points. A file of another host is removed only if it is older than
  /// kStaleSeconds and belongs to no point with a live claim.
  void clean(const std::string& folder) const;

  static constexpr int kStaleSeconds =
      120;  ///< Age in seconds at which a claim is stale. Running processes renew their claims every kRenewSeconds.
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

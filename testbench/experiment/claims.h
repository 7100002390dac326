#pragma once

// Distributes points among processes, on one machine or many, that share a folder. The process that creates a
// point's claim runs the point; the claim is a file next to the result with host and process.

#include <string>

namespace heddle::experiment {

class Claims {
 public:
  /// `folder`: the folder of the points.
  explicit Claims(std::string folder);

  /// True if this process may run the point: it has no claim, or the claiming process has ended. A process of
  /// this host has ended if it does not exist. A process of any host has ended if the date of its claim
  /// differs from now by more than kStaleSeconds: running processes renew their claims.
  bool take(const std::string& point) const;
  /// Renews the claims of this process and counts its children as its own.
  void renew(const std::string& point) const;
  /// Releases a claim of this process.
  void release(const std::string& point) const;
  /// True if no running process has claimed the point.
  bool is_free(const std::string& point) const;

  /// Host and process of the claim, "node7 4711"; empty if there is none.
  std::string owner_of(const std::string& point) const;
  /// Removes files that ended processes left half written in a folder, "FILE.HOST-PROCESS.part", and
  /// unfinished claims in the folder of the points. Files of another host must be older than kStaleSeconds
  /// and belong to no point with a live claim.
  void clean(const std::string& folder) const;

  static constexpr int kStaleSeconds = 120;  ///< interval of renewal
  static constexpr int kRenewSeconds = 10;

 private:
  std::string file_of(const std::string& point) const { return folder_ + "/" + point + ".claim"; }
  bool is_ours(const std::string& point) const;
  bool is_stale(const std::string& file) const;
  bool is_left_over(const std::string& folder, const std::string& name) const;
  bool is_gone(long process) const;
  long seconds_since(const std::string& file, long otherwise) const;

  std::string folder_, host_, owner_;
};

}  // namespace heddle::experiment

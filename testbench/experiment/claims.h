#pragma once

// Who runs which point, where several processes, on one machine or many, share a folder: a point is run by the
// one that makes its claim, a file beside its result with host and process.

#include <string>

namespace heddle::experiment {

class Claims {
 public:
  /// `folder` holds the points.
  explicit Claims(std::string folder);

  /// True if this process may run the point: nobody has claimed it, or whoever did is gone. A process of this
  /// host is gone if it does not exist, any process if the date of its claim is further than kStaleSeconds from
  /// now: whoever is alive renews it to now.
  bool take(const std::string& point) const;
  /// Shows that this process is still at work on what it has claimed, and has children to prove it.
  void renew(const std::string& point) const;
  /// Gives up a claim of this process.
  void release(const std::string& point) const;
  /// Nobody who is alive has claimed the point.
  bool is_free(const std::string& point) const;

  /// Host and process of the claim, "node7 4711"; empty if there is none.
  std::string owner_of(const std::string& point) const;
  /// Removes what processes that are gone have left half written in a folder: "FILE.HOST-PROCESS.part", and in
  /// the folder of the points their unfinished claims. Of another host, only what is older than kStaleSeconds and
  /// belongs to no point with a living claim.
  void clean(const std::string& folder) const;

  static constexpr int kStaleSeconds = 120;  ///< claims are renewed every kRenewSeconds
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

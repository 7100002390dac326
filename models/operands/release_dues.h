#pragma once

// Releases that are due, counted against those that are done (Jeon 2015, 6.2). What the issue of an
// instruction asks to be released stands in its program; it is counted from there, whatever front end, issue
// stage and collectors make of it.

#include <cstdint>
#include <string>
#include <vector>

#include "models/ports/life_channel.h"

namespace heddle {

class ReleaseDues final : public LifeListener {
 public:
  void subscribe(LifeChannel& life);

  void kernel_begins(const KernelBegins& kernel) override;
  void issued(const InFlight& item) override;
  void register_released(WarpId, RegId) override { ++done_; }
  /// One more is due, of no instruction.
  void add() { ++due_; }
  /// So many will not be asked for: their warp has ended, or the register waits for an earlier one.
  void drop(std::uint64_t releases) { dropped_ += releases; }

  /// No warp is resident, and so many asked for wait, or were dropped: InternalError if one that was due is missing, or
  /// one came that was not.
  void check(const std::string& owner, std::uint64_t not_come) const;

 private:
  std::vector<std::uint8_t> due_at_;  ///< by instruction of the program
  std::uint64_t due_ = 0, done_ = 0, dropped_ = 0;
};

}  // namespace heddle

#pragma once

// Counts due releases against completed ones (Jeon 2015, 6.2). Due releases are counted from the program,
// independent of front end, issue stage and collectors.

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
  /// This many will not be requested: their warp has ended, or the register waits for an earlier one.
  void drop(std::uint64_t releases) { dropped_ += releases; }

  /// No warp is resident, and this many requests wait, or were dropped: InternalError if a due release is
  /// missing, or an additional one came.
  void check(const std::string& owner, std::uint64_t not_come) const;

 private:
  std::vector<std::uint8_t> due_at_;  ///< by instruction of the program
  std::uint64_t due_ = 0, done_ = 0, dropped_ = 0;
};

}  // namespace heddle

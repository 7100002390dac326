#pragma once

// Checks that every register release happens (Jeon 2015, 6.2): the number of completed releases must equal
// the number that the program requires.

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
  /// Adds 1 to the number of required releases, for a register that is released because its value was saved
  /// in memory (spilling). The releases that release flags request are counted when the instruction issues.
  void add() { ++due_; }
  /// Subtracts `releases` from the number of required releases. These releases will not happen, because their
  /// warp has ended, or because one request covers several releases.
  void drop(std::uint64_t releases) { dropped_ += releases; }

  /// Throws InternalError if the numbers of completed and required releases differ. Must be called while no
  /// warp is resident. `not_come`: number of releases that are still queued or were dropped.
  void check(const std::string& owner, std::uint64_t not_come) const;

 private:
  std::vector<std::uint8_t> due_at_;
  std::uint64_t due_ = 0, done_ = 0, dropped_ = 0;
};

}  // namespace heddle

#pragma once

// Checks that every register release happens (Jeon 2015, 6.2). The program determines the required number of
// releases, which must equal the number of completed releases.

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
  /// Adds a required release that belongs to no instruction.
  void add() { ++due_; }
  /// Subtracts releases that no module will request, because their warp has ended, or because one request
  /// serves several releases.
  void drop(std::uint64_t releases) { dropped_ += releases; }

  /// Must be called while no warp is resident. `not_come`: number of releases that are still queued or were
  /// dropped. Throws InternalError if the numbers of completed and required releases differ.
  void check(const std::string& owner, std::uint64_t not_come) const;

 private:
  std::vector<std::uint8_t> due_at_;
  std::uint64_t due_ = 0, done_ = 0, dropped_ = 0;
};

}  // namespace heddle

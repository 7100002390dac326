#pragma once

// Counts due releases against completed ones (Jeon 2015, 6.2). Due releases are counted from the program,
// independently of front end, issue stage and collectors.

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
  /// Adds a due release that belongs to no instruction.
  void add() { ++due_; }
  /// Removes releases that will not be requested, because their warp has ended or an earlier request serves
  /// them too.
  void drop(std::uint64_t releases) { dropped_ += releases; }

  /// Called while no warp is resident. `not_come`: requests that wait or were dropped. Throws InternalError
  /// if a due release is missing or an additional one came.
  void check(const std::string& owner, std::uint64_t not_come) const;

 private:
  std::vector<std::uint8_t> due_at_;  ///< by instruction of the program
  std::uint64_t due_ = 0, done_ = 0, dropped_ = 0;
};

}  // namespace heddle

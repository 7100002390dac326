#pragma once

// Detects launches that can never make progress: memory does not change, no thread ends, and every running
// warp has returned to an earlier state. The same states then follow again, because a warp's next state
// depends only on memory and on the states of the resident warps (Machine::can_stand_still_). States are
// compared by 128-bit hashes.

#include <array>
#include <cstdint>
#include <unordered_map>

#include "models/reference/warp_state.h"

namespace heddle::reference {

class Standstill {
 public:
  bool watches() const { return watches_; }
  void watch() { watches_ = true; }
  void forget() {
    watches_ = false;
    warps_.clear();
  }
  /// Returns true if the warp's state equals an earlier state of the warp. Must be called at the start of
  /// each turn of the warp.
  bool repeats(const WarpState& warp);

  using State = std::array<std::uint64_t, 2>;
  static State state_of(const WarpState& warp);

 private:
  struct Seen {
    State state{};
    std::uint64_t turns = 0, renew_at = 1;
    bool repeats = false;
  };
  bool watches_ = false;
  std::unordered_map<const WarpState*, Seen> warps_;
};

}  // namespace heddle::reference

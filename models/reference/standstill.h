#pragma once

// Proves that a launch can never make progress: memory does not change, no thread ends, and every running
// warp has returned to an earlier state, from which the same states follow. States are compared by 128-bit
// hashes.

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
  /// Must be called at the start of each turn of the warp. Returns true if the warp's state equals an earlier
  /// state of the warp.
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

#pragma once

// Proves that nothing can happen any more: memory does not change, no thread ends, and every warp that runs has come back to a
// state that it was in before. A warp depends on its state and on memory only, so it repeats itself for ever. States are
// compared by hashes of 128 bits.

#include <array>
#include <cstdint>
#include <unordered_map>

#include "models/reference/warp_state.h"

namespace heddle::reference {

class Standstill {
 public:
  bool watches() const { return watches_; }
  /// A stretch of warp-instructions went by without progress.
  void watch() { watches_ = true; }
  /// Progress has been made, or CTAs have come.
  void forget() {
    watches_ = false;
    warps_.clear();
  }
  /// A warp's turn comes; false if it has not yet been in this state.
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

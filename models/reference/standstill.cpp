#include "models/reference/standstill.h"

#include <cstring>
#include <span>

namespace heddle::reference {
namespace {

class StateHash {
 public:
  void add(std::uint64_t word) {
    state_[0] = (state_[0] ^ word) * 0x9e3779b97f4a7c15u;
    state_[0] ^= state_[0] >> 29;
    state_[1] = (state_[1] + word) * 0xd1b54a32d192ed03u;
    state_[1] ^= state_[1] >> 32;
  }
  void add(std::span<const LaneVec> words) {
    for (const LaneVec& word : words)
      for (int lane = 0; lane < kLanes; lane += 2) add(word[lane] | std::uint64_t{word[lane + 1]} << 32);
  }
  void add(std::span<const LaneMask> masks) {
    for (const LaneMask mask : masks) add(mask);
  }
  void add(std::span<const std::uint8_t> bytes) {
    std::uint64_t word = 0;
    for (std::size_t at = 0; at + sizeof word <= bytes.size(); at += sizeof word) {
      std::memcpy(&word, bytes.data() + at, sizeof word);
      add(word);
    }
  }
  const Standstill::State& state() const { return state_; }

 private:
  Standstill::State state_{0x2545f4914f6cdd1du, 0x8badf00d5eed1234u};
};

}  // namespace

Standstill::State Standstill::state_of(const WarpState& warp) {
  StateHash hash;
  for (const SimtStack::View& entry : warp.stack.view()) {
    hash.add(static_cast<std::uint32_t>(entry.pc) |
             std::uint64_t{static_cast<std::uint32_t>(entry.reconvergence)} << 32);
    hash.add(entry.lanes | std::uint64_t{entry.apart} << 32 | std::uint64_t{entry.order} << 33);
  }
  hash.add(warp.spins | std::uint64_t{warp.spinning} << 32);
  hash.add(warp.all_spins);
  hash.add(std::span<const LaneVec>(warp.values));
  hash.add(std::span<const LaneMask>(warp.predicates));
  hash.add(std::span<const std::uint8_t>(warp.local));
  hash.add(std::uint64_t{warp.calls});
  for (std::size_t c = 0; c < warp.calls; ++c) {
    hash.add(static_cast<std::uint64_t>(warp.records[c].base));
    hash.add(std::span<const LaneVec>(warp.records[c].values));
    hash.add(std::span<const LaneMask>(warp.records[c].predicates));
  }
  return hash.state();
}

// Detects repetition by Brent's algorithm: compares each state of the warp with one stored earlier state.
// After 1, 2, 4, 8, ... turns of the warp, the current state replaces the stored state.
bool Standstill::repeats(const WarpState& warp) {
  Seen& seen = warps_[&warp];
  if (seen.repeats) return true;
  const State state = state_of(warp);
  if (seen.turns != 0 && state == seen.state) {
    seen.repeats = true;
  } else if (seen.turns == 0 || seen.turns >= seen.renew_at) {
    seen.state = state;
    seen.renew_at = 2 * seen.turns + 1;
  }
  ++seen.turns;
  return seen.repeats;
}

}  // namespace heddle::reference

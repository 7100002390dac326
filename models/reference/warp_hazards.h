#pragma once

// Reports conflicts between lanes of one warp on words of shared and global memory, as racecheck of
// compute-sanitizer does. There are two kinds of conflicts. One is an instruction that writes different
// values to one byte. The other is a pair of accesses of different lanes to one word, at least one of them a
// write, if no bar.warp.sync or CTA barrier that both lanes execute is in between. Two atomics do not
// conflict.
//
// Heddle runs lanes in lockstep, on which old programs depend, but hardware from sm_70 on does not guarantee
// it. For each word, the last write and the reads between two barriers are kept.

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>

#include "models/reference/findings.h"
#include "models/reference/reference.h"

namespace heddle::reference {

class WarpHazards : public Observer {
 public:
  explicit WarpHazards(Findings& findings) : findings_(findings) {}
  void before(const ExecutedInstruction& e) override;
  void after(const ExecutedInstruction& e) override;
  void accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) override;

 private:
  struct Access {
    LaneMask lanes = 0;
    std::uint32_t pc = 0;
    std::uint32_t syncs = 0;  ///< value of Warp::syncs at the access
    std::uint64_t step = 0;   ///< number of the warp-instruction; its lanes access at the same time
    std::uint8_t bytes = 0;   ///< mask of accessed bytes of the word
    bool atomic = false;
  };
  struct Word {
    Access write, read;
  };
  struct Warp {
    LaneMask live = 0;
    std::uint32_t syncs = 0;
    std::array<std::uint32_t, kLanes> synced{};  ///< by lane: value of `syncs` after its last synchronisation
    std::unordered_map<std::uint64_t, Word> words;
  };
  Warp& warp_of(const ExecutedInstruction& e);
  void check(const ExecutedInstruction& e, const Warp& warp, const Access& earlier, bool wrote,
             const Access& now, bool writes, std::uint64_t address);
  void check_values(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses);

  Findings& findings_;
  const isa::KernelLaunch* launch_ = nullptr;
  KernelId id_{};
  std::uint64_t step_ = 0;
  std::map<std::pair<std::uint64_t, std::uint32_t>, Warp> warps_;  ///< by CTA and warp
};

}  // namespace heddle::reference

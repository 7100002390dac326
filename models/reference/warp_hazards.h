#pragma once

// Reports conflicts between lanes of one warp on words of shared and global memory, as compute-sanitizer's
// racecheck does: one instruction that writes different values to one byte, and accesses of different lanes
// to one word, one of them a write, without a bar.warp.sync (or a barrier of the CTA) in between that both
// lanes took part in. Heddle runs lanes in lockstep, and old programs rely on it; from sm_70 on hardware does
// not promise it. Two atomics do not conflict. Kept are the last write of a word and the reads between two
// barriers.

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
    std::uint32_t syncs = 0;  ///< of the warp before it
    std::uint64_t step = 0;   ///< warp-instruction of the run: its lanes access at once
    std::uint8_t bytes = 0;   ///< of the word
    bool atomic = false;
  };
  struct Word {
    Access write, read;
  };
  struct Warp {
    LaneMask live = 0;
    std::uint32_t syncs = 0;
    std::array<std::uint32_t, kLanes> synced{};  ///< by lane: `syncs` after its last one
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

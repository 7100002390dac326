#pragma once

// Reports conflicts between lanes of one warp on words of shared and global memory, as racecheck of
// compute-sanitizer does. There are two kinds of conflicts:
// - One instruction writes different values to the same byte.
// - Two lanes access the same word, at least one of them writes, and no bar.warp.sync or CTA barrier that
//   both lanes execute is in between. Two atomic operations do not conflict.
//
// Heddle runs the lanes of a warp in lockstep. Old programs depend on lockstep, but hardware from sm_70 on does
// not guarantee lockstep. The check keeps an access to a word until a later write of the same bytes, or until
// all lanes of the warp synchronise.

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/reference/current_launch.h"
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
    std::uint32_t syncs = 0;  ///< count of synchronisations (Warp::syncs) at the access
    /// Number of the executed warp-instruction of the access. Accesses with the same number happen at the
    /// same time.
    std::uint64_t step = 0;
    std::uint8_t bytes = 0;
    bool atomic = false, writes = false;
  };
  /// Accesses to a word that can conflict with a later access of the warp.
  using Word = std::vector<Access>;
  struct Warp {
    LaneMask live = 0;
    std::uint32_t syncs = 0;
    /// for each lane: value of `syncs` at the last synchronisation that the lane executed
    std::array<std::uint32_t, kLanes> synced{};
    std::unordered_map<std::uint64_t, Word> words;
  };
  Warp& warp_of(const ExecutedInstruction& e);
  void check(const ExecutedInstruction& e, const Warp& warp, const Access& earlier, const Access& now,
             std::uint64_t address);
  static void add(Word& word, const Access& now);
  /// Removes earlier accesses to a block that malloc returns or free takes, because malloc and free order the
  /// earlier accesses before later accesses.
  void forget_blocks(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses);
  void check_values(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses);

  Findings& findings_;
  CurrentLaunch launch_;
  std::uint64_t step_ = 0;
  std::map<std::pair<std::uint64_t, std::uint32_t>, Warp> warps_;
};

}  // namespace heddle::reference

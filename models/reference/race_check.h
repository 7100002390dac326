#pragma once

// Finds races in a run of the reference: words of shared or global memory that one warp writes and another
// one reads or writes without a barrier between, and words of shared memory that are read before anything is
// written to them. What is found does not depend on how the warps happened to interleave: every access keeps
// the barriers that its warp had passed (vector clocks), so two accesses that no barrier orders are a race
// even where the run executed them far apart.
//
// A look-up in a texture whose texel the same launch writes before is one always, since nothing orders the two; surfaces
// are memory like any.
//
// Lanes of one warp are ordered, since they run in lockstep. Two atomic or volatile accesses are no race.
// `strict` also reports accesses of different CTAs to one word, registers that are read before they are
// written, and barriers that only a part of a warp's threads executes.

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/reference/findings.h"
#include "models/reference/reference.h"

namespace heddle::reference {

class RaceCheck : public Observer {
 public:
  RaceCheck(Findings& findings, bool strict) : all_(findings), strict_(strict) {}

  /// A launch begins: nothing before it races with anything in it.
  void begin_launch(const isa::KernelLaunch& launch);

  void before(const ExecutedInstruction& e) override;
  void after(const ExecutedInstruction& e) override;
  void accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) override;
  void arrived(const ExecutedInstruction& e, std::uint32_t barrier) override;
  void synchronized(std::uint64_t cta, std::uint32_t barrier, std::uint32_t released) override;

 private:
  using Clock = std::vector<std::uint32_t>;  ///< by warp of the CTA: barriers passed, as known to one warp

  struct Access {
    std::uint64_t cta = 0;
    std::uint32_t pc = 0;
    std::uint32_t epoch = 0;
    std::uint16_t warp = 0;
    std::uint8_t bytes = 0;  ///< of the word; 0: none
    bool ordered = false;    ///< atomic or volatile
  };
  struct Word {
    Access write;
    std::vector<Access> reads;  ///< since the last write, of each warp the last; of global memory one
    /// Atomic and volatile writes before `write`, which is one too: of each other warp of its CTA the last.
    std::vector<Access> concurrent;
    std::uint8_t written = 0;  ///< bytes
  };
  struct Arrivals {
    Clock clock;
    std::uint32_t warps = 0;  ///< bit a warp
  };
  struct Cta {
    std::vector<Clock> clock;                    ///< by warp
    std::map<std::uint32_t, Arrivals> arrived;   ///< by barrier
    std::vector<LaneMask> live;                  ///< by warp
    std::vector<std::vector<LaneMask>> defined;  ///< by warp and word, then predicate; strict alone
    std::vector<Word> shared;
  };

  Cta& cta_of(const ExecutedInstruction& e);
  void touch(const ExecutedInstruction& e, Cta& cta, Word& word, Access access, bool writes,
             std::uint64_t address, bool in_shared);
  bool is_ordered(const Cta& cta, const Access& earlier, const Access& now) const;
  void check_registers(const ExecutedInstruction& e, Cta& cta);
  void report(std::uint32_t first, std::uint32_t second, Findings::Kind kind, const std::string& text) {
    all_.report(*launch_->program, first, second, kind, text);
  }
  std::string line_of(std::uint32_t pc) const { return reference::line_of(*launch_->program, pc); }

  Findings& all_;
  bool strict_;
  const isa::KernelLaunch* launch_ = nullptr;
  KernelId id_{};
  std::unordered_map<std::uint64_t, Cta> ctas_;
  std::unordered_map<std::uint64_t, std::vector<Word>> global_;  ///< pages of words
};

}  // namespace heddle::reference

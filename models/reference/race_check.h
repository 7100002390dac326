#pragma once

// Finds races in a run of the reference. A race is a pair of accesses by two warps to one word of shared or
// global memory without a barrier in between, at least one of them a write. Reads of shared memory before the
// first write are reported as well. Each access records the barriers that its warp had passed (vector
// clocks), so the findings do not depend on the interleaving of the run.
//
// A texture look-up of a texel that the same launch has written is always a race, because nothing orders the
// two. Surfaces are treated like other memory.
//
// Lanes of one warp are ordered, because they run in lockstep. Two atomic or volatile accesses are no race.
// With `strict`, accesses of different CTAs to one word are reported, reads of registers before their first
// write, and barriers that only some threads of a warp execute.

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

  /// Starts a launch. Accesses of earlier launches cannot race with it.
  void begin_launch(const isa::KernelLaunch& launch);

  void before(const ExecutedInstruction& e) override;
  void after(const ExecutedInstruction& e) override;
  void accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) override;
  void arrived(const ExecutedInstruction& e, std::uint32_t barrier) override;
  void synchronized(std::uint64_t cta, std::uint32_t barrier, std::uint32_t released) override;

 private:
  using Clock = std::vector<
      std::
          /// By warp of the CTA: number of barriers that this clock's owner knows the warp has passed.
      uint32_t>;

  struct Access {
    std::uint64_t cta = 0;
    std::uint32_t pc = 0;
    std::uint32_t epoch = 0;
    std::uint16_t warp = 0;
    std::uint8_t bytes = 0;  ///< mask of accessed bytes of the word; 0 = no access
    bool ordered = false;    ///< atomic or volatile
  };
  struct Word {
    Access write;
    /// Reads since the last write: the last of each warp; for global memory only one.
    std::vector<Access> reads;
    /// Atomic and volatile writes before `write`, if `write` is one as well: the last one of each other warp
    /// of its CTA.
    std::vector<Access> concurrent;
    std::uint8_t written = 0;  ///< mask of written bytes
  };
  struct Arrivals {
    Clock clock;
    std::uint32_t warps = 0;  ///< bit mask of warps
  };
  struct Cta {
    std::vector<Clock> clock;                   ///< by warp
    std::map<std::uint32_t, Arrivals> arrived;  ///< by barrier
    std::vector<LaneMask> live;                 ///< by warp
    /// By warp and register word, then predicate; only with strict.
    std::vector<std::vector<LaneMask>> defined;
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
  std::unordered_map<std::uint64_t, std::vector<Word>> global_;  ///< words of global memory, by page
};

}  // namespace heddle::reference

#pragma once

// Finds races in a reference run. A race is a pair of accesses by two warps to the same word of shared or
// global memory without a barrier in between, if at least one of them is a write. A read of shared memory
// that no warp has written is reported as well. Each access records the barriers that its warp had passed
// (vector clocks). The findings therefore do not depend on the order in which the run executed the warps.
//
// A texture look-up of a texel that the same launch has written is always a race, because no barrier orders
// the write and the look-up. Surfaces are treated like other memory.
//
// Accesses of lanes of the same warp are no race, because the lanes run in lockstep. Two atomic or volatile
// accesses are no race either. With `strict`, three more kinds are reported: accesses of different CTAs to
// one word, reads of registers before their first write, and barriers that only some threads of a warp
// execute.

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

  /// Starts a kernel launch. Accesses of earlier launches cannot race with its accesses.
  void begin_launch(const isa::KernelLaunch& launch);

  void before(const ExecutedInstruction& e) override;
  void after(const ExecutedInstruction& e) override;
  void accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) override;
  void arrived(const ExecutedInstruction& e, std::uint32_t barrier) override;
  void synchronized(std::uint64_t cta, std::uint32_t barrier, std::uint32_t released) override;

 private:
  /// Vector clock of a warp. For each warp of the CTA it holds how many barriers this other warp had passed
  /// at the last barrier that orders the two warps.
  using Clock = std::vector<std::uint32_t>;

  struct Access {
    std::uint64_t cta = 0;
    std::uint32_t pc = 0;
    std::uint32_t epoch = 0;
    std::uint16_t warp = 0;
    std::uint8_t bytes = 0;  ///< bytes of the word that were accessed, as a bit mask; 0: no access
    bool ordered = false;    ///< true for an atomic or volatile access
  };
  struct Word {
    Access write;
    /// Reads of the word since the last write. For shared memory the last read of each warp is kept, for
    /// global memory only one read.
    std::vector<Access> reads;
    /// Atomic or volatile writes before `write`, if `write` is atomic or volatile too. The last such write of
    /// each other warp of the CTA is kept.
    std::vector<Access> concurrent;
    std::uint8_t written = 0;  ///< bytes of the word that have been written, as a bit mask
  };
  struct Arrivals {
    Clock clock;
    std::uint32_t warps = 0;  ///< warps that have arrived, as a bit mask
  };
  struct Cta {
    std::vector<Clock> clock;                   ///< vector clock of each warp of the CTA
    std::map<std::uint32_t, Arrivals> arrived;  ///< arrivals at each barrier, by barrier number
    std::vector<LaneMask> live;                 ///< lanes of each warp whose thread has not exited
    /// For each warp: lanes in which each register word and each predicate has been written. Used only with
    /// `strict`.
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
  /// Records of the words of global memory, by memory page.
  std::unordered_map<std::uint64_t, std::vector<Word>> global_;
};

}  // namespace heddle::reference

#pragma once

// Finds races in a run of the reference. A race is a pair of accesses of two warps to one word of shared or
// global memory. At least one of the two accesses is a write, and nothing orders the two accesses
// (happens_before.h). The findings do not depend on the interleaving of the run.
//
// A texture look-up of a texel that the same launch has written is always a race, because no barrier orders
// the two accesses. Accesses of lanes of one warp are ordered, because the lanes run in lockstep. Two
// accesses that are both atomic or volatile are no race.

#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/reference/access_sets.h"
#include "models/reference/findings.h"
#include "models/reference/happens_before.h"

namespace heddle::reference {

class RaceCheck : public Observer {
 public:
  /// Creates a check that gets the order of accesses from `order`. The caller must pass each event of the run
  /// to `order` before it passes the event to this check.
  RaceCheck(Findings& findings, HappensBefore& order) : all_(findings), order_(order) {}

  void after(const ExecutedInstruction& e) override;
  void accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) override;

  /// Returns one text for each limit of this check (such as a number of stored accesses) that the run has
  /// reached. Beyond a limit, the check may miss races.
  std::vector<std::string> bounds() const;

 private:
  /// Accesses to a word that can race with a later access: the last writes to the word, and the reads since
  /// then.
  struct Word {
    AccessSets::Number writes = 0, reads = 0;
    std::uint64_t both() const { return writes | std::uint64_t{reads} << 32; }
  };
  static constexpr std::uint64_t kPageWords = 1024;
  using Page = std::array<Word, kPageWords>;

  struct Recent {
    std::uint32_t pc = 0, epoch = 0, event = 0;
    std::uint8_t bytes = 0;
  };
  struct History {
    AccessSets sets;
    bool in_shared = false;
  };
  struct Cta {
    std::uint32_t meetings = 0;
    /// Numbers of the latest events (accesses) of shared memory and of global memory when all warps of the CTA
    /// last met at a barrier. Events up to these numbers happen before all later accesses of the CTA.
    std::uint32_t before_shared = 0, before_global = 0;
    /// Number that the newest set of shared-memory events had at the last barrier of all warps of the CTA.
    /// The events of this set, and of all sets with lower numbers, happen before all later accesses of the
    /// CTA.
    AccessSets::Number sets_before = 0;
    History shared;
    std::vector<Word> words;
    std::array<Recent, 128> recent_shared, recent_global;
  };
  struct Now {
    const ExecutedInstruction& e;
    const CtaClocks& clocks;
    AccessEvent event;
    bool writes = false;
  };

  Cta& cta_of(const ExecutedInstruction& e, const CtaClocks& clocks);
  void touch(Now& now, Cta& cta, std::uint64_t begin, std::uint64_t end);
  void touch(Now& now, Cta& cta, History& history, std::span<Word> words, std::uint64_t address);
  void touch_global(Now& now, Cta& cta, std::uint64_t address, std::uint64_t words);
  Word next(Now& now, Cta& cta, History& history, Word word, std::uint64_t address);
  AccessSets::Number add_read(const Now& now, Cta& cta, History& history, AccessSets::Number reads);
  AccessSets::Number add_write(const Now& now, Cta& cta, History& history, AccessSets::Number writes);
  AccessSets::Number make(History& history, bool ordered);
  std::uint32_t event_of(const Now& now, Cta& cta, History& history);
  int unordered(const Now& now, const Cta& cta, const History& history, const Accessors& earlier) const;
  void check(const Now& now, const Cta& cta, const History& history, AccessSets::Number set, bool wrote,
             std::uint64_t address);
  void check_look_up(const Now& now, const History& history, AccessSets::Number writes,
                     std::uint64_t address);
  void report(const Now& now, const AccessEvent& earlier, int warp, bool wrote, bool in_shared,
              std::uint64_t address);

  Findings& all_;
  HappensBefore& order_;
  std::uint64_t launches_ = 0;
  std::unordered_map<std::uint64_t, std::unique_ptr<Cta>> ctas_;
  Cta* last_ = nullptr;
  std::uint64_t last_cta_ = 0, last_page_ = 0;
  History global_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  Page* page_ = nullptr;
  std::uint64_t left_out_ = 0, restarts_ = 0;
  std::vector<Accessors> members_;
};

}  // namespace heddle::reference

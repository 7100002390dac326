#pragma once

// Which rows the instructions in collectors and units are going to use, for a register-power policy: every
// announced use ends once, by its access or by the word's having been answered above the banks.

#include <array>
#include <vector>

#include "models/ports/register_access.h"
#include "models/ports/register_life.h"
#include "models/regfile/i_register_power.h"

namespace heddle {

class RowUses {
 public:
  RowUses(RegisterPower& power, int collectors, int max_warps);

  /// `place_of`: where a word lies; those without a place are not announced.
  template <class PlaceOf>
  void announce(Cycle now, const RegisterAccess& prepare, PlaceOf&& place_of) {
    const RegisterPrepare& note = *prepare.prepare;
    Sources& sources = sources_[note.collector.value];
    sources.open = 0;
    sources.uid = note.uid;
    for (const RegisterWord& word : note.source_words()) {
      const RegisterPlace place = place_of(word);
      if (!place.set) continue;
      const unsigned i = index_of(word.slot, word.word);
      sources.places[i] = place;
      sources.open |= 1u << i;
      power_.announced(now, place, false);
    }
    for (const RegisterWord& word : note.destination_words()) {
      const RegisterPlace place = place_of(word);
      Use& use = destination(prepare.warp, word.home);
      // Two results of an instruction that have one register are one use, until the last of them.
      if (!place.set || (use.place.set && use.uid == note.uid)) continue;
      use = {place, note.uid};
      power_.announced(now, place, true);
    }
  }
  /// The access has come to `place`: whether it had been announced there.
  bool arrived(Cycle now, const RegisterAccess& access, const RegisterPlace& place);
  void operands_held(Cycle now, const InstructionStep& step);
  void completed(Cycle now, const InstructionStep& step);

 private:
  struct Use {
    RegisterPlace place;  ///< `set`: the use has not ended
    std::uint64_t uid = 0;
  };
  /// Of one instruction.
  struct Sources {
    std::array<RegisterPlace, std::size_t{2} * isa::kMaxSources> places;  ///< by slot and word
    std::uint64_t uid = 0;
    std::uint32_t open = 0;  ///< of places, a bit each: uses that have not ended
  };
  static_assert(2 * isa::kMaxSources <= 32);
  static unsigned index_of(unsigned slot, unsigned word) { return 2 * slot + word; }

  bool end(Cycle now, const RegisterPlace& announced, const RegisterPlace& place, bool write);
  Use& destination(WarpId warp, RegId home) {
    return destinations_[warp.value * std::size_t{256} + home.value];
  }

  RegisterPower& power_;
  std::vector<Sources> sources_;   ///< by collector
  std::vector<Use> destinations_;  ///< by warp and home
};

}  // namespace heddle

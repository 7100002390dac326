#pragma once

// Announced uses of register rows by instructions in collectors and execution units. Each use is reported to
// the register power policy. A use ends when its access arrives, or when another stage serves the access.

#include <array>
#include <vector>

#include "models/banks/i_register_power.h"
#include "models/ports/in_flight.h"
#include "models/ports/register_access.h"
#include "models/ports/register_prepare.h"

namespace heddle {

class RowUses {
 public:
  RowUses(RegisterPower& power, int collectors, int max_warps);

  /// Announces the source and destination registers of an instruction to the power policy, one 32-bit
  /// register word at a time. `place_of`: returns the bank and entry of a register word.
  template <class PlaceOf>
  void announce(Cycle now, const RegisterAccess& prepare, PlaceOf&& place_of) {
    const RegisterPrepare& note = *prepare.prepare;
    Sources& sources = sources_[note.collector.value];
    std::uint32_t open = 0;
    for (const RegisterWord& word : note.source_words()) {
      const RegisterPlace& place = place_of(word);
      if (!place.set) continue;
      const Cycle from = power_.announced(now, place, false);
      if (from == kNever) continue;
      const unsigned i = index_of(*word.operand);
      sources.uses[i] = {place, from};
      open |= 1u << i;
    }
    sources.open = open;
    sources.uid = note.uid;
    for (const RegisterWord& word : note.destination_words()) {
      const RegisterPlace& place = place_of(word);
      Result& result = result_of(prepare.warp, word.home);
      // If an instruction writes one register twice, both writes together are one use of the row. This use
      // ends with the second write.
      if (!place.set || (result.open && result.uid == note.uid)) continue;
      const Cycle from = power_.announced(now, place, true);
      if (from == kNever) continue;
      result.use = {place, from};
      result.uid = note.uid;
      result.open = true;
    }
  }
  /// Called when an access arrives at `place`. Returns the first cycle in which the row can serve the access.
  Cycle arrived(Cycle now, const RegisterAccess& access, const RegisterPlace& place);
  /// Returns the first cycle in which the row can serve the access, if a use of the row was announced for
  /// this access. Removes this announcement. Returns kNever without an announcement; the caller must then
  /// call arrived().
  Cycle came(const RegisterAccess& access, const RegisterPlace& place) {
    if (!access.instruction) return kNever;
    if (access.command == RegisterCommand::write) {
      Result& result = result_of(access.warp, access.home);
      if (!result.open || !is_at(result.use, place)) return kNever;
      result.open = false;
      return result.use.from;
    }
    if (access.source >= collectors_) return kNever;
    Sources& sources = sources_[access.source];
    const unsigned i = index_of(*access.operand);
    const Use& use = sources.uses[i];
    if (!(sources.open >> i & 1) || !is_at(use, place)) return kNever;
    sources.open &= ~(1u << i);
    return use.from;
  }
  void reads_held(Cycle now, const InFlight& item);
  void completed(Cycle now, const InFlight& item);

 private:
  struct Use {
    RegisterPlace place;
    Cycle from = 0;
  };
  struct Result {
    Use use;
    std::uint64_t uid = 0;
    bool open = false;
  };
  struct Sources {
    std::array<Use, std::size_t{2} * isa::kMaxSources> uses;
    std::uint64_t uid = 0;
    std::uint32_t open = 0;
  };
  static_assert(2 * isa::kMaxSources <= 32);
  static unsigned index_of(const OperandWord& word) { return word.place; }

  Result& result_of(WarpId warp, RegId home) { return results_[warp.value * std::size_t{256} + home.value]; }
  static bool is_at(const Use& use, const RegisterPlace& place) {
    return use.place.bank == place.bank && use.place.entry == place.entry;
  }
  void drop_other(Cycle now, const RegisterAccess& access);

  RegisterPower& power_;
  std::uint32_t collectors_;
  std::vector<Sources> sources_;
  std::vector<Result> results_;
};

}  // namespace heddle

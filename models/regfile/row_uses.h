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

  /// `places`: of all words, in their order; those without a place are not announced.
  void announce(Cycle now, const RegisterAccess& prepare, const RegisterPlace* places);
  /// The access has come to `place`: whether it had been announced there.
  bool arrived(Cycle now, const RegisterAccess& access, const RegisterPlace& place);
  void operands_held(Cycle now, const InstructionStep& step);
  void completed(Cycle now, const InstructionStep& step);

 private:
  struct Use {
    RegisterPlace place;  ///< `set`: the use has not ended
    std::uint64_t uid = 0;
    std::uint8_t slot = 0, word = 0;
  };
  using Sources = std::array<Use, std::size_t{2} * isa::kMaxSources>;

  bool end(Cycle now, Use& use, const RegisterPlace& place, bool write);
  Use& destination(WarpId warp, RegId home) {
    return destinations_[warp.value * std::size_t{256} + home.value];
  }

  RegisterPower& power_;
  std::vector<Sources> sources_;   ///< by collector
  std::vector<Use> destinations_;  ///< by warp and home
};

}  // namespace heddle

#pragma once

// Which of a partition's clusters (or SFUs) executes an instruction: bound when it issues, so that a power
// domain knows what it has to stay awake for.

#include <array>
#include <limits>
#include <vector>

#include "models/core/power_state.h"
#include "models/exec/unit_parameters.h"

namespace heddle {

class ClusterChoice {
 public:
  explicit ClusterChoice(const UnitParameters& parameters);

  /// An awake unit of the class (`awake` not empty): the one at whose dispatch port the fewest issued
  /// instructions wait; among equals by UnitParameters::cluster_choice.
  int choose(isa::UnitClass unit, DomainSet awake) {
    const std::vector<int>& waiting = waiting_[port_of(unit)];
    int& turn = turn_[static_cast<std::size_t>(unit)];
    const int count = static_cast<int>(waiting.size());
    int best = -1, fewest = std::numeric_limits<int>::max();
    for (int asked = 0, i = in_turn_ ? turn : 0; asked < count; ++asked, i = i + 1 == count ? 0 : i + 1) {
      const int waits = waiting[static_cast<std::size_t>(i)];
      if (waits >= fewest || !(awake >> i & 1)) continue;
      best = i;
      fewest = waits;
      if (waits == 0) break;
    }
    turn = best + 1 == count ? 0 : best + 1;
    return best;
  }
  void issued(isa::UnitClass unit, int index) { ++waiting(unit, index); }
  void dispatched(isa::UnitClass unit, int index) { --waiting(unit, index); }

 private:
  int& waiting(isa::UnitClass unit, int index) {
    return waiting_[port_of(unit)][static_cast<std::size_t>(index)];
  }
  /// INT and FP wait at one port where they share it.
  std::size_t port_of(isa::UnitClass unit) const {
    return unit == isa::UnitClass::fp && shared_port_ ? static_cast<std::size_t>(isa::UnitClass::int_)
                                                      : static_cast<std::size_t>(unit);
  }
  bool shared_port_, in_turn_;
  std::array<std::vector<int>, 3> waiting_;  ///< by port and unit: issued and not yet dispatched
  std::array<int, 3> turn_{};                ///< by class: the unit that is asked first
};

}  // namespace heddle

#pragma once

// Which of a partition's clusters (or SFUs) executes an instruction: bound when it issues, so that a power
// domain knows what it has to stay awake for.

#include <array>
#include <bit>
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
    const Port& port = ports_[port_of(unit)];
    int& turn = turn_[static_cast<std::size_t>(unit)];
    int chosen = -1;
    if (awake) {
      std::size_t fewest = 0;
      while (!(port.with[fewest] & awake)) ++fewest;
      chosen = first_of(port.with[fewest] & awake, in_turn_ ? turn : 0);
    }
    turn = chosen + 1 == static_cast<int>(port.waiting.size()) ? 0 : chosen + 1;
    return chosen;
  }
  void issued(isa::UnitClass unit, int index) { ports_[port_of(unit)].change(index, 1); }
  void dispatched(isa::UnitClass unit, int index) { ports_[port_of(unit)].change(index, -1); }

 private:
  struct Port {
    std::vector<int> waiting;     ///< by unit: issued and not yet dispatched
    std::vector<DomainSet> with;  ///< by such a number: the units for which so many wait
    void set_units(int count) {
      waiting.resize(static_cast<std::size_t>(count));
      with.assign(1, (DomainSet{1} << count) - 1);
    }
    void change(int unit, int by) {
      int& waits = waiting[static_cast<std::size_t>(unit)];
      const DomainSet bit = DomainSet{1} << unit;
      with[static_cast<std::size_t>(waits)] &= ~bit;
      waits += by;
      if (static_cast<std::size_t>(waits) == with.size()) return begin_with(bit);
      with[static_cast<std::size_t>(waits)] |= bit;
    }
    void begin_with(DomainSet unit);
  };
  /// From unit `first` on, in turn.
  static int first_of(DomainSet units, int first) {
    const DomainSet from = units >> first << first;
    return std::countr_zero(from ? from : units);
  }
  /// INT and FP wait at one port where they share it.
  std::size_t port_of(isa::UnitClass unit) const {
    return unit == isa::UnitClass::fp && shared_port_ ? static_cast<std::size_t>(isa::UnitClass::int_)
                                                      : static_cast<std::size_t>(unit);
  }
  bool shared_port_, in_turn_;
  std::array<Port, 3> ports_;
  std::array<int, 3> turn_{};  ///< by class: the unit that is asked first
};

}  // namespace heddle

#pragma once

// Chooses the SP cluster, SFU or matrix unit that executes an instruction. The choice is made at issue,
// because power gating counts the unit as in use from issue on.

#include <array>

#include "models/core/indexed_vector.h"
#include "models/core/unit_view.h"
#include "models/exec/unit_parameters.h"

namespace heddle {

class ClusterChoice {
 public:
  explicit ClusterChoice(const UnitParameters& parameters);

  /// Returns the unit of the set `able` with the fewest issued instructions that wait at its dispatch port.
  /// Among equals, UnitParameters::cluster_choice decides. `able` must not be empty.
  int choose(isa::UnitClass unit, UnitSet able);
  void issued(isa::UnitClass unit, int index) { ++waiting_at(unit, index); }
  void dispatched(isa::UnitClass unit, int index) { --waiting_at(unit, index); }

 private:
  static constexpr std::uint32_t kMostUnits = UnitParameters::kMostUnits;
  using Waiting = std::array<std::uint32_t, kMostUnits>;
  std::uint32_t& waiting_at(isa::UnitClass unit, int index) {
    return waiting_[port_[index_of(unit)]][static_cast<std::size_t>(index)];
  }

  bool in_turn_;
  std::array<std::uint32_t, kUnitClasses> units_{};
  std::array<std::uint32_t, kUnitClasses> turn_{};
  std::array<std::uint8_t, kUnitClasses> port_{0, 1, 2, 0, 0, 3};
  std::array<Waiting, 4> waiting_{};
};

}  // namespace heddle

#pragma once

// Which of a partition's clusters (or SFUs) executes an instruction: bound when it issues, so that what
// powers the unit knows of it.

#include <array>

#include "models/core/indexed_vector.h"
#include "models/core/unit_view.h"
#include "models/exec/unit_parameters.h"

namespace heddle {

class ClusterChoice {
 public:
  explicit ClusterChoice(const UnitParameters& parameters);

  /// A unit of the class among those `able` to take it (not empty): the one at whose dispatch port the fewest issued
  /// instructions wait; among equals by UnitParameters::cluster_choice.
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
  // By class.
  std::array<std::uint32_t, 3> units_;
  std::array<std::uint32_t, 3> turn_{};  ///< unit that is tried first
  std::array<std::uint8_t, 3> port_{0, 1,
                                    2};  ///< of waiting_: INT and FP wait at one port where they share it
  std::array<Waiting, 3> waiting_{};     ///< by unit: issued and not yet dispatched
};

}  // namespace heddle

#pragma once

// Chooses the cluster (or SFU) of a partition that executes an instruction. The choice is made at issue,
// because power gating must know the unit then.

#include <array>

#include "models/core/indexed_vector.h"
#include "models/core/unit_view.h"
#include "models/exec/unit_parameters.h"

namespace heddle {

class ClusterChoice {
 public:
  explicit ClusterChoice(const UnitParameters& parameters);

  /// Chooses a unit of the class among those `able` to accept the instruction, which must not be empty. It is
  /// the unit at whose dispatch port the fewest issued instructions wait. Among equals,
  /// UnitParameters::cluster_choice decides.
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
  std::array<std::uint8_t, 3> port_{
      0, 1, 2};  ///< index into waiting_; INT and FP have the same index if they share a port
  std::array<Waiting, 3> waiting_{};  ///< by unit: instructions that have issued and not been dispatched
};

}  // namespace heddle

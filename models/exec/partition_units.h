#pragma once

// The execution units of one SM partition, and the dispatch ports by which collected instructions reach them
// and the load/store unit.

#include <array>
#include <memory>
#include <vector>

#include "models/exec/execution_unit.h"
#include "models/exec/unit_parameters.h"
#include "models/ports/lane_plans.h"

namespace heddle {

class PartitionUnits : public sc_core::sc_module, public InstructionTarget {
 public:
  PartitionUnits(const sc_core::sc_module_name& name, Clock& clock, LifeChannel& life,
                 const UnitParameters& parameters, int overhead_cycles, const StatsScope& stats,
                 const LaneMoves& moves = {});

  /// Socket to the load/store unit.
  InstructionInitiatorSocket& load_store() { return load_store_.socket; }
  /// A unit and the socket that leads to it. ways() lists INT, then FP, then SFU.
  struct Way {
    InstructionInitiatorSocket* from;
    ExecutionUnit* unit;
  };
  std::vector<Way> ways();
  /// Enables gating by lanes: `lanes_awake` holds the awake lanes of each unit of the class. nullptr: units
  /// are gated as a whole.
  void set_lanes_awake(isa::UnitClass unit_class, const LaneMask* lanes_awake);
  /// Adds the probe points of the units: "<scope>.int0".
  void probes(const ProbeScope& scope);
  const std::vector<std::unique_ptr<ExecutionUnit>>& int_units() const { return int_; }
  const std::vector<std::unique_ptr<ExecutionUnit>>& fp_units() const { return fp_; }
  const std::vector<std::unique_ptr<ExecutionUnit>>& sfu_units() const { return sfu_; }

  /// Passes the instruction on to its unit. Returns false if the unit cannot accept it now.
  bool take(InstructionTransfer& transfer) override;

 private:
  using Units = std::vector<std::unique_ptr<ExecutionUnit>>;
  using Outlets = std::vector<std::unique_ptr<InstructionOutlet>>;
  void build(Units& units, Outlets& outlets, int count, const char* kind, isa::UnitClass unit_class,
             const UnitParameters& parameters, int overhead_cycles, const StatsScope& stats,
             const LaneMoves& moves);
  /// Path from the dispatch ports to a unit.
  struct Exit {
    InstructionOutlet* outlet = nullptr;
    Cycle* port_free = nullptr;  ///< first free cycle of a dispatch port that units share; nullptr: own port
    const ExecutionUnit* unit = nullptr;
  };
  static constexpr std::size_t kMostUnits = UnitParameters::kMostUnits;
  Exit& exit_of(isa::UnitClass unit, std::size_t number) {
    return exits_[kMostUnits * static_cast<std::size_t>(unit) + number];
  }
  /// Sends the instruction through a dispatch port that is free in this cycle.
  bool pass_port(const Exit& exit, InstructionTransfer& transfer);
  void set_exits(isa::UnitClass unit_class, const Units& units, const Outlets& outlets, bool shared_port);

  Clock* clock_;
  LifeChannel* life_;
  bool holds_port_;
  Units int_, fp_, sfu_;
  Outlets to_int_, to_fp_, to_sfu_;
  InstructionOutlet load_store_;
  std::array<Exit, 5 * kMostUnits> exits_{};  ///< by class and unit
  std::vector<Cycle> port_free_;              ///< by cluster
};

}  // namespace heddle

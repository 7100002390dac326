#pragma once

// Execution units and dispatch ports of one SM partition. Instructions that leave their operand collectors
// pass a dispatch port on the way to a unit or to the load/store unit.

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
                 const UnitParameters& parameters, const UnitOverhead& overhead, const StatsScope& stats,
                 const LaneMoves& moves = {});

  InstructionInitiatorSocket& load_store() { return load_store_.socket; }
  /// A unit, and the socket from which it receives instructions. ways() lists these pairs in the order INT, FP,
  /// SFU, matrix.
  struct Way {
    InstructionInitiatorSocket* from;
    ExecutionUnit* unit;
  };
  std::vector<Way> ways();
  /// Enables power gating by lanes. `lanes_awake`: an array with the awake lanes of each unit of the class;
  /// nullptr: units are gated only as a whole.
  void set_lanes_awake(isa::UnitClass unit_class, const LaneMask* lanes_awake);
  void probes(const ProbeScope& scope);
  const std::vector<std::unique_ptr<ExecutionUnit>>& int_units() const { return int_; }
  const std::vector<std::unique_ptr<ExecutionUnit>>& fp_units() const { return fp_; }
  const std::vector<std::unique_ptr<ExecutionUnit>>& sfu_units() const { return sfu_; }
  const std::vector<std::unique_ptr<ExecutionUnit>>& matrix_units() const { return matrix_; }

  /// Sends a collected instruction to its unit. Returns false if the unit or its dispatch port is busy.
  bool take(InstructionTransfer& transfer) override;

 private:
  using Units = std::vector<std::unique_ptr<ExecutionUnit>>;
  using Outlets = std::vector<std::unique_ptr<InstructionOutlet>>;
  void build(Units& units, Outlets& outlets, int count, const char* kind, isa::UnitClass unit_class,
             const UnitParameters& parameters, const UnitOverhead& overhead, const StatsScope& stats,
             const LaneMoves& moves);
  struct Exit {
    InstructionOutlet* outlet = nullptr;
    /// First cycle in which the dispatch port of the unit's cluster is free; nullptr: the unit shares its
    /// port with no other unit.
    Cycle* port_free = nullptr;
    const ExecutionUnit* unit = nullptr;
  };
  static constexpr std::size_t kMostUnits = UnitParameters::kMostUnits;
  Exit& exit_of(isa::UnitClass unit, std::size_t number) {
    return exits_[kMostUnits * static_cast<std::size_t>(unit) + number];
  }
  /// Sends the instruction through its dispatch port. Returns false if the port is not free in this cycle.
  bool pass_port(const Exit& exit, InstructionTransfer& transfer);
  void set_exits(isa::UnitClass unit_class, const Units& units, const Outlets& outlets, bool shared_port);

  Clock* clock_;
  LifeChannel* life_;
  bool holds_port_;
  Units int_, fp_, sfu_, matrix_;
  Outlets to_int_, to_fp_, to_sfu_, to_matrix_;
  InstructionOutlet load_store_;
  std::array<Exit, kUnitClasses * kMostUnits> exits_{};
  std::vector<Cycle> port_free_;  ///< first cycle in which the dispatch port of each cluster is free
};

}  // namespace heddle

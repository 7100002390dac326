#pragma once

// Connects the issue stage to the operand collectors, execution units and result bus of one partition. The
// issue stage sends an instruction only if a collector that can serve it is free.

#include <memory>
#include <string>
#include <vector>

#include "models/exec/cluster_choice.h"
#include "models/isa/collector_kind.h"
#include "models/operands/register_path.h"
#include "models/ports/instruction_path.h"

namespace heddle {

class IssuePartition {
 public:
  IssuePartition(int number, const UnitParameters& units);

  InstructionInitiatorSocket& to_collectors() { return collectors_->socket; }
  InstructionInitiatorSocket& to_results() { return results_->socket; }
  /// Connects this object to the partition's register path. `places`: number of operand collectors of the
  /// partition, in total or for each collector kind.
  void connect(RegisterPath& path, const std::vector<int>& places) {
    path_ = &path;
    free_ = isa::FreeCollectors(places);
  }

  RegisterPath& path() const { return *path_; }
  ActiveSlots& slots() const { return path_->slots(); }
  const isa::FreeCollectors& free_collectors() const { return free_; }

  int choose(isa::UnitClass unit, UnitSet able) { return clusters_.choose(unit, able); }
  /// Sends an instruction to a collector. The instruction must already have an execution unit. Throws
  /// InternalError if no collector accepts it.
  void send(InFlight& item) {
    const isa::UnitClass unit = item.footprint->unit;
    if (unit != isa::UnitClass::ldst) clusters_.issued(unit, item.cluster);
    free_.take(unit);
    if (!collectors_->offer(&item)) refused();
  }
  int dispatched(const InFlight& item) {
    const isa::UnitClass unit = item.footprint->unit;
    const int free = free_.of(unit);
    free_.give_back(unit);
    if (item.cluster >= 0) clusters_.dispatched(unit, item.cluster);
    return free;
  }

  void hold_result(InFlight& item) { held_results_.push_back(&item); }
  bool holds_results() const { return !held_results_.empty(); }
  void push_held_results();

 private:
  [[noreturn]] static void refused();

  std::unique_ptr<InstructionOutlet> collectors_, results_;
  RegisterPath* path_ = nullptr;
  isa::FreeCollectors free_;
  ClusterChoice clusters_;
  std::vector<InFlight*> held_results_;
};

}  // namespace heddle

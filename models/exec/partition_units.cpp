#include "models/exec/partition_units.h"

#include <fmt/format.h>

namespace heddle {

PartitionUnits::PartitionUnits(const sc_core::sc_module_name& name, Clock& clock, LifeChannel& life,
                               const UnitParameters& parameters, int overhead_cycles, const StatsScope& stats,
                               const FoldCosts& fold)
    : sc_module(name),
      InstructionTarget("in"),
      clock_(&clock),
      life_(&life),
      holds_port_(fold.holds_port),
      shared_port_(parameters.shared_dispatch_port),
      load_store_("to_load_store", this),
      port_free_(static_cast<std::size_t>(parameters.clusters)) {
  const auto add = [&](Units& units, Outlets& outlets, int count, const char* kind, isa::UnitClass unit,
                       const FoldCosts& costs) {
    build(units, outlets, count, kind, unit, parameters, overhead_cycles, stats, costs);
  };
  add(int_, to_int_, parameters.clusters, "int", isa::UnitClass::int_, fold);
  add(fp_, to_fp_, parameters.clusters, "fp", isa::UnitClass::fp, fold);
  add(sfu_, to_sfu_, parameters.sfu_units, "sfu", isa::UnitClass::sfu, {});
}

void PartitionUnits::build(Units& units, Outlets& outlets, int count, const char* kind,
                           isa::UnitClass unit_class, const UnitParameters& parameters, int overhead_cycles,
                           const StatsScope& stats, const FoldCosts& fold) {
  for (int i = 0; i < count; ++i) {
    const std::string name = fmt::format("{}{}", kind, i);
    units.push_back(std::make_unique<ExecutionUnit>(name.c_str(), *clock_, *life_, parameters, unit_class,
                                                    overhead_cycles, stats.scope(name), fold));
    outlets.push_back(std::make_unique<InstructionOutlet>(("to_" + name).c_str()));
  }
}

bool PartitionUnits::take(InstructionTransfer& transfer) {
  switch (transfer.item->instruction->unit) {
    case isa::UnitClass::int_:
      return dispatch_to(to_int_, int_, transfer);
    case isa::UnitClass::fp:
      return dispatch_to(to_fp_, fp_, transfer);
    case isa::UnitClass::sfu:
      return to_sfu_[static_cast<std::size_t>(transfer.item->cluster)]->offer(transfer);
    case isa::UnitClass::ldst:
      return load_store_.offer(transfer);
    case isa::UnitClass::control:
      break;
  }
  throw InternalError("a control instruction reached an operand collector");
}

// The port of a cluster takes one instruction a cycle; one that folds keeps its operands there until the
// second pass starts (003, 4.3.4).
bool PartitionUnits::dispatch_to(Outlets& outlets, const Units& units, InstructionTransfer& transfer) {
  const auto i = static_cast<std::size_t>(transfer.item->cluster);
  if (!shared_port_) return outlets[i]->offer(transfer);
  return clock_->now() >= port_free_[i] && dispatch_by_port(outlets, units, transfer);
}

bool PartitionUnits::dispatch_by_port(Outlets& outlets, const Units& units, InstructionTransfer& transfer) {
  const InFlight& item = *transfer.item;
  const auto i = static_cast<std::size_t>(item.cluster);
  if (!outlets[i]->offer(transfer)) return false;
  port_free_[i] = clock_->now() + 1;
  if (holds_port_ && item.plan && item.plan->passes > 1)
    port_free_[i] += units[i]->interval(item.instruction->op_class);
  return true;
}

void PartitionUnits::set_lanes_awake(isa::UnitClass unit_class, const LaneMask* lanes_awake) {
  if (!lanes_awake) return;
  Units& units = unit_class == isa::UnitClass::int_ ? int_ : unit_class == isa::UnitClass::fp ? fp_ : sfu_;
  for (std::size_t i = 0; i < units.size(); ++i) units[i]->set_lanes_awake(lanes_awake + i);
}

std::vector<PartitionUnits::Way> PartitionUnits::ways() {
  std::vector<Way> all;
  const auto add = [&all](Outlets& outlets, Units& units) {
    for (std::size_t i = 0; i < units.size(); ++i) all.push_back({&outlets[i]->socket, units[i].get()});
  };
  add(to_int_, int_);
  add(to_fp_, fp_);
  add(to_sfu_, sfu_);
  return all;
}

void PartitionUnits::probes(const ProbeScope& scope) {
  const auto of = [&scope](const char* kind, Units& units) {
    for (std::size_t i = 0; i < units.size(); ++i) units[i]->probes(scope.part(fmt::format("{}{}", kind, i)));
  };
  of("int", int_);
  of("fp", fp_);
  of("sfu", sfu_);
}

}  // namespace heddle

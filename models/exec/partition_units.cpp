#include "models/exec/partition_units.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {

PartitionUnits::PartitionUnits(const sc_core::sc_module_name& name, Clock& clock, LifeChannel& life,
                               const UnitParameters& parameters, const UnitOverhead& overhead,
                               const StatsScope& stats, const LaneMoves& moves)
    : sc_module(name),
      InstructionTarget("in"),
      clock_(&clock),
      life_(&life),
      holds_port_(moves.holds_port),
      load_store_("to_load_store", this),
      port_free_(static_cast<std::size_t>(parameters.clusters)) {
  const auto add = [&](Units& units, Outlets& outlets, int count, const char* kind, isa::UnitClass unit,
                       const LaneMoves& of_class) {
    build(units, outlets, count, kind, unit, parameters, overhead, stats, of_class);
  };
  add(int_, to_int_, parameters.clusters, "int", isa::UnitClass::int_, moves);
  add(fp_, to_fp_, parameters.clusters, "fp", isa::UnitClass::fp, moves);
  add(sfu_, to_sfu_, parameters.sfu_units, "sfu", isa::UnitClass::sfu, {});
  add(matrix_, to_matrix_, parameters.matrix.units, "matrix", isa::UnitClass::matrix, {});
  set_exits(isa::UnitClass::int_, int_, to_int_, parameters.shared_dispatch_port);
  set_exits(isa::UnitClass::fp, fp_, to_fp_, parameters.shared_dispatch_port);
  set_exits(isa::UnitClass::sfu, sfu_, to_sfu_, false);
  set_exits(isa::UnitClass::matrix, matrix_, to_matrix_, false);
  exit_of(isa::UnitClass::ldst, 0).outlet = &load_store_;
}

void PartitionUnits::build(Units& units, Outlets& outlets, int count, const char* kind,
                           isa::UnitClass unit_class, const UnitParameters& parameters,
                           const UnitOverhead& overhead, const StatsScope& stats, const LaneMoves& moves) {
  for (int i = 0; i < count; ++i) {
    const std::string name = fmt::format("{}{}", kind, i);
    units.push_back(std::make_unique<ExecutionUnit>(name.c_str(), *clock_, *life_, parameters, unit_class,
                                                    overhead, stats.scope(name), moves));
    outlets.push_back(std::make_unique<InstructionOutlet>(("to_" + name).c_str()));
  }
}

void PartitionUnits::set_exits(isa::UnitClass unit_class, const Units& units, const Outlets& outlets,
                               bool shared_port) {
  for (std::size_t i = 0; i < units.size(); ++i)
    exit_of(unit_class, i) = {outlets[i].get(), shared_port ? &port_free_[i] : nullptr, units[i].get()};
}

// Sends a collected instruction to its unit. The dispatch port of an SP cluster takes one instruction per
// cycle. A folded instruction, which half of the lanes execute in two passes, blocks the port until its
// second pass starts (Abdel-Majeed 2016, 4.3.4).
bool PartitionUnits::take(InstructionTransfer& transfer) {
  const InFlight& item = *transfer.item;
  const Exit& exit = exit_of(item.footprint->unit, static_cast<std::size_t>(std::max(item.cluster, 0)));
  if (!exit.port_free) return exit.outlet->offer(transfer);
  return clock_->now() >= *exit.port_free && pass_port(exit, transfer);
}

bool PartitionUnits::pass_port(const Exit& exit, InstructionTransfer& transfer) {
  const InFlight& item = *transfer.item;
  if (!exit.outlet->offer(transfer)) return false;
  *exit.port_free = clock_->now() + 1;
  if (holds_port_ && item.plan && item.plan->passes > 1)
    *exit.port_free += exit.unit->interval(*item.footprint);
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
  add(to_matrix_, matrix_);
  return all;
}

void PartitionUnits::probes(const ProbeScope& scope) {
  const auto of = [&scope](const char* kind, Units& units) {
    for (std::size_t i = 0; i < units.size(); ++i) units[i]->probes(scope.part(fmt::format("{}{}", kind, i)));
  };
  of("int", int_);
  of("fp", fp_);
  of("sfu", sfu_);
  of("matrix", matrix_);
}

}  // namespace heddle

#include "models/exec/partition_units.h"

#include <fmt/format.h>

namespace heddle {

PartitionUnits::PartitionUnits(const sc_core::sc_module_name& name, Clock& clock,
                               const UnitParameters& parameters, int overhead_cycles, const StatsScope& stats)
    : sc_module(name),
      InstructionTarget("in"),
      clock_(&clock),
      shared_port_(parameters.shared_dispatch_port),
      load_store_("to_load_store", *this) {
  build(int_, to_int_, parameters.clusters, "int", isa::UnitClass::int_, parameters, overhead_cycles, stats);
  build(fp_, to_fp_, parameters.clusters, "fp", isa::UnitClass::fp, parameters, overhead_cycles, stats);
  build(sfu_, to_sfu_, parameters.sfu_units, "sfu", isa::UnitClass::sfu, parameters, overhead_cycles, stats);
}

void PartitionUnits::build(Units& units, Outlets& outlets, int count, const char* kind,
                           isa::UnitClass unit_class, const UnitParameters& parameters, int overhead_cycles,
                           const StatsScope& stats) {
  for (int i = 0; i < count; ++i) {
    const std::string name = fmt::format("{}{}", kind, i);
    units.push_back(std::make_unique<ExecutionUnit>(name.c_str(), *clock_, parameters, unit_class,
                                                    overhead_cycles, stats.scope(name)));
    outlets.push_back(std::make_unique<InstructionOutlet>(("to_" + name).c_str(), *this));
  }
}

bool PartitionUnits::take(InstructionTransfer& transfer) {
  if (used_in_ != clock_->now()) {
    used_in_ = clock_->now();
    cluster_used_ = 0;
  }
  switch (transfer.item->instruction->unit) {
    case isa::UnitClass::int_:
      return dispatch_to(to_int_, transfer, true);
    case isa::UnitClass::fp:
      return dispatch_to(to_fp_, transfer, true);
    case isa::UnitClass::sfu:
      return dispatch_to(to_sfu_, transfer, false);
    case isa::UnitClass::ldst:
      return load_store_.offer(transfer);
    case isa::UnitClass::control:
      break;
  }
  throw InternalError("a control instruction reached an operand collector");
}

bool PartitionUnits::dispatch_to(Outlets& outlets, InstructionTransfer& transfer, bool clustered) {
  const auto i = static_cast<std::size_t>(transfer.item->cluster);
  const std::uint32_t port = clustered && shared_port_ ? 1u << i : 0;
  if ((cluster_used_ & port) || !outlets[i]->offer(transfer)) return false;
  cluster_used_ |= port;
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

#include "models/exec/partition_units.h"

#include <fmt/format.h>

namespace heddle {

PartitionUnits::PartitionUnits(const std::string& name, Clock& clock, const UnitParameters& parameters,
                               int overhead_cycles, CycleQueue<InFlight*>& load_store_input,
                               IssueInbox& inbox, const StatsScope& stats)
    : clock_(&clock), shared_port_(parameters.shared_dispatch_port), load_store_(&load_store_input) {
  const auto build = [&](Units& units, int count, const char* kind, isa::UnitClass unit_class) {
    for (int i = 0; i < count; ++i)
      units.push_back(std::make_unique<ExecutionUnit>(fmt::format("{}{}{}", name, kind, i).c_str(), clock,
                                                      parameters, unit_class, overhead_cycles, inbox,
                                                      stats.scope(fmt::format("{}{}", kind, i))));
  };
  build(int_, parameters.clusters, "int", isa::UnitClass::int_);
  build(fp_, parameters.clusters, "fp", isa::UnitClass::fp);
  build(sfu_, parameters.sfu_units, "sfu", isa::UnitClass::sfu);
}

bool PartitionUnits::dispatch(Cycle now, InFlight* item) {
  switch (item->instruction->unit) {
    case isa::UnitClass::int_:
      return dispatch_to(now, item, int_, true);
    case isa::UnitClass::fp:
      return dispatch_to(now, item, fp_, true);
    case isa::UnitClass::sfu:
      return dispatch_to(now, item, sfu_, false);
    case isa::UnitClass::ldst:
      if (!load_store_->can_push(now)) return false;
      load_store_->push(now, item);
      clock_->wake_next();
      return true;
    case isa::UnitClass::control:
      break;
  }
  throw InternalError("a control instruction reached an operand collector");
}

bool PartitionUnits::dispatch_to(Cycle now, InFlight* item, Units& units, bool clustered) {
  const auto i = static_cast<std::size_t>(item->cluster);
  const std::uint32_t port = clustered && shared_port_ ? 1u << i : 0;
  if ((cluster_used_ & port) || !units[i]->input().can_push(now)) return false;
  units[i]->input().push(now, item);
  cluster_used_ |= port;
  clock_->wake_next();
  return true;
}

std::vector<CycleQueue<InFlight*>*> PartitionUnits::outputs() {
  std::vector<CycleQueue<InFlight*>*> all;
  for (Units* units : {&int_, &fp_, &sfu_})
    for (auto& unit : *units) all.push_back(&unit->output());
  return all;
}

}  // namespace heddle

#include "models/regfile/register_port.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "models/core/registry.h"

namespace heddle {
namespace {

// Counters of a stage belong to its type in snake case; of several of one type the lowest has the plain name,
// each one above it a number: register_cache2 over register_cache.
StatsScope owner_of(const std::vector<ConfigNode>& stages, std::size_t i, const StatsScope& partition) {
  std::string owner = choice_name(stages[i]);
  std::size_t below = 1;
  for (std::size_t j = i + 1; j < stages.size(); ++j) below += choice_name(stages[j]) == owner;
  std::replace(owner.begin(), owner.end(), '-', '_');
  return partition.scope(below > 1 ? fmt::format("{}{}", owner, below) : owner);
}

}  // namespace

RegisterPort::RegisterPort(const sc_core::sc_module_name& name, const Wiring& wiring)
    : ClockedModule(name, *wiring.clock),
      map_(wiring.parameters->banks, wiring.max_warps),
      top_(*wiring.clock, wiring.stats),
      collectors_("collectors", *wiring.clock, *wiring.parameters, top_, wiring.stats.scope("collectors")),
      result_bus_("result_bus", *wiring.clock, wiring.parameters->result_bus_width, wiring.result_sources, top_,
                  wiring.stats.scope("result_bus")) {
  top_.initiator.bind(*this);
  build_stages(wiring);
}

void RegisterPort::build_stages(const Wiring& wiring) {
  const std::vector<ConfigNode>& choices = wiring.parameters->stages;
  if (choices.empty())
    throw Error("register_file.stages", "no stages",
                "a list that ends with one that holds the registers, such as \"banks\"");
  std::optional<std::string> keeper;
  bool announces = false;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const std::string type = choice_name(choices[i]);
    std::string name = fmt::format("stage{}_{}", i, type);
    std::replace(name.begin(), name.end(), '-', '_');
    const sc_core::sc_module_name module_name(name.c_str());
    RegisterStageContext context{module_name,
                                 wiring.clock,
                                 owner_of(choices, i, wiring.stats),
                                 &map_,
                                 wiring.parameters,
                                 wiring.max_warps,
                                 wiring.partitions,
                                 wiring.schedulers,
                                 wiring.power};
    stages_.push_back(Registry<RegisterStage>::instance().make(choices[i], context));
    if (stages_.back()->hears_warps()) hearing_.push_back(stages_.back().get());
    if (keeper && stages_.back()->needs_every_access())
      throw Error(
          choices[i].where(),
          fmt::format("\"{}\" below \"{}\" would miss accesses that are answered there", type, *keeper),
          "above every stage that keeps values of its own");
    if (stages_.back()->keeps_accesses() && !keeper) keeper = type;
    const bool last = i + 1 == choices.size();
    if (stages_.back()->is_last() != last)
      throw Error(choices[i].where(),
                  last ? fmt::format("\"{}\" cannot be the last stage", type)
                       : fmt::format("nothing can stand below \"{}\"", type),
                  "caching or mapping stages first, then \"banks\"");
    announces |= stages_.back()->hears_prepare();
  }
  top_.set_announces(announces);
  top_.initiator.bind(stages_.front()->target);
  for (std::size_t i = 0; i + 1 < stages_.size(); ++i) stages_[i]->bind_below(*stages_[i + 1]);
}

int RegisterPort::read_latency_cycles() const {
  int sum = 0;
  for (const auto& stage : stages_) sum += stage->latency_cycles();
  return sum;
}

void RegisterPort::warp_begins(WarpId warp, std::uint32_t registers) {
  map_.place(warp, registers);
  for (auto& stage : stages_) stage->warp_begins(warp, registers);
}

void RegisterPort::warp_ends(WarpId warp) {
  for (auto& stage : stages_) stage->warp_ends(warp);
}

void RegisterPort::warp_activated(WarpId warp) {
  for (RegisterStage* stage : hearing_) stage->warp_activated(warp);
}

void RegisterPort::warp_deactivated(WarpId warp) {
  for (RegisterStage* stage : hearing_) stage->warp_deactivated(warp);
}

bool RegisterPort::flushed(WarpId warp) const {
  return std::all_of(hearing_.begin(), hearing_.end(),
                     [warp](const RegisterStage* stage) { return stage->flushed(warp); });
}

bool RegisterPort::may_leave(WarpId warp) const {
  return std::all_of(hearing_.begin(), hearing_.end(),
                     [warp](const RegisterStage* stage) { return stage->may_leave(warp); });
}

void RegisterPort::instruction_issued(WarpId warp, const isa::Instruction& instruction, LaneMask mask) {
  for (RegisterStage* stage : hearing_) stage->instruction_issued(warp, instruction, mask);
}

LaneVec RegisterPort::debug_read(WarpId warp, RegId reg) {
  LaneVec values;
  RegisterAccess access;
  access.warp = warp;
  access.reg = reg;
  access.values = &values;
  top_.initiator->transport_dbg(access);
  return values;
}

bool RegisterPort::flip_bit(WarpId warp, RegId reg, int lane, int bit) {
  for (auto& stage : stages_)
    if (stage->flip_bit(warp, reg, lane, bit)) return true;
  return false;
}

// Results first: a value that becomes visible in this cycle is ordered before the reads of the same cycle.
void RegisterPort::tick() {
  result_bus_.step(now());
  collectors_.step(now());
}

tlm::tlm_sync_enum RegisterPort::nb_transport_bw(RegisterAccess& access, tlm::tlm_phase& phase,
                                                 sc_core::sc_time&) {
  if (phase == tlm::BEGIN_RESP) {
    if (access.source == RegisterAccess::kResultBus)
      result_bus_.on_response(access);
    else
      collectors_.on_response(now(), access);
  } else {
    top_.retried();
  }
  clock().wake_next();
  return tlm::TLM_COMPLETED;
}

}  // namespace heddle

#include "models/operands/register_path.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"
#include "models/core/part_path.h"
#include "models/core/registry.h"

namespace heddle {

std::string owner_of_stage(const std::vector<ConfigNode>& stages, std::size_t i) {
  std::string owner = choice_name(stages[i]);
  std::size_t below = 1;
  for (std::size_t j = i + 1; j < stages.size(); ++j) below += choice_name(stages[j]) == owner;
  std::replace(owner.begin(), owner.end(), '-', '_');
  return below > 1 ? fmt::format("{}{}", owner, below) : owner;
}

RegisterPath::RegisterPath(const Wiring& wiring)
    : clock_(wiring.clock),
      initiator_(wiring.initiator),
      map_(wiring.parameters->banks, wiring.max_warps, wiring.partitions),
      registers_(static_cast<std::size_t>(wiring.max_warps)),
      reads_(wiring.stats.add("register_port.reads", "accesses", "register words read by the collectors")),
      writes_(wiring.stats.add("register_port.writes", "accesses",
                               "result words written at the top of the path")) {
  build(wiring);
  choose_mapping(*wiring.parameters);
}

void RegisterPath::build(const Wiring& wiring) {
  const std::vector<ConfigNode>& choices = wiring.parameters->stages;
  if (choices.empty())
    throw Error("register_file.stages", "no stages",
                "a list that ends with a stage that holds the registers, such as \"banks\"");
  std::string keeper;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const std::string type = choice_name(choices[i]);
    const std::string name = part_place_name("stage", i, type);
    const sc_core::sc_module_name module_name(name.c_str());
    RegisterStageContext context{module_name,
                                 wiring.clock,
                                 wiring.stats.scope(owner_of_stage(choices, i)),
                                 &map_,
                                 wiring.parameters,
                                 wiring.max_warps,
                                 wiring.partitions,
                                 wiring.schedulers,
                                 wiring.services};
    stages_.push_back(Registry<RegisterStage>::instance().make(choices[i], context));
    RegisterStage& stage = *stages_.back();
    if (!keeper.empty() && stage.needs_every_access())
      throw Error(
          choices[i].where(),
          fmt::format("\"{}\" below \"{}\" would miss accesses that are answered there", type, keeper),
          "above every stage that keeps values of its own");
    if (stage.keeps_accesses() && keeper.empty()) keeper = type;
    const bool last = i + 1 == choices.size();
    if (stage.is_last() != last)
      throw Error(choices[i].where(),
                  last ? fmt::format("\"{}\" cannot be the last stage", type)
                       : fmt::format("nothing can stand below \"{}\"", type),
                  "caching or mapping stages first, then \"banks\"");
    wants_ |= stage.wants();
    if (stage.wants() & wants::slots) slots_.add(stage);
  }
  for (std::size_t i = 0; i + 1 < stages_.size(); ++i) stages_[i]->bind_below(*stages_[i + 1]);
  top_ = stages_.front().get();
  RegisterWants below = 0;
  for (auto stage = stages_.rbegin(); stage != stages_.rend(); ++stage) {
    (*stage)->set_wanted_below(below);
    below |= (*stage)->wants();
  }
}

// Uses the mapping that a stage such as renaming provides. If no stage provides a mapping, uses the static
// register map.
void RegisterPath::choose_mapping(const RegisterFileParameters& parameters) {
  for (const auto& stage : stages_)
    if (RegisterMapping* provided = stage->provided_mapping()) {
      if (mapping_ != &map_)
        throw Error("register_file.stages", "two stages map registers to entries", "one of them");
      mapping_ = provided;
    }
  for (const auto& stage : stages_) stage->set_mapping(*mapping_);
  mapping_->results_kept_above(std::any_of(stages_.begin(), stages_.end(),
                                           [](const auto& stage) { return stage->keeps_annotated(); }));
  architected_ = parameters.architected_entries ? static_cast<std::uint32_t>(parameters.architected_entries)
                                                : mapping_->entries();
  if (mapping_ == &map_ && architected_ > map_.entries())
    throw Error("register_file.architected_entries",
                fmt::format("{} registers in {} entries of the banks", architected_, map_.entries()),
                "at most the banks' entries, or a stage that maps registers to entries when they are used");
}

void RegisterPath::budget(RegisterBudget& budget) const {
  budget.capacity = map_.depths();
  budget.free.resize(budget.capacity.size());
  for (std::size_t b = 0; b < budget.free.size(); ++b)
    budget.free[b] = static_cast<int>(mapping_->free_entries(BankId(static_cast<std::uint32_t>(b))));
  budget.holdings = mapping_->holdings();
}

int RegisterPath::read_latency_cycles() const {
  int sum = 0;
  for (const auto& stage : stages_) sum += stage->latency_cycles();
  return sum;
}

void RegisterPath::subscribe(LifeChannel& life, std::size_t partition) {
  life_ = &life;
  life.subscribe(*this, {Life::kernel_begins, Life::warp_ends}, partition);
  for (auto& stage : stages_) life.subscribe(*stage, stage->subscriptions(), partition);
  life.subscribe(slots_, slots_.subscriptions(), partition);
}

void RegisterPath::warp_ends(WarpId warp) {
  if (!life_->has_subscriber(Life::warp_gone)) return;
  if (ending_.empty()) clock_->open_next(*this);
  ending_.push_back(warp);
  clock_->wake();
}

void RegisterPath::open_cycle() {
  for (const WarpId warp : ending_) life_->warp_gone(warp);
  ending_.clear();
}

void RegisterPath::bind(WarpId warp, std::uint32_t registers) {
  if (registers > free_registers()) throw InternalError("register path: a warp without registers");
  bound_ += registers_[warp.value] = registers;
  mapping_->bind_warp(warp, registers);
}

void RegisterPath::unmap(WarpId warp) {
  mapping_->release_warp(warp);
  bound_ -= registers_[warp.value];
  registers_[warp.value] = 0;
}

void RegisterPath::settle(Cycle cycle) {
  for (auto& stage : stages_) stage->settle(cycle);
}

LaneVec RegisterPath::debug_read(WarpId warp, RegId reg) {
  LaneVec values;
  RegisterAccess access;
  access.set_register(warp, reg);
  access.values = &values;
  (*initiator_)->transport_dbg(access);
  return values;
}

bool RegisterPath::flip_bit(WarpId warp, RegId reg, int lane, int bit) {
  RegisterAccess access;
  access.set_register(warp, reg);
  for (auto& stage : stages_)
    if (stage->flip_bit(access, lane, bit)) return true;
  return false;
}

}  // namespace heddle

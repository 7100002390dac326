#include "tests/regfile/stage_driver.h"

#include <fmt/format.h>

#include "models/core/registry.h"

namespace heddle {

isa::Instruction make_int_add() {
  isa::Instruction i;
  i.op = isa::Opcode::add;
  i.type = i.source_type = isa::DataType::u32;
  isa::classify(i);
  return i;
}

isa::Instruction make_global_load() {
  isa::Instruction i = make_int_add();
  i.op = isa::Opcode::ld;
  i.memory.space = isa::Space::global;
  isa::classify(i);
  return i;
}

isa::Instruction make_shared_load() {
  isa::Instruction i = make_global_load();
  i.memory.space = isa::Space::shared;
  isa::classify(i);
  return i;
}

StageDriver::Line& StageDriver::at(Cycle cycle, RegisterCommand command, int warp, int reg,
                                   std::uint32_t value, LaneMask mask) {
  static const isa::Instruction add = make_int_add();
  Line& line = lines_.emplace_back();
  line.access.command = command;
  line.access.set_register(WarpId(static_cast<std::uint32_t>(warp)), RegId(static_cast<std::uint32_t>(reg)));
  line.access.mask = mask;
  line.access.values = &line.values;
  line.access.instruction = &add;
  line.access.operand = &line.operand;
  line.access.source = command == RegisterCommand::write ? RegisterAccess::kResultBus : std::uint16_t{0};
  line.access.owner = &line;
  line.values.fill(value);
  steps_.push_back({cycle, &line, {}});
  return line;
}

void StageDriver::call(Cycle cycle, std::function<void()> what) {
  steps_.push_back({cycle, nullptr, std::move(what)});
}

void StageDriver::tick() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    Step step = steps_[i];
    const bool due = step.cycle <= now() && (step.what || credit_.may_send(now()));
    if (!due) {
      steps_[kept++] = step;
      continue;
    }
    if (step.what) {
      step.what();
      continue;
    }
    step.line->accepted_at = now();
    const RegisterAnswer answer = offer(initiator, step.line->access);
    if (answer == RegisterAnswer::answered) step.line->answered_at = now();
    if (answer != RegisterAnswer::refused) continue;
    step.line->accepted_at = kNever;
    ++step.line->refusals;
    credit_.refused(now());
    steps_[kept++] = step;
  }
  steps_.resize(kept);
  if (kept) clock().wake();
}

tlm::tlm_sync_enum StageDriver::nb_transport_bw(RegisterAccess& access, tlm::tlm_phase& phase,
                                                sc_core::sc_time&) {
  if (phase == tlm::BEGIN_RESP)
    static_cast<Line*>(access.owner)->answered_at = now();
  else
    credit_.retried(now());
  clock().wake();
  return tlm::TLM_COMPLETED;
}

StageRig::StageRig(const std::vector<std::string>& stages, const std::string& banks, int partitions,
                   int schedulers) {
  parameters_.banks.count = 16;
  read_fields(parse_config_text(banks, "test"), parameters_.banks);
  constexpr int kWarps = 8;
  map_ = std::make_unique<RegisterMap>(parameters_.banks, kWarps);
  clock_ = std::make_unique<Clock>("clock", sc_core::sc_time(1, sc_core::SC_NS), status_);
  driver_ = std::make_unique<StageDriver>("driver", *clock_);
  for (std::size_t i = 0; i <= stages.size(); ++i) {
    const std::string text = i < stages.size() ? stages[i] : "\"banks\"";
    const ConfigNode choice = parse_config_text(text, "test");
    std::string owner = choice_name(choice);
    std::replace(owner.begin(), owner.end(), '-', '_');
    const std::string name = fmt::format("stage{}", i);
    const sc_core::sc_module_name module_name(name.c_str());
    RegisterStageContext context{module_name, clock_.get(), StatsScope(stats_, owner),
                                 map_.get(),  &parameters_, kWarps,
                                 partitions,  schedulers};
    path_.push_back(Registry<RegisterStage>::instance().make(choice, context));
  }
  for (std::size_t i = 0; i + 1 < path_.size(); ++i) path_[i]->bind_below(*path_[i + 1]);
  driver_->initiator.bind(path_.front()->target);
  mapping_ = map_.get();
  for (auto& stage : path_)
    if (RegisterMapping* provided = stage->provided_mapping()) mapping_ = provided;
  for (auto& stage : path_) stage->set_mapping(*mapping_);
  for (std::uint32_t w = 0; w < kWarps; ++w) {
    mapping_->bind_warp(WarpId(w), kRegisters);
    WarpBegins begins;
    begins.warp = WarpId(w);
    begins.registers = kRegisters;
    for (auto& stage : path_) stage->warp_begins(begins);
  }
}

void StageRig::run() {
  clock_->start(1);
  sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_US));
  status_.rethrow();
}

void StageRig::end_warp(std::uint32_t warp) {
  for (auto& stage : path_)
    if (stage->subscriptions().has(Life::warp_ends)) stage->warp_ends(WarpId(warp));
  ending_.emplace_back(warp);
  clock_->open_next(*this);
  clock_->wake();
}

void StageRig::open_cycle() {
  for (const WarpId warp : ending_)
    for (auto& stage : path_)
      if (stage->subscriptions().has(Life::warp_gone)) stage->warp_gone(warp);
  for (const WarpId warp : ending_) mapping_->release_warp(warp);
  placeless_.insert(ending_.begin(), ending_.end());
  ending_.clear();
}

void StageRig::place_warp(std::uint32_t warp) {
  if (placeless_.erase(WarpId(warp))) mapping_->bind_warp(WarpId(warp), kRegisters);
}

std::uint64_t StageRig::count(const std::string& name) const {
  for (const CounterInfo& info : stats_.counters())
    if (info.full_name() == name) return info.counter->value();
  throw Error("test", fmt::format("no counter {}", name));
}

std::uint32_t StageRig::value(std::size_t stage, int warp, int reg, int lane) {
  LaneVec values;
  RegisterAccess access;
  access.set_register(WarpId(static_cast<std::uint32_t>(warp)), RegId(static_cast<std::uint32_t>(reg)));
  access.values = &values;
  path_[stage]->target.get_base_export()->transport_dbg(access);
  return values[lane];
}

}  // namespace heddle

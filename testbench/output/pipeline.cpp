#include "testbench/output/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "models/core/error.h"
#include "models/isa/narrow_space.h"
#include "models/operands/register_port.h"
#include "models/sm/issue_stage.h"
#include "testbench/output/lane_values.h"
#include "testbench/output/source_text.h"

namespace heddle::output {
namespace {

using Activity = WarpActivity;

constexpr std::uint64_t kNoWriter = ~std::uint64_t{0};

constexpr LifeSet kIssueOnly{Life::kernel_begins, Life::warp_begins, Life::issued};
constexpr LifeSet kEveryStep = kIssueOnly | LifeSet{Life::fetched,    Life::prepared, Life::reads_held,
                                                    Life::dispatched, Life::left,     Life::completed};

}  // namespace

class PipelineRecorder::SmObserver : public tlm::tlm_analysis_if<LifeEvent> {
 public:
  SmObserver(PipelineRecorder& recorder, Sm& sm, std::uint16_t number)
      : recorder_(&recorder),
        sm_(&sm),
        number_(number),
        warps_(static_cast<std::size_t>(sm.issue().max_warps())) {
    sm.events.bind(*this);
    sm.observe_events(recorder.with_operands() ? kEveryStep : kIssueOnly);
    sm.clock().observe([this](Cycle cycle) { sample(cycle); });
    if (!recorder.with_operands()) return;
    for (int p = 0; p < sm.partitions(); ++p) {
      const auto& stages = sm.register_port(p).path().stages();
      for (std::size_t s = 0; s < stages.size(); ++s)
        if (Probe<PassPoint>* passes = stages[s]->passes())
          passes->attach([this, s](const RegisterAccess& access, const void*) { passed(s + 1, access); });
    }
  }

  void write(const LifeEvent& event) override {
    switch (event.what) {
      case Life::kernel_begins:
        return recorder_->text_numbers_.clear();
      case Life::warp_begins:
        return begin(warps_[event.warp.value]);
      case Life::fetched:
        warps_[event.warp.value].fetched.push_back({event.pc, event.epoch, event.cycle, event.ready});
        return;
      case Life::issued:
        return issued(event);
      default:
        if (const auto open = open_.find(event.uid); open != open_.end()) step(event, open->second);
    }
  }

  std::vector<PipelineInstruction>& instructions() { return instructions_; }

 private:
  struct Fetched {
    std::uint32_t pc, epoch;
    Cycle cycle, ready;
  };
  /// For each register and predicate of a warp, the instruction that wrote it last.
  struct Writers {
    std::array<std::uint64_t, 256> registers{};
    std::array<std::uint64_t, 64> predicates{};
  };
  struct Warp {
    std::deque<Fetched> fetched;
    Activity activity = Activity::empty;
    Cycle since = 0;  ///< cycle from which the warp has this activity
    std::vector<PipelineWait> waits;
    Writers writers;
    std::vector<std::uint64_t> collecting;
  };
  struct Open {
    std::size_t index;
    const isa::Instruction* instruction;
    const InstructionFootprint* footprint;
    CollectorId collector{};
  };

  static void begin(Warp& warp) {
    warp.fetched.clear();
    warp.waits.clear();
    warp.writers.registers.fill(kNoWriter);
    warp.writers.predicates.fill(kNoWriter);
  }

  void issued(const LifeEvent& event) {
    Warp& warp = warps_[event.warp.value];
    PipelineInstruction made;
    made.sm = number_;
    made.warp = static_cast<std::uint16_t>(event.warp.value);
    made.launch = event.kernel.value;
    made.cta = event.cta;
    made.pc = event.pc;
    made.mask = event.mask;
    made.uid = event.uid;
    made.unit = event.instruction->unit;
    made.issued = event.cycle;
    take_fetch(warp, event, made);
    end_wait(warp, event.cycle);
    made.waits = std::exchange(warp.waits, {});
    add_producers(*event.item->footprint, warp.writers, made);
    if (event.mask != 0) note_results(*event.item, warp.writers);
    const bool collects = event.item->collects();
    if (!collects) made.completed = event.cycle + 1;
    if (!recorder_->admits(made)) return;
    made.text = recorder_->text_of(*event.instruction, *event.item->context->launch->program);
    if (collects && recorder_->with_operands()) {
      add_operands(*event.item, made);
      open_[event.uid] = {instructions_.size(), event.instruction, event.item->footprint};
    }
    instructions_.push_back(std::move(made));
    ++recorder_->recorded_;
    recorder_->trim();
  }

  // Finds the fetch of the instruction among the warp's fetches. Fetches with an older epoch were made
  // invalid by a redirect, so they are skipped.
  static void take_fetch(Warp& warp, const LifeEvent& event, PipelineInstruction& made) {
    while (!warp.fetched.empty()) {
      const Fetched fetched = warp.fetched.front();
      warp.fetched.pop_front();
      if (fetched.pc != event.pc || fetched.epoch != event.epoch) continue;
      made.fetched = fetched.cycle;
      made.ready = fetched.ready;
      return;
    }
  }

  static void end_wait(Warp& warp, Cycle cycle) {
    if (is_wait(warp.activity) && warp.since < cycle)
      warp.waits.push_back({reason_of(warp.activity), warp.since, cycle});
    warp.since = cycle;
  }

  static void add_producers(const InstructionFootprint& footprint, const Writers& writers,
                            PipelineInstruction& made) {
    const auto add = [&made](std::uint64_t uid) {
      if (uid != kNoWriter &&
          std::find(made.producers.begin(), made.producers.end(), uid) == made.producers.end())
        made.producers.push_back(uid);
    };
    footprint.reads.for_each([&](std::uint32_t reg) { add(writers.registers[reg]); });
    for (std::uint64_t rest = footprint.predicate_reads; rest; rest &= rest - 1)
      add(writers.predicates[static_cast<std::size_t>(std::countr_zero(rest))]);
  }
  static void note_results(const InFlight& item, Writers& writers) {
    item.footprint->writes.for_each([&](std::uint32_t reg) { writers.registers[reg] = item.uid; });
    for (std::uint64_t rest = item.footprint->predicate_writes; rest; rest &= rest - 1)
      writers.predicates[static_cast<std::size_t>(std::countr_zero(rest))] = item.uid;
  }
  static void add_operands(const InFlight& item, PipelineInstruction& made) {
    for (const OperandWord& word : item.footprint->reads_in_order())
      made.sources.push_back({fmt::format("r{}", word.reg), 0, {}});
  }

  // Records a step of an instruction. The life event arrives one cycle after the step, because the issue
  // stage first processes what the units report.
  void step(const LifeEvent& event, Open& open) {
    const bool kept = open.index < instructions_.size();
    PipelineInstruction ignored, &made = kept ? instructions_[open.index] : ignored;
    std::vector<std::uint64_t>& collecting = warps_[event.warp.value].collecting;
    switch (event.what) {
      case Life::prepared:
        made.prepared = event.cycle;
        open.collector = event.item->collector;
        collecting.push_back(event.uid);
        break;
      case Life::reads_held:
        made.held = event.cycle - 1;
        break;
      case Life::dispatched:
        made.dispatched = event.cycle - 1;
        // reads_held may arrive only together with dispatched. The operands were then complete earlier, in
        // cycle operands_at.
        if (event.item->operands_at >= made.issued && event.item->operands_at < made.dispatched)
          made.held = std::min(made.held, event.item->operands_at);
        made.held = std::min(made.held, made.dispatched);
        std::erase(collecting, event.uid);
        if (kept) read_sources(*event.item, made);
        if (kept && recorder_->detail_ == PipelineDetail::addresses) read_addresses(*event.item, made);
        break;
      case Life::left:
        made.left = event.cycle - 1;
        break;
      case Life::completed:
        made.completed = event.cycle;
        if (kept) read_results(*event.item, made);
        open_.erase(event.uid);
        break;
      default:
        break;
    }
  }

  static isa::DataType type_of(const InFlight& item, isa::DataType type) {
    return item.footprint->memory ? isa::DataType::none : type;
  }
  static void read_sources(const InFlight& item, PipelineInstruction& made) {
    const isa::DataType type = type_of(item, item.instruction->source_type);
    auto to = made.sources.begin();
    for (const OperandWord& word : item.footprint->reads_in_order())
      (to++)->values = lane_values(*item.value(word), item.mask, type);
  }
  static void read_addresses(const InFlight& item, PipelineInstruction& made) {
    if (!item.footprint->memory || item.footprint->texture || !item.operands.src[0][0]) return;
    const isa::MemoryAccess& access = item.instruction->memory;
    const LaneVec* const high = isa::is_narrow(access.space) ? nullptr : item.operands.src[0][1];
    made.addresses.space = access.space;
    made.addresses.bytes = unsigned{access.element_bytes} * access.elements;
    for (LaneMask left = item.mask; left; left &= left - 1) {
      const int lane = std::countr_zero(left);
      const std::uint64_t low = (*item.operands.src[0][0])[lane];
      const std::uint64_t address =
          (high ? std::uint64_t{(*high)[lane]} << 32 : 0) + low + static_cast<std::uint64_t>(access.offset);
      made.addresses.lanes.push_back(high ? address : address & 0xffffffffu);
    }
  }
  static void read_results(const InFlight& item, PipelineInstruction& made) {
    for (const OperandWord& word : item.footprint->writes_in_order())
      made.results.push_back({fmt::format("r{}", word.reg), 0,
                              lane_values(*item.value(word), item.mask, item.instruction->type)});
    for (std::size_t slot = 0; slot < item.instruction->num_dst; ++slot) {
      const isa::Operand& operand = item.instruction->dst[slot];
      if (!operand.is_pred()) continue;
      made.results.push_back({fmt::format("p{}", operand.pred.value), 0,
                              fmt::format("lanes {:08x}", item.operands.pred_dst[slot] & item.mask)});
    }
  }

  // Called when a register-file stage passes a read to the stage with index `below`. Ignores reads that
  // belong to no instruction. A read that a stage makes for an instruction belongs to this instruction.
  void passed(std::size_t below, const RegisterAccess& access) {
    if (access.command != RegisterCommand::read || !access.instruction) return;
    Open* of = nullptr;
    for (const std::uint64_t uid : warps_[access.warp.value].collecting) {
      const auto open = open_.find(uid);
      if (open == open_.end() || open->second.instruction != access.instruction) continue;
      if (!of || open->second.collector.value == access.source) of = &open->second;
    }
    if (!of || of->index >= instructions_.size()) return;
    std::vector<PipelineOperand>& sources = instructions_[of->index].sources;
    const auto word = static_cast<std::size_t>(access.operand - of->footprint->words.data());
    if (word < sources.size()) sources[word].stage = std::max(sources[word].stage, below);
  }

  void sample(Cycle cycle) {
    const WarpActivities now = sm_->issue().activities();
    for (const WarpId id : now.changed_since(before_)) {
      Warp& warp = warps_[id.value];
      end_wait(warp, cycle);
      warp.activity = now.of(id);
    }
    before_ = now;
  }

  PipelineRecorder* recorder_;
  Sm* sm_;
  std::uint16_t number_;
  std::vector<Warp> warps_;
  std::unordered_map<std::uint64_t, Open> open_;  ///< recorded instructions in flight, by uid
  std::vector<PipelineInstruction> instructions_;
  WarpActivities before_;  ///< activity of each warp slot in the last observed cycle
};

PipelineRecorder::PipelineRecorder(const PipelineParameters& parameters, Gpu& gpu, PipelineDetail detail)
    : parameters_(parameters), detail_(detail) {
  if (parameters_.to_cycle == 0) parameters_.to_cycle = kNever - 1;
  if (parameters_.to_cycle < parameters_.from_cycle)
    throw Error("output.pipeline.to_cycle", fmt::format("{} lies before from_cycle", parameters_.to_cycle),
                fmt::format("{} or more, or 0", parameters_.from_cycle));
  std::vector<int> chosen = parameters_.sms;
  const int count = static_cast<int>(gpu.sms().size());
  for (int s = 0; parameters_.sms.empty() && s < count; ++s) chosen.push_back(s);
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  if (chosen.back() >= count)
    throw Error("output.pipeline.sms", fmt::format("there is no SM {}", chosen.back()),
                fmt::format("0 to {}", count - 1));
  for (const auto& stage : gpu.sm(0).register_port(0).path().stages()) {
    const std::string name = stage->basename();
    log_.stages.push_back(name.starts_with("stage") ? name.substr(name.find('_') + 1) : name);
  }
  for (const int s : chosen)
    observers_.push_back(std::make_unique<SmObserver>(*this, gpu.sm(static_cast<std::size_t>(s)),
                                                      static_cast<std::uint16_t>(s)));
}

PipelineRecorder::~PipelineRecorder() = default;

std::size_t PipelineRecorder::text_of(const isa::Instruction& instruction, const isa::Program& program) {
  const auto [at, added] = text_numbers_.emplace(&instruction, log_.texts.size());
  if (!added) return at->second;
  const isa::SourceLocation& from = instruction.location;
  const bool has_line = from.line != 0 && from.file < program.files.size();
  log_.texts.push_back({isa::to_string(instruction),
                        has_line ? short_place(program, from) : fmt::format("PTX:{}", from.ptx_line)});
  return at->second;
}

void PipelineRecorder::forget() {
  for (const auto& observer : observers_) observer->instructions().clear();
  recorded_ = 0;
  cut_ = false;
}

bool PipelineRecorder::admits(const PipelineInstruction& instruction) {
  if (instruction.issued < parameters_.from_cycle || instruction.issued > parameters_.to_cycle) return false;
  return !cut_ || earlier(instruction, first_out_);
}

void PipelineRecorder::leave_out(const PipelineInstruction& instruction) {
  if (!cut_ || earlier(instruction, first_out_)) first_out_ = instruction;
  cut_ = true;
}

// Keeps only the first max_instructions recorded instructions and drops the others. A dropped instruction
// cannot belong to the log, because max_instructions recorded instructions precede it. SMs run ahead of each
// other, so instructions recorded later may still precede kept ones.
void PipelineRecorder::trim() {
  if (recorded_ < 2 * parameters_.max_instructions) return;
  std::vector<const PipelineInstruction*> all;
  for (const auto& observer : observers_)
    for (const PipelineInstruction& one : observer->instructions()) all.push_back(&one);
  const auto first_out = all.begin() + static_cast<std::ptrdiff_t>(parameters_.max_instructions);
  std::nth_element(
      all.begin(), first_out, all.end(),
      [](const PipelineInstruction* a, const PipelineInstruction* b) { return earlier(*a, *b); });
  leave_out(PipelineInstruction(**first_out));
  recorded_ = 0;
  for (const auto& observer : observers_) {
    std::vector<PipelineInstruction>& some = observer->instructions();
    some.erase(std::lower_bound(some.begin(), some.end(), first_out_, earlier), some.end());
    recorded_ += some.size();
  }
}

PipelineLog PipelineRecorder::take() {
  for (const auto& observer : observers_)
    std::move(observer->instructions().begin(), observer->instructions().end(),
              std::back_inserter(log_.instructions));
  std::sort(log_.instructions.begin(), log_.instructions.end(), earlier);
  if (log_.instructions.size() > parameters_.max_instructions) {
    leave_out(log_.instructions[parameters_.max_instructions]);
    log_.instructions.resize(parameters_.max_instructions);
  }
  if (cut_) log_.stops_at = first_out_.issued;
  return std::move(log_);
}

}  // namespace heddle::output

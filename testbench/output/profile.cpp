#include "testbench/output/profile.h"

#include <algorithm>

#include "models/operands/register_port.h"
#include "models/sm/issue_stage.h"

namespace heddle::output {
namespace {

using Activity = WarpActivity;

}  // namespace

// Records for each warp slot of one SM why the warp in this slot waits. A reason is valid until the warp's
// next event.
class Profiler::SmObserver : public tlm::tlm_analysis_if<LifeEvent> {
 public:
  SmObserver(Profiler& profiler, Sm& sm)
      : profiler_(&profiler),
        sm_(&sm),
        waits_(static_cast<std::size_t>(sm.issue().max_warps())),
        collect_cycles_(static_cast<Cycle>(sm.parameters().register_file.banks.latency_cycles)) {
    sm.events.bind(*this);
    sm.observe_events({Life::issued, Life::dispatched, Life::completed});
    sm.clock().observe([this](Cycle cycle) { sample(cycle); });
    for (int p = 0; p < sm.partitions(); ++p) {
      const auto& stages = sm.register_port(p).path().stages();
      if (stages.size() > 1)
        stages[stages.size() - 2]->passes()->attach(
            [this](const RegisterAccess& access, const void*) { passed(access); });
      read_cycles_.push_back(static_cast<Cycle>(sm.register_port(p).read_latency_cycles()));
    }
  }

  void write(const LifeEvent& event) override {
    if (event.what == Life::issued) {
      InstructionCounts& counts = profiler_->counts(event.pc);
      ++counts.issues;
      counts.lanes += static_cast<std::uint64_t>(count_lanes(event.mask));
      waits_[event.warp.value].issued = event.pc;
      code_ = event.instruction - event.pc;
    } else if (event.what == Life::dispatched) {
      dispatched(event);
    } else if (event.what == Life::completed && event.item) {
      completed(*event.item);
    }
  }

  void settle() {
    for (Wait& wait : waits_) count(wait, seen_ + 1);
  }

 private:
  struct Wait {
    bool waits = false;
    WaitReason reason{};
    std::uint32_t pc = 0;
    std::uint32_t issued = 0;
    Cycle since = 0;  ///< the wait has been counted up to the cycle before this one
  };

  // Counts the cycles of an instruction that has left its collector. An instruction that issues in cycle c is
  // in its collector in cycle c + 1. It has its operands after the latency of the register path, and can
  // leave one cycle later. The event `dispatched` arrives one cycle after the instruction has left.
  void dispatched(const LifeEvent& event) {
    const InFlight& item = *event.item;
    InstructionCounts& counts = profiler_->counts(event.pc);
    bool reads = false;
    for (const isa::Operand& operand : item.instruction->sources()) reads |= operand.words() > 0;
    const auto partition = static_cast<std::size_t>(sm_->issue().partition_of(event.warp));
    const Cycle earliest = item.issued + 1 + (reads ? read_cycles_[partition] : collect_cycles_);
    ++counts.collected;
    counts.unit_lanes += static_cast<std::uint64_t>(count_lanes(event.mask));
    counts.operand_cycles += item.operands_at - std::min(earliest, item.operands_at);
    const Cycle left = event.cycle - 1, could_leave = item.operands_at + 1;
    counts.unit_cycles += left - std::min(could_leave, left);
  }

  // Counts an operand that the register banks supply. Accesses that a stage makes for itself belong to no
  // instruction, so they are not counted.
  void passed(const RegisterAccess& access) {
    if (!access.instruction || !code_) return;
    const std::ptrdiff_t pc = access.instruction - code_;
    if (pc < 0 || !profiler_->has(static_cast<std::size_t>(pc))) return;
    InstructionCounts& counts = profiler_->counts(static_cast<std::uint32_t>(pc));
    counts.passed_reads += access.command == RegisterCommand::read;
    counts.passed_writes += access.command == RegisterCommand::write;
  }

  void completed(const InFlight& item) {
    InstructionCounts& counts = profiler_->counts(item.pc);
    counts.segments += item.segments;
    counts.segment_accesses += item.segments != 0;
    counts.passes += item.passes;
    counts.pass_accesses += item.passes != 0;
    (item.passes ? counts.bank_words : counts.requests) += item.transfers;
  }

  void sample(Cycle cycle) {
    seen_ = cycle;
    const IssueStage& issue = sm_->issue();
    const WarpActivities now = issue.activities();
    for (const WarpId warp : now.changed_since(before_)) {
      Wait& wait = waits_[warp.value];
      count(wait, cycle);
      const Activity activity = now.of(warp);
      wait.waits = is_wait(activity);
      if (!wait.waits) continue;
      wait.reason = reason_of(activity);
      // Find the instruction to which the wait belongs. If the warp waits at a barrier or a fence, or for
      // asynchronous copies, this is the instruction that the warp issued last. Otherwise it is the warp's
      // next instruction.
      const bool issued =
          activity == Activity::barrier || activity == Activity::fence || activity == Activity::async;
      wait.pc = issued ? wait.issued : issue.warp(warp).simt.pc();
    }
    before_ = now;
  }

  void count(Wait& wait, Cycle cycle) {
    if (wait.waits)
      profiler_->counts(wait.pc).waits[static_cast<std::size_t>(wait.reason)] += cycle - wait.since;
    wait.since = cycle;
  }

  Profiler* profiler_;
  Sm* sm_;
  std::vector<Wait> waits_;
  std::vector<Cycle> read_cycles_;  ///< latency in cycles of a register read without conflicts, by partition
  Cycle collect_cycles_;            ///< cycles for which an instruction without register operands stays in
                                    ///< its collector
  const isa::Instruction* code_ = nullptr;  ///< first instruction of the program that the SM executes
  WarpActivities before_;
  Cycle seen_ = 0;
};

Profiler::Profiler(Gpu& gpu, const power::EnergyAccount* account, const StatsRegistry& stats)
    : energy_(account ? std::make_unique<EnergyByLine>(*account, stats) : nullptr) {
  for (auto& sm : gpu.sms()) observers_.push_back(std::make_unique<SmObserver>(*this, *sm));
}

Profiler::~Profiler() = default;

void Profiler::finish() {
  for (const auto& observer : observers_) observer->settle();
  if (!energy_) return;
  for (std::size_t p = 0; p < profiles_.size(); ++p)
    profiles_[p].energy = energy_->energy_of(p, profiles_[p]);
}

void Profiler::launch_begins(const isa::KernelLaunch& launch) {
  const auto known = std::find_if(profiles_.begin(), profiles_.end(),
                                  [&](const ProgramProfile& p) { return p.program == launch.program; });
  current_ = static_cast<std::size_t>(known - profiles_.begin());
  if (known == profiles_.end())
    profiles_.push_back({launch.program, 0, std::vector<InstructionCounts>(launch.program->code.size()), {}});
  ++profiles_[current_].launches;
}

void Profiler::launch_ended(const run::LaunchRecord& record) {
  if (energy_ && record.timed) energy_->launch_ended(current_, record);
}

}  // namespace heddle::output

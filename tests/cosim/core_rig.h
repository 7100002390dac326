#pragma once

// Drives an issue constraint (control bits or scoreboard) and its Verilog side by side, without a GPU. The
// inputs are random instructions of four warps. The rig reaches states that no kernel reaches: stalls of 45
// cycles, full counters, code without control bits, and a warp whose next instruction lies on another path
// although the warp executed no branch.

#include <map>
#include <random>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/registry.h"
#include "models/scheduler/i_issue_constraint.h"
#include "models/scheduler/partition_time.h"
#include "tests/cosim/attach_next_to.h"

namespace heddle::cosim {

/// Returns random instructions of fixed and of variable latency, with guards and predicates, on six
/// registers.
inline isa::Program random_code(std::mt19937_64& random, std::uint32_t sm) {
  isa::Program program;
  program.sm = sm;
  program.registers = 8;
  program.predicates = 2;
  for (int n = 0; n < 64; ++n) {
    isa::Instruction i;
    const bool load = random() % 3 == 0;
    i.op = load ? isa::Opcode::ld : isa::Opcode::add;
    i.type = isa::DataType::u32;
    i.memory.space = isa::Space::shared;
    isa::classify(i);
    const auto reg = [&] {
      return isa::Operand::make_reg(RegId(static_cast<std::uint32_t>(random() % 6)), 32);
    };
    i.add_dst(reg());
    for (int s = load ? 1 : 3; s > 0; --s) i.add_src(reg());
    i.guard = {random() % 4 == 0, false, PredId(static_cast<std::uint32_t>(random() % 2))};
    if (random() % 4 == 0 && !load)
      i.dst[0] = isa::Operand::make_pred(PredId(static_cast<std::uint32_t>(random() % 2)));
    isa::ControlBits& bits = i.control;
    bits.set = n == 0 || random() % 8 != 0;
    bits.stall = static_cast<std::uint8_t>(random() % 2 ? random() % 3 : random() % 16);
    bits.yield = random() % 4 == 0;
    if (load || random() % 4 == 0) bits.write_counter = static_cast<std::uint8_t>(random() % 8);
    if (load || random() % 4 == 0) bits.read_counter = static_cast<std::uint8_t>(random() % 8);
    if (bits.write_counter >= isa::kDependenceCounters) bits.write_counter = isa::ControlBits::kNoCounter;
    if (bits.read_counter >= isa::kDependenceCounters || bits.read_counter == bits.write_counter)
      bits.read_counter = isa::ControlBits::kNoCounter;
    bits.wait_mask = static_cast<std::uint8_t>(random() % 4 ? 1u << random() % 6 : random() % 64);
    program.code.push_back(i);
  }
  return program;
}

struct CoreRig {
  static constexpr std::uint32_t kWarps = 4;

  /// Makes the issue constraint `choice` and, unless `mode` is nullptr, its RTL. `mode`: how the RTL runs.
  /// `slow`: number of cycles after which a load has read its operands and written its result.
  CoreRig(const std::string& choice, const Mode* mode, std::uint64_t seed, std::uint32_t sm, int slow)
      : random_(seed),
        slow_(static_cast<unsigned>(slow)),
        program_(random_code(random_, sm)),
        footprints_(footprints_of(program_)),
        time_(1) {
    IssueConstraint::Context context{static_cast<int>(kWarps)};
    latencies_.machine = "rig";
    context.latencies = &latencies_;
    constraint_ = Registry<IssueConstraint>::instance().make(parse_config_text(choice, "rig"), context);
    if (mode) {
      constraint_->probes(ProbeScope(list_, "sm0"));
      for (const ProbeList::Part& part : list_.parts)
        blocks_.push_back(attach_next_to(*part.points.at(0), *mode, part.path));
    }
    constraint_->kernel_begins({KernelId{}, &program_, 0, 1});
    for (WarpId w; w.value < kWarps; ++w.value) begin(w);
  }

  /// Runs `cycles` cycles. For each cycle, returns the set of candidate warps that the constraint blocks.
  std::vector<std::uint64_t> run(int cycles) {
    std::vector<std::uint64_t> seen;
    for (int c = 0; c < cycles; ++c) seen.push_back(step());
    return seen;
  }

 private:
  struct Flight {
    InFlight item;
    Cycle reads, ends;
  };

  void begin(WarpId w) {
    contexts_[w.value].warp = w;
    pc_[w.value] = static_cast<std::uint32_t>(random_() % program_.code.size());
    constraint_->warp_begins({w, KernelId{}, &program_, program_.registers, kAllLanes, CtaSlot{}});
  }

  std::uint64_t step() {
    ++now_;
    end_flights();
    std::vector<const isa::Instruction*> heads(kWarps);
    ConstraintView view;
    view.now = now_;
    for (std::uint32_t w = 0; w < kWarps; ++w) {
      heads[w] = &program_.code[pc_[w]];
      if (random_() % 8 != 0) view.candidates.add(WarpId(w));
    }
    view.instructions = heads;
    const WarpSet blocked = constraint_->blocked(view);
    const WarpSet ready = view.candidates & ~blocked;
    if (!ready.empty() && !time_.holds(0, now_)) issue(ready.first());
    std::uint64_t seen = 0;
    for (const WarpId w : blocked) seen |= std::uint64_t{1} << w.value;
    return seen;
  }

  void end_flights() {
    for (auto& [uid, f] : flights_) {
      if (now_ == f.item.issued + 2 && f.item.collects()) {
        constraint_->prepared(f.item);
        time_.prepared(f.item);
      }
      if (now_ == f.reads) constraint_->reads_held(f.item);
      if (now_ == f.ends) constraint_->completed(f.item);
    }
    std::erase_if(flights_, [this](const auto& entry) { return entry.second.ends <= now_; });
    // A warp without instructions in flight may end. Another warp then begins in the slot of the ended warp.
    const auto w = static_cast<std::uint32_t>(random_() % kWarps);
    const bool busy = std::any_of(flights_.begin(), flights_.end(),
                                  [w](const auto& entry) { return entry.second.item.warp().value == w; });
    if (!busy && random_() % 16 == 0) begin(WarpId(w));
  }

  void issue(WarpId warp) {
    const std::uint32_t pc = pc_[warp.value];
    InFlight item;
    item.instruction = &program_.code[pc];
    item.footprint = &footprints_[pc];
    item.context = &contexts_[warp.value];
    item.mask = random_() % 16 ? kAllLanes : 0;
    item.uid = ++uid_;
    item.issued = now_;
    const bool load = item.instruction->unit == isa::UnitClass::ldst;
    if (!load && item.collects()) {
      left_ = std::max(now_ + 2, left_ + 1) + (random_() % 4 ? 0 : random_() % 4);
      item.operands_at = left_ + 3;
    }
    constraint_->issued(item);
    if (item.collects()) {
      const Cycle reads = load ? now_ + 6 + random_() % slow_ : item.operands_at + 1;
      flights_[item.uid] = {item, reads, reads + (load ? 1 + random_() % slow_ : 6)};
    }
    const bool jumps = random_() % 16 == 0;
    pc_[warp.value] = static_cast<std::uint32_t>((jumps ? random_() : pc + 1) % program_.code.size());
  }

  std::mt19937_64 random_;
  unsigned slow_;
  isa::Program program_;
  std::vector<InstructionFootprint> footprints_;
  isa::LatencyTable latencies_;
  std::unique_ptr<IssueConstraint> constraint_;
  ProbeList list_;
  std::vector<std::unique_ptr<BlockInstance>> blocks_;
  std::array<WarpContext, kWarps> contexts_{};
  std::array<std::uint32_t, kWarps> pc_{};
  std::map<std::uint64_t, Flight> flights_;
  PartitionTime time_;
  Cycle now_ = 0, left_ = 0;
  std::uint64_t uid_ = 0;
};

}  // namespace heddle::cosim

#pragma once

// Models one pipelined execution unit: an INT or FP pipeline of an SP cluster, a special function unit, or a
// matrix unit. The unit starts at most one warp-instruction per initiation interval (one or more cycles).
// Results of all lanes are computed at the start and sent after the latency of the operation.
//
// An operation of fixed latency (UnitOverhead) never waits in the unit. The issue stage spaces such
// operations by their initiation interval, and several results may leave the pipeline in a cycle. In a unit
// with operations of fixed latency, the operations of variable latency have a separate pipeline.

#include <memory>
#include <vector>

#include "models/core/growing_array.h"
#include "models/core/probe.h"
#include "models/core/stats.h"
#include "models/exec/lane_execution.h"
#include "models/exec/unit_parameters.h"
#include "models/ports/instruction_path.h"
#include "models/ports/lane_plans.h"
#include "models/ports/life_channel.h"
#include "models/time/clock.h"

namespace heddle {

class ExecutionUnit;

struct UnitProbeView {
  Cycle now = 0;
  const InFlight& item;
};
struct UnitPoint {
  using Owner = ExecutionUnit;
  using View = UnitProbeView;
  using Answer = isa::LaneOperands;
};

class ExecutionUnit : public ClockedModule {
 public:
  /// A latency runs from the issue of an instruction to the issue of a dependent instruction. `overhead`:
  /// cycles of this latency that the instruction spends outside the unit. The pipeline depth of an operation is
  /// its latency minus the overhead. Throws Error if the depth is less than one cycle.
  ExecutionUnit(const sc_core::sc_module_name& name, Clock& clock, LifeChannel& life,
                const UnitParameters& parameters, isa::UnitClass unit_class, const UnitOverhead& overhead,
                const StatsScope& stats, const LaneMoves& moves = {});

  InstructionTargetSocket& input() { return input_.socket; }
  InstructionInitiatorSocket& output() { return output_.socket; }
  isa::UnitClass unit_class() const { return unit_class_; }

  bool busy() const { return !input_.empty() || in_pipeline() || !apart_.empty(); }
  /// Enables power gating by lanes. Lanes that are not in `*lanes` produce poison (kPoison).
  void set_lanes_awake(const LaneMask* lanes) { lanes_awake_ = lanes; }
  void probes(const ProbeScope& scope) {
    scope.add(probe_);
    if (folds_) folds_->probes().add_to(scope);
  }
  template <class F>
  void for_each_inside(F&& f) const {
    for (std::size_t i = first_; in_pipeline() && i < pipeline_.size(); ++i) f(*pipeline_[i].item);
  }
  const InFlight* newest() const { return in_pipeline() ? pipeline_.back().item : nullptr; }
  Cycle interval(const InstructionFootprint& f) const { return timing_[f.timing].interval; }

 protected:
  void tick() override;

 private:
  struct Stage {
    Cycle done;
    InFlight* item;
  };
  struct Timing {
    Cycle interval = 0, depth = 0;
    /// True: the operation is a matrix product, an integer multiplication or a double-precision operation.
    /// Such an operation costs several times the energy of other operations.
    bool costly = false;
    bool fixed = false;
  };
  bool in_pipeline() const { return first_done_ != kNever; }
  inline void start(Cycle cycle);
  void start_apart(Cycle cycle);
  void start(Cycle cycle, InFlight* item);
  inline void execute(InFlight& item);
  inline void finish();
  void poison_lost_lanes(InFlight& item);
  inline void enter(Stage stage);

  LifeChannel* life_;
  isa::UnitClass unit_class_;
  void set_timing(const UnitParameters& parameters, isa::OpClass c, isa::OpTiming part,
                  const UnitOverhead& overhead, int extra_cycles);

  std::array<Timing, isa::kTimings> timing_{};
  Probe<UnitPoint> probe_{*this};
  InstructionInlet input_;
  InstructionOutlet output_;
  GrowingArray<Stage> pipeline_;
  std::size_t first_ = 0;
  /// Cycle in which the oldest instruction in the pipeline completes; kNever: the pipeline is empty.
  Cycle first_done_ = kNever;
  Cycle next_start_ = 0;
  bool started_ = false;
  const LaneMask* lanes_awake_ = nullptr;
  bool has_fixed_ = false;
  /// Operations of variable latency that wait for their separate pipeline, and the first cycle in which this
  /// pipeline can start an operation.
  GrowingArray<InFlight*> apart_;
  Cycle apart_free_ = 0;
  Counter &operations_, &lane_operations_, &busy_cycles_, &short_bubbles_;
  /// Counters and probe points of a unit with warp folding or lane shifting. Such a unit moves threads to other
  /// lanes.
  class Folding {
   public:
    Folding(const StatsScope& stats, const LaneMoves& moves)
        : folded_(stats.add("folded", "warp-instructions", "instructions that took two passes")),
          passes_(stats.add("passes", "passes", "passes of all instructions")),
          avoided_(stats.add("folds_avoided", "warp-instructions",
                             "instructions issued while their type folds that needed only one pass")),
          moved_(stats.add("lanes_moved", "lanes", "threads that executed in another lane than their own")),
          probes_(LaneOwner{{false, moves.pack, moves.by_rank}}) {}
    void count(const LanePlan* plan) {
      passes_ += plan ? static_cast<std::uint64_t>(plan->passes) : 1;
      if (!plan) return;
      if (plan->passes > 1)
        ++folded_;
      else if (plan->window)
        ++avoided_;
      moved_ += static_cast<std::uint64_t>(plan->moved());
    }
    LaneProbes& probes() { return probes_; }

   private:
    Counter &folded_, &passes_, &avoided_, &moved_;
    LaneProbes probes_;
  };
  /// Counts the products of matrix elements by the width of their factors, because the energy of a product
  /// depends on this width.
  class Products {
   public:
    explicit Products(const StatsScope& stats);
    void count(const isa::Instruction& instruction);

   private:
    Counter &double_, &half_, &byte_, &four_bit_, &bit_;
  };
  std::unique_ptr<Folding> folds_;
  std::unique_ptr<Products> products_;
  Counter* costly_lanes_ = nullptr;
  isa::OpClass costly_class_ = isa::OpClass::control;
  isa::MatrixRules matrix_rules_;
  Cycle busy_until_ = 0;
};

}  // namespace heddle

#include "models/exec/execution_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/core/error.h"
#include "models/isa/lane_planner.h"
#include "models/isa/matrix_operands.h"
#include "models/ports/partial_warp.h"

namespace heddle {
namespace {

// If the starts of two operations are less than this number of cycles apart, the idle time between them is
// too short for power gating (Abdel-Majeed 2016, 4.2).
constexpr Cycle kShortBubble = 10;

}  // namespace

ExecutionUnit::ExecutionUnit(const sc_core::sc_module_name& name, Clock& clock, LifeChannel& life,
                             const UnitParameters& parameters, isa::UnitClass unit_class,
                             const UnitOverhead& overhead, const StatsScope& stats, const LaneMoves& moves)
    : ClockedModule(name, clock),
      life_(&life),
      unit_class_(unit_class),
      input_("in", *this, overhead.fixed_classes ? 4 : 2),
      output_("out"),
      operations_(stats.add("operations", "warp-instructions", "instructions started")),
      lane_operations_(
          stats.add("lane_operations", "lanes", "lanes that executed, summed over instructions")),
      busy_cycles_(stats.add("busy_cycles", "cycles", "cycles with an instruction in the pipeline")),
      short_bubbles_(stats.add(
          "bubble_cycles_short", "cycles",
          "cycles between two starts in which an instruction could have started, in gaps shorter than 10")) {
  if (moves.on) folds_ = std::make_unique<Folding>(stats, moves);
  if (unit_class == isa::UnitClass::int_) {
    costly_class_ = isa::OpClass::int_mul;
    costly_lanes_ = &stats.add("multiply_lanes", "lanes", "part of lane_operations that are multiplications");
  } else if (unit_class == isa::UnitClass::fp) {
    costly_class_ = isa::OpClass::fp64;
    costly_lanes_ = &stats.add("double_lanes", "lanes", "part of lane_operations in double precision");
  }
  if (unit_class == isa::UnitClass::matrix) {
    matrix_rules_ = parameters.matrix.rules();
    products_ = std::make_unique<Products>(stats);
  }
  rest();
  for (std::size_t i = 0; i < static_cast<std::size_t>(isa::OpClass::count_); ++i) {
    const auto c = static_cast<isa::OpClass>(i);
    if (c == isa::OpClass::memory || c == isa::OpClass::control) continue;
    if (isa::is_matrix(c) != (unit_class == isa::UnitClass::matrix)) continue;
    for (std::size_t part = 0; part < static_cast<std::size_t>(isa::OpTiming::count_); ++part)
      set_timing(parameters, c, static_cast<isa::OpTiming>(part), overhead, moves.extra_cycles);
  }
}

void ExecutionUnit::set_timing(const UnitParameters& parameters, isa::OpClass c, isa::OpTiming part,
                               const UnitOverhead& overhead, int extra_cycles) {
  const OperationTiming timing = parameters.timing(c, part);
  Timing& known = timing_[isa::timing_index(c, part)];
  known.fixed = overhead.has_fixed(c);
  has_fixed_ |= known.fixed && unit_class_ != isa::UnitClass::sfu;
  const int outside = known.fixed ? overhead.fixed_cycles : overhead.cycles;
  if (timing.latency_cycles <= outside)
    throw Error(
        fmt::format("units.{}.latency_cycles", isa::name_of(c)),
        fmt::format("{} cycles are fewer than the stages around the unit need", timing.latency_cycles),
        fmt::format("at least {}", outside + 1));
  known.depth = static_cast<Cycle>(timing.latency_cycles - outside + extra_cycles);
  known.interval = static_cast<Cycle>(timing.interval_cycles);
  known.costly = products_ != nullptr || c == costly_class_;
}

ExecutionUnit::Products::Products(const StatsScope& stats)
    : double_(stats.add("double_products", "products", "products of f64")),
      half_(stats.add("half_products", "products", "products of f16, bf16 and tf32")),
      byte_(stats.add("byte_products", "products", "products of 8-bit integers and floats")),
      four_bit_(stats.add("four_bit_products", "products", "products of 4-bit integers")),
      bit_(stats.add("bit_products", "products", "products of single bits")) {}

void ExecutionUnit::Products::count(const isa::Instruction& instruction) {
  const int bits = isa::bits_of(instruction.source_type);
  Counter& counter = bits == 64   ? double_
                     : bits >= 16 ? half_
                     : bits == 8  ? byte_
                     : bits == 4  ? four_bit_
                                  : bit_;
  counter += static_cast<std::uint64_t>(isa::matrix_products(instruction));
}

void ExecutionUnit::tick() {
  const Cycle cycle = now();
  if (has_fixed_)
    start_apart(cycle);
  else if (input_.can_pop() && cycle >= next_start_)
    start(cycle);
  if (first_done_ <= cycle) finish();
  Cycle next = first_done_;
  if (!input_.empty()) next = std::min(next, std::max(has_fixed_ ? 0 : next_start_, cycle + 1));
  if (!apart_.empty()) next = std::min(next, std::max(apart_free_, cycle + 1));
  due_at(next);
}

inline void ExecutionUnit::start(Cycle cycle) { start(cycle, input_.pop()); }

// Starts all waiting operations of fixed latency, and at most one operation of variable latency.
void ExecutionUnit::start_apart(Cycle cycle) {
  while (input_.can_pop()) {
    InFlight* const item = input_.pop();
    if (!timing_[item->footprint->timing].fixed) {
      apart_.push_back(item);
      continue;
    }
    if (cycle < next_start_) throw InternalError("an operation of fixed latency waits for its unit");
    start(cycle, item);
  }
  if (apart_.empty() || cycle < apart_free_) return;
  InFlight* const item = apart_[0];
  apart_.drop_front(1);
  std::swap(next_start_, apart_free_);
  start(cycle, item);
  std::swap(next_start_, apart_free_);
}

void ExecutionUnit::start(Cycle cycle, InFlight* item) {
  const Timing& timing = timing_[item->footprint->timing];
  if (folds_) folds_->count(item->plan);
  if (started_ && cycle - next_start_ < kShortBubble) short_bubbles_ += cycle - next_start_;
  started_ = true;
  execute(*item);
  if (probe_.attached()) probe_.answered({cycle, *item}, item->operands);
  Cycle last_pass = cycle;
  if (item->plan) last_pass += timing.interval * static_cast<Cycle>(item->plan->passes - 1);
  const Cycle done = last_pass + timing.depth - 1;
  enter({done, item});
  next_start_ = last_pass + timing.interval;
  ++operations_;
  const auto lanes = static_cast<std::uint64_t>(item->mask == kAllLanes ? kLanes : count_lanes(item->mask));
  lane_operations_ += lanes;
  if (timing.costly) {
    if (products_)
      products_->count(*item->instruction);
    else
      *costly_lanes_ += lanes;
  }
  const Cycle idle_from = std::max(busy_until_, cycle);
  if (done < idle_from) return;
  busy_cycles_ += done + 1 - idle_from;
  busy_until_ = done + 1;
}

void ExecutionUnit::execute(InFlight& item) {
  const isa::Instruction& instruction = *item.instruction;
  if (unit_class_ == isa::UnitClass::matrix) {
    if (item.mask != kAllLanes) refuse_partial_warp(item);
    item.operands.matrix = &matrix_rules_;
  }
  if (instruction.op == isa::Opcode::movmatrix && item.mask != kAllLanes) refuse_partial_warp(item);
  if (folds_ && folds_->probes().attached() && may_move_lanes(unit_class_, instruction.op_class))
    execute_in_lanes(item, lanes_awake_ ? *lanes_awake_ : kAllLanes, now(), folds_->probes());
  else if ((item.plan && !item.plan->in_place()) || lanes_awake_)
    execute_in_lanes(item, lanes_awake_ ? *lanes_awake_ : kAllLanes);
  else if (instruction.lane_function)
    instruction.lane_function(instruction, item.operands);
}

// Inserts an instruction into the pipeline list, which is ordered by completion cycle: a short operation can
// complete before an older, longer operation.
void ExecutionUnit::enter(Stage stage) {
  constexpr std::size_t kLeft = 8;
  if (!in_pipeline()) {
    pipeline_.clear();
    first_ = 0;
  } else if (first_ >= kLeft) {
    pipeline_.drop_front(first_);
    first_ = 0;
  }
  pipeline_.push_back(stage);
  if (stage.done < first_done_) first_done_ = stage.done;
  Stage* place = &pipeline_.back();
  if (place == &pipeline_[first_] || place[-1].done <= stage.done) return;
  for (; place != &pipeline_[first_] && place[-1].done > stage.done; --place) place[0] = place[-1];
  *place = stage;
}

// Sends the result of the oldest completed instruction. If no operation of the unit has a fixed latency, at
// most one result leaves the pipeline per cycle. Otherwise all completed results leave in the same cycle.
void ExecutionUnit::finish() {
  const Stage& earliest = pipeline_[first_];
  if (lanes_awake_ && (earliest.item->lanes & ~*lanes_awake_)) poison_lost_lanes(*earliest.item);
  if (!output_.offer(earliest.item)) return;
  life_->left(*earliest.item);
  ++first_;
  first_done_ = first_ == pipeline_.size() ? kNever : pipeline_[first_].done;
  if (has_fixed_ && first_done_ <= now()) finish();
}

// Replaces results by poison (kPoison) in lanes that have lost power since the instruction started.
void ExecutionUnit::poison_lost_lanes(InFlight& item) {
  poison_threads(item, item.plan ? *item.plan : identity_plan(item.lanes), ~*lanes_awake_);
}

}  // namespace heddle

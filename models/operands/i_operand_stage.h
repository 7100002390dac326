#pragma once

// Family "operand stage": takes issued instructions, reads their source registers through the register path,
// and sends each instruction to its execution unit. Each partition has one operand stage, which reports three
// life events of each instruction: prepared, reads_held (all sources read), and dispatched.
//
// If the register path requests it (RegisterPath::wants), the stage announces the registers of an instruction
// before the reads. After the reads, the stage releases the registers that the instruction's release flags
// name. Memory instructions of a warp must be dispatched in program order.

#include <map>
#include <span>
#include <string>
#include <vector>

#include "models/core/stats.h"
#include "models/isa/latency_table.h"
#include "models/operands/register_path.h"
#include "models/operands/release_queue.h"
#include "models/ports/instruction_path.h"
#include "models/ports/module_registration.h"
#include "models/ports/register_file_parameters.h"

namespace heddle {

class OperandStage : public sc_core::sc_module, public LifeListener {
 public:
  struct Context {
    std::string name;
    ClockedModule& port;
    NoteListener& room;
    const RegisterFileParameters& parameters;
    LifeChannel& life;
    RegisterPath& path;
    ReleaseQueue& releases;
    StatsScope stats;
    /// Latencies of the operations. nullptr: the SM passes no latencies to its operand stage.
    const isa::LatencyTable* latencies = nullptr;
  };
  static constexpr const char* kFamily = "operand stage";
  static constexpr const char* kPlace = "gpu.sm.register_file.operands";

  explicit OperandStage(const sc_core::sc_module_name& name) : sc_module(name) {}
  ~OperandStage() override = default;

  virtual InstructionTargetSocket& input() = 0;
  virtual InstructionInitiatorSocket& output() = 0;

  /// Number of collectors, in total or for each isa::CollectorKind. The issue stage issues an instruction only
  /// if a collector is free for this instruction. The dispatch of the instruction frees the collector.
  virtual const std::vector<int>& places() const = 0;
  /// Returns the cycles from the issue of an instruction to its start in the execution unit, if no conflict
  /// delays it. The function is static, because callers need the value before the stage is built.
  static int least_cycles(const RegisterFileParameters& parameters) {
    return overheads().at(choice_name(parameters.operands)).least(parameters);
  }
  /// Returns how many cycles of its latency a fixed-latency instruction spends outside its execution unit,
  /// without conflicts. 0: the stage treats these instructions like all others.
  static int least_fixed_cycles(const RegisterFileParameters& parameters) {
    const LeastCycles fixed = overheads().at(choice_name(parameters.operands)).fixed;
    return fixed ? fixed(parameters) : 0;
  }

  /// Runs one cycle. Returns the next cycle in which the stage has work; kNever: the stage has nothing to do
  /// until a read completes or the load/store unit has space.
  virtual Cycle step(Cycle now) = 0;
  /// Processes the completed reads in `reads`. Returns true if the stage has work in the next cycle.
  virtual bool answered(Cycle now, std::span<RegisterAccess* const> reads) = 0;
  /// Brings the counters up to date for all cycles before `cycle`.
  virtual void settle(Cycle cycle) = 0;

  virtual bool idle() const = 0;
  /// count(): number of collectors. used(): number of occupied collectors. occupant(): instruction in a
  /// collector, or nullptr.
  virtual int count() const = 0;
  virtual std::uint64_t used() const = 0;
  virtual const InFlight* occupant(int place) const = 0;
  /// Returns a bit mask of the collectors whose instruction has changed since the last call of this function.
  /// Bit n stands for the collectors n, n + 64, n + 128 and so on.
  virtual std::uint64_t take_changed() { return ~std::uint64_t{0}; }

 protected:
  using LeastCycles = int (*)(const RegisterFileParameters&);
  struct Overheads {
    LeastCycles least = nullptr, fixed = nullptr;
  };
  static std::map<std::string, Overheads>& overheads() {
    static std::map<std::string, Overheads> all;
    return all;
  }
  template <class Implementation, class Parameters>
  friend struct OperandStageRegistration;
};

/// Registers an operand stage under a name. The implementation must have a function `static int
/// least_cycles(const RegisterFileParameters&)`. If it declares kFixedWindow, it must also have
/// least_fixed_cycles(). OperandStage has functions of the same names that call these.
template <class Implementation, class Parameters = NoParameters>
struct OperandStageRegistration : ModuleRegistration<OperandStage, Implementation, Parameters> {
  OperandStageRegistration(const char* name, const char* doc)
      : ModuleRegistration<OperandStage, Implementation, Parameters>(name, doc) {
    OperandStage::Overheads& own = OperandStage::overheads()[name];
    own.least = &Implementation::least_cycles;
    if constexpr (requires { Implementation::kFixedWindow; }) own.fixed = &Implementation::least_fixed_cycles;
  }
};

}  // namespace heddle

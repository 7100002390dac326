#pragma once

// Family "operand stage": takes issued instructions, reads their source registers through the register path,
// and sends each to its unit. One for each partition; the register port steps it after the result bus and the
// queue of releases. It reports to the life channel for each instruction: prepared, reads_held (or with the
// next event), dispatched.
//
// A stage sends what the path wants: an announcement before the reads (RegisterPath::wants), and after them
// the releases of registers that the instruction's flags name (ReleaseQueue). Memory instructions of a warp
// leave in their order.

#include <map>
#include <span>
#include <string>
#include <vector>

#include "models/core/stats.h"
#include "models/operands/register_path.h"
#include "models/operands/release_queue.h"
#include "models/ports/instruction_path.h"
#include "models/ports/module_registration.h"
#include "models/ports/register_file_parameters.h"

namespace heddle {

class OperandStage : public sc_core::sc_module {
 public:
  struct Context {
    std::string name;     ///< of the module
    ClockedModule& port;  ///< steps it
    NoteListener& room;   ///< notified that the load/store unit has room after a refusal
    const RegisterFileParameters& parameters;
    LifeChannel& life;
    RegisterPath& path;
    ReleaseQueue& releases;
    StatsScope stats;
  };
  static constexpr const char* kFamily = "operand stage";
  static constexpr const char* kPlace = "gpu.sm.register_file.operands";

  explicit OperandStage(const sc_core::sc_module_name& name) : sc_module(name) {}
  ~OperandStage() override = default;

  virtual InstructionTargetSocket& input() = 0;
  virtual InstructionInitiatorSocket& output() = 0;

  /// Instructions that it holds at a time: one number, or one for each isa::CollectorKind. The issue stage counts those that
  /// are free: it issues no more, and a place is free again when its instruction is dispatched.
  virtual const std::vector<int>& places() const = 0;
  /// Cycles from the issue of an instruction to its start in the unit, without conflicts, of the stage that the parameters
  /// name: known before it is built.
  static int least_cycles(const RegisterFileParameters& parameters) {
    return latencies().at(choice_name(parameters.operands))(parameters);
  }

  /// One cycle. The next one with something to do; kNever if that depends on answers, or on the load/store unit, which says
  /// when it has room.
  virtual Cycle step(Cycle now) = 0;
  /// These reads of its own are answered. True if it has something to do in the next cycle.
  virtual bool answered(Cycle now, std::span<RegisterAccess* const> reads) = 0;
  /// Counters up to, and not including, `cycle`.
  virtual void settle(Cycle cycle) = 0;

  // For one who looks on.
  virtual bool idle() const = 0;
  /// Places, those in use, and the instruction in one.
  virtual int count() const = 0;
  virtual std::uint64_t used() const = 0;
  virtual const InFlight* occupant(int place) const = 0;
  /// Places whose occupant has changed since the last call; bit n stands for all numbers equal to n modulo
  /// 64.
  virtual std::uint64_t take_changed() { return ~std::uint64_t{0}; }

 protected:
  using LeastCycles = int (*)(const RegisterFileParameters&);
  static std::map<std::string, LeastCycles>& latencies() {
    static std::map<std::string, LeastCycles> all;
    return all;
  }
  template <class Implementation, class Parameters>
  friend struct OperandStageRegistration;
};

/// As ModuleRegistration; the implementation says `static int least_cycles(const RegisterFileParameters&)`.
template <class Implementation, class Parameters = NoParameters>
struct OperandStageRegistration : ModuleRegistration<OperandStage, Implementation, Parameters> {
  OperandStageRegistration(const char* name, const char* doc)
      : ModuleRegistration<OperandStage, Implementation, Parameters>(name, doc) {
    OperandStage::latencies()[name] = &Implementation::least_cycles;
  }
};

}  // namespace heddle

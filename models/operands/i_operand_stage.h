#pragma once

// Family "operand stage": takes issued instructions, reads their source registers through the register path,
// and sends each instruction to its execution unit. Each partition has one operand stage. The register port
// runs the stage after the result bus and the queue of releases. The stage reports three events of each
// instruction to the life channel: prepared, reads_held (all sources read; may come together with the next
// event), and dispatched.
//
// If the register path requests it (RegisterPath::wants), the stage sends an announcement before the reads.
// The announcement lists the registers of the instruction. After the reads, the stage sends the releases of
// the registers that the instruction's release flags name (ReleaseQueue). Memory instructions of a warp must
// be dispatched in program order.

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
    std::string name;     ///< name of the SystemC module
    ClockedModule& port;  ///< clocked module that calls step()
    NoteListener& room;   ///< receives the notice that the load/store unit has room again
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

  /// Number of instructions that the stage can hold: one number, or one for each isa::CollectorKind. The
  /// issue stage counts the free places (collectors) and issues no more instructions than fit. A place
  /// becomes free when its instruction is dispatched.
  virtual const std::vector<int>& places() const = 0;
  /// Returns the cycles from the issue of an instruction to its start in the unit, without conflicts. The
  /// function is static, because the value is needed before the configured stage is built.
  static int least_cycles(const RegisterFileParameters& parameters) {
    return latencies().at(choice_name(parameters.operands))(parameters);
  }

  /// Runs one cycle. Returns the next cycle in which the stage has work, or kNever if the stage only waits
  /// for answers or for room in the load/store unit.
  virtual Cycle step(Cycle now) = 0;
  /// Processes the answers to reads that the stage has sent. Returns true if the stage has work in the next
  /// cycle.
  virtual bool answered(Cycle now, std::span<RegisterAccess* const> reads) = 0;
  /// Brings the counters up to date for all cycles before `cycle`.
  virtual void settle(Cycle cycle) = 0;

  // The functions below serve observers, for example waveforms.
  virtual bool idle() const = 0;
  /// count(): number of places for instructions. used(): number of occupied places. occupant(): instruction
  /// in a place, or nullptr.
  virtual int count() const = 0;
  virtual std::uint64_t used() const = 0;
  virtual const InFlight* occupant(int place) const = 0;
  /// Returns the places whose instruction has changed since the last call. Bit n stands for all numbers that
  /// equal n modulo 64.
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

/// Registers an operand stage under a name, like ModuleRegistration. The implementation must have a function
/// `static int least_cycles(const RegisterFileParameters&)`.
template <class Implementation, class Parameters = NoParameters>
struct OperandStageRegistration : ModuleRegistration<OperandStage, Implementation, Parameters> {
  OperandStageRegistration(const char* name, const char* doc)
      : ModuleRegistration<OperandStage, Implementation, Parameters>(name, doc) {
    OperandStage::latencies()[name] = &Implementation::least_cycles;
  }
};

}  // namespace heddle

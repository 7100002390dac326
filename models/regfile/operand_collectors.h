#pragma once

// Operand collector units of one partition: each holds one issued instruction while its source registers are
// read, then hands it to a unit. A two-phase object stepped by the register port, which fixes the order of
// collectors and result bus.

#include <array>
#include <vector>

#include "models/core/stats.h"
#include "models/isa/collector_kind.h"
#include "models/ports/instruction_path.h"
#include "models/regfile/register_file_parameters.h"
#include "models/regfile/register_path.h"
#include "models/regfile/release_queue.h"

namespace heddle {

class OperandCollectors : public sc_core::sc_module {
 public:
  OperandCollectors(const sc_core::sc_module_name& name, ClockedModule& port,
                    const RegisterFileParameters& parameters, RegisterPath& path, ReleaseQueue& releases,
                    const StatsScope& stats);

  InstructionTargetSocket& input() { return input_.socket; }
  InstructionInitiatorSocket& output() { return output_.socket; }
  /// One cycle: dispatch what is complete, take what was issued, send the reads. True if there is more to do.
  bool step(Cycle now);
  void on_response(Cycle now, RegisterAccess& access);

  bool idle() const { return order_.empty() && input_.empty(); }
  int count() const { return static_cast<int>(slots_.size()); }
  const InFlight* occupant(int collector) const { return slots_[static_cast<std::size_t>(collector)].item; }

 private:
  /// What is looked at in every cycle.
  struct Slot {
    InFlight* item = nullptr;
    Cycle complete_at = 0;         ///< when the last operand arrived
    std::uint64_t warp = 0;        ///< its bit
    std::uint16_t unanswered = 0;  ///< reads
    bool sent = true;              ///< announcement, reads and releases have all been taken
    bool memory = false;
  };
  /// What is sent for it.
  struct Requests {
    std::uint16_t taken = 0, total = 0;  ///< reads
    std::uint8_t released = 0, dying = 0;
    bool announced = true;
    std::array<std::uint8_t, 2 * isa::kMaxSources> dead{};  ///< registers to release behind the reads
    RegisterAccess reads[isa::kMaxSources * 2];
    RegisterAccess announcement;
    RegisterPrepare prepare;
  };

  std::vector<std::uint16_t>& free_for(const InFlight& item) {
    return free_[by_kind_ ? static_cast<std::size_t>(isa::collector_kind(item.instruction->unit)) : 0];
  }
  void account(Cycle now);
  void dispatch_ready(Cycle now);
  void take_issued(Cycle now);
  void prepare_reads(Cycle now, std::uint16_t number);
  void announce(std::uint16_t number);
  void note_dying(std::uint16_t number);
  void note_held(std::uint16_t number, InFlight& item);
  bool may_send() const { return path_->may_send(RegisterPath::Sender::collectors); }
  bool send(Cycle now, std::uint16_t number);
  bool offer(Cycle now, RegisterAccess& access);

  RegisterPath* path_;
  ReleaseQueue* releases_;
  bool releases_wanted_;
  int dispatches_per_cycle_;
  Cycle collect_cycles_;  ///< of one undisturbed read of the banks
  std::vector<Slot> slots_;
  std::vector<Requests> requests_;
  std::vector<std::uint16_t> order_;  ///< occupied collectors, oldest instruction first
  /// Free ones; by isa::CollectorKind if these have sets of their own, else all in the first.
  std::array<std::vector<std::uint16_t>, isa::kCollectorKinds> free_;
  bool by_kind_;
  std::uint32_t held_ = 0;    ///< collectors that have all answers, though some may still be on their way
  std::uint32_t unsent_ = 0;  ///< collectors with reads still to send
  InstructionInlet input_;
  InstructionOutlet output_;
  Counter &allocated_, &dispatched_, &occupied_cycles_;
  std::array<Counter*, isa::kCollectorKinds> occupied_by_kind_{};  ///< of sets of their own
  Cycle last_step_ = 0;
};

}  // namespace heddle

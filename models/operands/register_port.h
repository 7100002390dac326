#pragma once

// In every cycle, runs the result bus, then the queue of releases, then the operand stage of one partition.
// Forwards each response of the register path to the sender of the access.

#include "models/operands/i_operand_stage.h"
#include "models/operands/register_path.h"
#include "models/operands/release_queue.h"
#include "models/operands/result_bus.h"

namespace heddle {

class RegisterPort final : public ClockedModule,
                           private RegisterSender,
                           private NoteListener,
                           private RegisterBackwardInterface {
 public:
  struct Wiring {
    Clock* clock = nullptr;
    LifeChannel* life = nullptr;
    const RegisterFileParameters* parameters = nullptr;
    std::vector<ResultSource> result_sources;
    int max_warps = 48;
    StatsScope stats;
    int partitions = 1;
    int schedulers = 1;
    RegisterStageServices services{};
    bool releases = false;
    const isa::LatencyTable* latencies = nullptr;
  };

  RegisterInitiatorSocket initiator;

  RegisterPort(const sc_core::sc_module_name& name, const Wiring& wiring);

  OperandStage& operands() { return *operands_; }
  const OperandStage& operands() const { return *operands_; }
  ResultBus& result_bus() { return *result_bus_; }
  /// Returns the queue of releases, or nullptr if no register stage uses release flags and no register is
  /// spilled to memory.
  ReleaseQueue* releases() { return has_releases_ ? &releases_ : nullptr; }
  bool follows_flags() const { return path_.wants(wants::releases); }
  bool has_sent_releases() const { return releases_.has_sent(); }
  void release_requested() { wake(); }
  RegisterPath& path() { return path_; }
  void settle(Cycle cycle) {
    operands_->settle(cycle);
    path_.settle(cycle);
  }
  const RegisterPath& path() const { return path_; }
  int read_latency_cycles() const { return path_.read_latency_cycles(); }

  void probes(const ProbeScope& scope) {
    for (const auto& stage : path_.stages()) stage->probes(scope.part(stage->basename()));
  }

  /// Bit masks of banks. banks_served(): banks that served an access in `cycle`. banks_waiting(): banks for
  /// which accesses wait.
  std::uint64_t banks_served(Cycle cycle) const { return path_.stages().back()->banks_served(cycle); }
  std::uint64_t banks_waiting() const { return path_.stages().back()->banks_waiting(); }

 protected:
  void tick() override;

 private:
  std::unique_ptr<OperandStage> make_operands(const Wiring& wiring);
  std::unique_ptr<ResultBus> make_result_bus(const Wiring& wiring);
  void receive(InstructionTransfer& note) override {
    if (note.note == ArrowNote::room) wake();
  }
  void receive_answer(RegisterAccess& access) override;
  void receive_reads(std::span<RegisterAccess* const> reads) override;
  void receive_result(RegisterAccess& access);
  void receive_retry() override;
  tlm::tlm_sync_enum nb_transport_bw(RegisterAccess& access, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  RegisterPath path_;
  ReleaseQueue releases_;
  std::unique_ptr<OperandStage> operands_;
  std::unique_ptr<ResultBus> result_bus_;
  bool has_releases_;
};

}  // namespace heddle

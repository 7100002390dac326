#pragma once

// The module at the top of the register path of one partition. In every cycle it steps the result bus, the
// releases and the operand stage, in this order. They share the path's initiator socket. The module routes
// each response back by the sender in the access.

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
    std::vector<ResultSource> result_sources;  ///< inputs of the result bus
    int max_warps = 48;
    StatsScope stats;
    int partitions = 1;  ///< RegisterStageContext::partitions and schedulers
    int schedulers = 1;
    RegisterStageServices services{};
    bool releases = false;  ///< the issue stage sends its own releases
  };

  RegisterInitiatorSocket initiator;

  RegisterPort(const sc_core::sc_module_name& name, const Wiring& wiring);

  OperandStage& operands() { return *operands_; }
  const OperandStage& operands() const { return *operands_; }
  ResultBus& result_bus() { return result_bus_; }
  /// Queue for the issue stage's releases. nullptr if no stage wants releases named by flags, and no register
  /// is spilled to memory.
  ReleaseQueue* releases() { return has_releases_ ? &releases_ : nullptr; }
  /// True if a stage wants the releases that flags name.
  bool follows_flags() const { return path_.wants(wants::releases); }
  /// True if releases have been sent and the issue stage has not processed them.
  bool has_sent_releases() const { return releases_.has_sent(); }
  /// The issue stage has queued a release.
  void release_requested() { wake(); }
  RegisterPath& path() { return path_; }
  /// Makes all counters exact up to `cycle`, which is excluded.
  void settle(Cycle cycle) {
    operands_->settle(cycle);
    path_.settle(cycle);
  }
  const RegisterPath& path() const { return path_; }
  int read_latency_cycles() const { return path_.read_latency_cycles(); }

  /// Adds the probe points of the stages, by the names of their modules: "<scope>.stage0_banks".
  void probes(const ProbeScope& scope) {
    for (const auto& stage : path_.stages()) stage->probes(scope.part(stage->basename()));
  }

  /// RegisterStage::banks_served and banks_waiting of the last stage.
  std::uint64_t banks_served(Cycle cycle) const { return path_.stages().back()->banks_served(cycle); }
  std::uint64_t banks_waiting() const { return path_.stages().back()->banks_waiting(); }

 protected:
  void tick() override;

 private:
  std::unique_ptr<OperandStage> make_operands(const Wiring& wiring);
  /// Note from the load/store unit that it has room again.
  void receive(InstructionTransfer& note) override {
    if (note.note == ArrowNote::room) wake();
  }
  void receive_answer(RegisterAccess& access) override;
  void receive_reads(std::span<RegisterAccess* const> reads) override;
  void receive_result(RegisterAccess& access);  ///< response of a result or of a release
  void receive_retry() override;
  tlm::tlm_sync_enum nb_transport_bw(RegisterAccess& access, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  RegisterPath path_;
  ReleaseQueue releases_;
  std::unique_ptr<OperandStage> operands_;
  ResultBus result_bus_;
  bool has_releases_;
};

}  // namespace heddle

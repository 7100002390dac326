#pragma once

// The top of the register path of one partition: builds the stages, steps result bus and collectors, in this order,
// which share one initiator socket, and routes answers back by the sender that every access is tagged with.

#include <memory>
#include <vector>

#include "models/ports/register_stage.h"
#include "models/regfile/operand_collectors.h"
#include "models/regfile/register_map.h"
#include "models/regfile/register_path_top.h"
#include "models/regfile/result_bus.h"

namespace heddle {

class RegisterPort : public ClockedModule, private RegisterBackwardInterface {
 public:
  struct Wiring {
    Clock* clock = nullptr;
    const RegisterFileParameters* parameters = nullptr;
    std::vector<ResultSource> result_sources;  ///< of the result bus
    int max_warps = 48;
    StatsScope stats;
    int partitions = 1;  ///< RegisterStageContext::partitions and schedulers
    int schedulers = 1;
    PowerDomainsMaker* power = nullptr;
  };

  /// Builds the stages of the configuration below itself and binds them.
  RegisterPort(const sc_core::sc_module_name& name, const Wiring& wiring);

  OperandCollectors& collectors() { return collectors_; }
  const OperandCollectors& collectors() const { return collectors_; }
  ResultBus& result_bus() { return result_bus_; }
  RegisterMap& map() { return map_; }

  /// Cycles that the path adds to an undisturbed read: the sum of the stages' declared latencies.
  int read_latency_cycles() const;

  void warp_begins(WarpId warp, std::uint32_t registers);  ///< maps the registers and tells the stages
  void warp_ends(WarpId warp);                             ///< nothing of the warp is in flight any more
  void unmap(WarpId warp) { map_.remove(warp); }           ///< its entries can go to another warp

  /// Whether the stages want to hear of activated and deactivated warps and of issued instructions.
  bool hears_warps() const { return !hearing_.empty(); }
  void warp_activated(WarpId warp);
  void warp_deactivated(WarpId warp);
  bool flushed(WarpId warp) const;    ///< RegisterStage::flushed of every stage
  bool may_leave(WarpId warp) const;  ///< RegisterStage::may_leave of every stage
  void instruction_issued(WarpId warp, const isa::Instruction& instruction, LaneMask mask);

  /// The architecturally current value of a register.
  LaneVec debug_read(WarpId warp, RegId reg);
  /// Flips one bit of the register in the uppermost stage that holds it; false if none does.
  bool flip_bit(WarpId warp, RegId reg, int lane, int bit);

  /// RegisterStage::banks_served and banks_waiting of the last stage.
  std::uint64_t banks_served(Cycle cycle) const { return stages_.back()->banks_served(cycle); }
  std::uint64_t banks_waiting() const { return stages_.back()->banks_waiting(); }

 protected:
  void tick() override;

 private:
  tlm::tlm_sync_enum nb_transport_bw(RegisterAccess& access, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void build_stages(const Wiring& wiring);

  RegisterMap map_;
  RegisterPathTop top_;
  OperandCollectors collectors_;
  ResultBus result_bus_;
  std::vector<std::unique_ptr<RegisterStage>> stages_;  ///< from the top down
  std::vector<RegisterStage*> hearing_;                 ///< of these, the ones that hear of warps
};

}  // namespace heddle

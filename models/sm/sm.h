#pragma once

// One streaming multiprocessor: an sc_module for use in other platforms. Bind `memory` to a TLM-2.0
// base-protocol target, begin a kernel, place CTAs, and run the simulation; `cta_changed` notifies of
// completed CTAs.

#include <functional>
#include <memory>
#include <tlm>
#include <vector>

#include "models/core/stats.h"
#include "models/exec/partition_units.h"
#include "models/frontend/front_end.h"
#include "models/memory/load_store_unit.h"
#include "models/operands/register_port.h"
#include "models/ports/lane_plans.h"
#include "models/ports/life_channel.h"
#include "models/ports/unit_availability.h"
#include "models/sm/issue_stage.h"
#include "models/sm/life_outlet.h"
#include "models/sm/sm_parameters.h"
#include "models/sm/sm_resources.h"
#include "models/time/clock.h"

namespace heddle {

class Sm : public sc_core::sc_module, private Clock::Opening {
 public:
  struct Context {
    SmId id{};
    int sms = 1;
    double core_clock_mhz = 1000;
    StatsRegistry* stats = nullptr;
    RunStatus* status = nullptr;
    const MemoryImage* image = nullptr;  ///< bounds of device memory, if known
    bool every_cycle = false;            ///< tick in every cycle instead of sleeping
    std::uint64_t shuffle_seed = 0;  ///< not 0: build the modules in another order (results must not change)
    /// Returns a module to insert into a connection of the instruction's way, nullptr for none. Called once
    /// for every connection, with its name: "front_end-issue", "issue-p0_registers.collectors",
    /// "p0_units.int0-p0_registers.result_bus".
    std::function<std::unique_ptr<InstructionTap>(const std::string& arrow)> between;
  };

  Sm(const sc_core::sc_module_name& name, const SmParameters& parameters, const Context& context);
  ~Sm() override;

  /// Towards memory: plain TLM-2.0 base protocol. Atomics need an AtomicUnit in between.
  MemoryInitiatorSocket& memory() { return load_store_->socket; }
  /// Life events. Subscribe before the simulation starts and name the wanted events; all subscribers receive
  /// the union. With a subscriber the SM no longer runs in parallel with others, so a subscriber to several
  /// SMs is called for one after the other.
  tlm::tlm_analysis_port<LifeEvent> events;
  void observe_events(LifeSet which = kAllLife) {
    life_.follow(*life_outlet_, which);
    clock_.beside_others(false);
  }

  /// Called in the cycle in which a CTA's warps start (`ended` false), and in which its last instruction has
  /// completed, with what is free on the SM then.
  std::function<void(SmId, std::uint32_t cta, bool ended, const SmResources& free)> cta_changed;

  /// A kernel begins at `cycle`: nothing of an earlier one is under way.
  void begin_kernel(const isa::KernelLaunch& launch, Cycle cycle);
  /// Places one CTA (linear index in the grid); its warps fetch from the next cycle on. The caller has
  /// admitted it (gpu/cta_dispatcher.h); InternalError if it does not fit.
  void place_cta(std::uint32_t cta);

  /// Bytes of local memory a thread that the SM wants for the launch (allocate_local_memory): the program's, and
  /// more where registers may be written out to memory.
  std::uint32_t local_bytes(const isa::KernelLaunch& launch) const {
    return issue_->residency().local_bytes(launch);
  }

  SmResources capacity() const;   ///< of the empty SM
  SmResources resources() const;  ///< free now
  Clock& clock() { return clock_; }
  const Clock& clock() const { return clock_; }
  IssueStage& issue() { return *issue_; }
  const IssueStage& issue() const { return *issue_; }
  UnitAvailability& availability() { return *units_; }
  /// Decides in which lanes instructions execute, in the place of what the parameters say;
  /// nullptr: each thread in its own. Lives as long as the SM.
  void set_lane_planner(LanePlanner* planner) {
    issue_->set_lane_planner(planner);
    clock_.beside_others(false);
  }
  LoadStoreUnit& load_store() { return *load_store_; }
  int partitions() const { return static_cast<int>(partitions_.size()); }
  RegisterPort& register_port(int partition) {
    return *partitions_[static_cast<std::size_t>(partition)].port;
  }
  PartitionUnits& units(int partition) { return *partitions_[static_cast<std::size_t>(partition)].units; }
  /// Linear index of the CTA in a slot, -1 if none is there or all its warps have ended.
  std::int64_t cta_in(CtaSlot slot) const {
    const CtaState& cta = ctas_[slot.value];
    return cta.warps_left > 0 ? static_cast<std::int64_t>(cta.cta) : -1;
  }
  /// Grows whenever cta_in() of a slot changes.
  std::uint64_t cta_changes() const {
    return 2 * ctas_placed_.value() - static_cast<std::uint64_t>(resident_ctas_);
  }
  /// No CTA, nothing in the load/store unit, and no write of the last warps that waits for its row.
  bool idle() const;
  const SmParameters& parameters() const { return parameters_; }
  /// Cycles of an operation's issue-to-dependent-issue latency that pass outside its unit.
  int pipeline_overhead() const;

  /// Makes the counters exact for `cycle` and checks that they conserve; InternalError if not.
  void settle(Cycle cycle);

  /// The probe points of all parts (models/core/probe.h): "<scope>.scheduler0", "<scope>.partition0.int0",
  /// "<scope>.front_end.stage0_release_flag_cache", "<scope>.issue.constraint3_register_throttle". An
  /// observer of several SMs is called for one SM after the other, as with events.
  void probes(const ProbeScope& scope);

  /// The architecturally current value of a register.
  LaneVec debug_register(WarpId warp, RegId reg) {
    return register_port(issue_->partition_of(warp)).path().debug_read(warp, reg);
  }
  bool flip_register_bit(WarpId warp, RegId reg, int lane, int bit) {
    return register_port(issue_->partition_of(warp)).path().flip_bit(warp, reg, lane, bit);
  }

 private:
  struct Partition {
    std::unique_ptr<PartitionUnits> units;
    std::unique_ptr<InstructionTap> tap;  ///< in front of them (UnitAvailability::tap)
    std::unique_ptr<RegisterPort> port;
  };
  struct CtaState {
    bool used = false;
    std::uint32_t cta = 0;
    std::uint32_t warps_left = 0;
    std::vector<WarpId> warps;
  };
  class Starter;

  void build(const Context& context);
  void build_partition(int number, PowerDomainsMaker& maker);
  void connect(InstructionInitiatorSocket& from, InstructionTargetSocket& to);
  void start_cta(std::uint32_t cta);
  WarpId take_warp_slot();
  void end_cta(CtaState& cta, CtaSlot slot);
  void open_cycle() override;
  void warp_ended(WarpId warp);

  SmParameters parameters_;
  Context context_;
  StatsScope stats_;
  Clock clock_;
  LifeChannel life_;
  std::unique_ptr<FrontEnd> front_end_;
  std::unique_ptr<LoadStoreUnit> load_store_;
  std::unique_ptr<UnitAvailability> units_;
  std::unique_ptr<LanePlans> plans_;
  std::unique_ptr<IssueStage> issue_;
  std::unique_ptr<LifeOutlet> life_outlet_;
  std::vector<Partition> partitions_;
  std::vector<std::unique_ptr<InstructionTap>> taps_;
  std::unique_ptr<Starter> starter_;

  std::unique_ptr<LoadedKernel> kernel_;
  std::vector<CtaState> ctas_;
  int resident_ctas_ = 0;
  std::uint64_t slots_taken_ = 0;  ///< warp slots of CTAs: given back when the whole CTA has ended
  /// CTAs whose slots and registers are free from the next cycle on, so that the order of their last warp's
  /// end and another CTA's begin in this cycle does not matter. For CTA placement they are free already.
  std::vector<CtaSlot> ended_;
  int threads_taken_ = 0;
  std::uint32_t shared_taken_ = 0;
  std::uint64_t placed_ = 0;  ///< warps so far: their age
  Counter &ctas_placed_, &warps_started_, &cycles_with_work_;
};

}  // namespace heddle

#pragma once

// Models one streaming multiprocessor: an sc_module that other platforms can use. Bind memory() to a TLM-2.0
// base-protocol target, begin a kernel, place CTAs, and run the simulation. `cta_changed` reports completed
// CTAs.

#include <functional>
#include <memory>
#include <string>
#include <tlm>
#include <vector>

#include "models/core/lanes.h"
#include "models/core/stats.h"
#include "models/isa/launch.h"
#include "models/ports/life_event.h"
#include "models/ports/memory_edge.h"
#include "models/sm/sm_parameters.h"
#include "models/sm/sm_resources.h"
#include "models/time/clock.h"

namespace heddle {

// Parts of an SM. A caller that uses one of them includes the part's header.
class CtaTable;
class FrontEnd;
class InstructionTap;
class IssueStage;
class LanePlanner;
class LanePlans;
class LifeChannel;
class LifeOutlet;
class LoadedKernel;
class LoadStoreUnit;
class MemoryImage;
class PartitionUnits;
class PowerDomainsMaker;
class ProbeScope;
class RegisterPort;
class UnitAvailability;

class Sm : public sc_core::sc_module, private Clock::Opening {
 public:
  struct Context {
    SmId id{};
    int sms = 1;
    double core_clock_mhz = 1000;
    StatsRegistry* stats = nullptr;
    RunStatus* status = nullptr;
    const MemoryImage* image = nullptr;  ///< bounds of device memory, if known
    bool every_cycle = false;            ///< run in every cycle instead of sleeping
    /// Not 0: build the modules in another order, which must not change results.
    std::uint64_t shuffle_seed = 0;
    /// Returns a module to insert into a connection of the instruction path; nullptr: none. Called once for
    /// every connection, with its name: "front_end-issue", "issue-p0_registers.collectors",
    /// "p0_units.int0-p0_registers.result_bus".
    std::function<std::unique_ptr<InstructionTap>(const std::string& arrow)> between;
    /// Returns the availability of units that the SM uses instead of `configured`, which it may keep and call.
    /// None: the configured one.
    std::function<std::unique_ptr<UnitAvailability>(std::unique_ptr<UnitAvailability> configured)>
        availability;
  };

  Sm(const sc_core::sc_module_name& name, const SmParameters& parameters, const Context& context);
  ~Sm() override;

  /// Socket to memory: plain TLM-2.0 base protocol. Atomics need an AtomicUnit in between.
  MemoryInitiatorSocket& memory();
  /// Port of life events. Subscribe before the simulation starts and choose the events; all subscribers
  /// receive the union of their choices. An SM with a subscriber does not run in parallel with other SMs, so
  /// a subscriber to several SMs is never called concurrently.
  tlm::tlm_analysis_port<LifeEvent> events;
  void observe_events(LifeSet which = kAllLife);

  /// Called in the cycle in which a CTA's warps start (`ended` is false), and in the cycle in which its last
  /// instruction completes. `free`: resources that are then free on the SM.
  std::function<void(SmId, std::uint32_t cta, bool ended, const SmResources& free)> cta_changed;

  /// A kernel begins at `cycle`. No CTA of an earlier kernel may be resident.
  void begin_kernel(const isa::KernelLaunch& launch, Cycle cycle);
  /// Places one CTA, by its linear index in the grid. Its warps fetch from the next cycle on. The caller must
  /// have admitted the CTA (gpu/cta_dispatcher.h). Throws Error if it does not fit.
  void place_cta(std::uint32_t cta);

  /// Returns the local memory that the SM needs for the launch (allocate_local_memory), in bytes a thread. It
  /// is that of the program, and more if registers may be saved to memory.
  std::uint32_t local_bytes(const isa::KernelLaunch& launch) const;

  SmResources capacity() const;   ///< of the empty SM
  SmResources resources() const;  ///< free at this moment
  Clock& clock() { return clock_; }
  const Clock& clock() const { return clock_; }
  IssueStage& issue() { return *issue_; }
  const IssueStage& issue() const { return *issue_; }
  UnitAvailability& availability() { return *units_; }
  /// Sets a planner of lanes that replaces the configured one; nullptr: each thread stays in its own lane.
  /// The planner must live as long as the SM.
  void set_lane_planner(LanePlanner* planner);
  LoadStoreUnit& load_store() { return *load_store_; }
  int partitions() const { return parameters_.partitions; }
  RegisterPort& register_port(int partition) const;
  PartitionUnits& units(int partition) const;
  const CtaTable& ctas() const { return *ctas_; }
  /// True if no CTA is resident, the load/store unit is empty, and no register write waits for its row.
  bool idle() const;
  const SmParameters& parameters() const { return parameters_; }
  /// Cycles of the latency from an issue to a dependent issue that are spent outside the unit.
  int pipeline_overhead() const;

  /// Makes the counters exact up to `cycle`, which is excluded. Throws InternalError if counters do not add
  /// up.
  void settle(Cycle cycle);

  /// Adds the probe points of all parts (models/core/probe.h), for example "<scope>.scheduler0",
  /// "<scope>.partition0.int0", "<scope>.front_end.stage0_release_flag_cache",
  /// "<scope>.issue.constraint3_register_throttle". An observer of several SMs is never called concurrently.
  void probes(const ProbeScope& scope);

  /// Returns the current architected value of a register.
  LaneVec debug_register(WarpId warp, RegId reg);
  bool flip_register_bit(WarpId warp, RegId reg, int lane, int bit);

 private:
  struct Partition;
  class Starter;

  void build(const Context& context);
  void build_partition(int number, PowerDomainsMaker& maker);
  template <class From, class To>
  void connect(From& from, To& to);
  /// Slots of partitions that have the registers of a warp of this kernel.
  WarpSet slots_with_registers() const;
  void start_cta(std::uint32_t cta);
  void open_cycle() override;
  void warp_ended(WarpId warp);

  SmParameters parameters_;
  const SmId id_;
  const std::function<std::unique_ptr<InstructionTap>(const std::string& arrow)> between_;
  StatsScope stats_;
  Clock clock_;
  std::unique_ptr<LifeChannel> life_;
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
  std::unique_ptr<CtaTable> ctas_;
};

}  // namespace heddle

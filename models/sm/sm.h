#pragma once

// Models one streaming multiprocessor (SM) as an sc_module that other platforms can use. To use it, bind
// memory() to a TLM-2.0 base-protocol target, begin a kernel, place CTAs, and run the simulation. The SM
// calls `cta_changed` for each started or completed CTA.

#include <functional>
#include <memory>
#include <string>
#include <tlm>
#include <vector>

#include "models/core/lanes.h"
#include "models/core/stats.h"
#include "models/core/warp_set.h"
#include "models/isa/launch.h"
#include "models/ports/life_event.h"
#include "models/ports/memory_edge.h"
#include "models/sm/sm_parameters.h"
#include "models/sm/sm_resources.h"
#include "models/time/clock.h"

namespace heddle {

class CtaTable;
class FrontEnd;
class InstructionTap;
class IssueStage;
class LanePlanner;
class LanePlans;
class LifeChannel;
class LifeListener;
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
    /// Memory image (the contents and allocations of device memory), with which global addresses are checked;
    /// nullptr: they are not checked.
    const MemoryImage* image = nullptr;
    bool every_cycle = false;  ///< true: modules run in every cycle and never sleep
    /// If not 0, selects the order in which the modules are built. This order must not change results.
    std::uint64_t shuffle_seed = 0;
    /// Returns a module to insert into a connection of the instruction path; nullptr: no module. Called once
    /// for every connection, with a name such as "issue-p0_registers.collectors".
    std::function<std::unique_ptr<InstructionTap>(const std::string& arrow)> between;
    /// Returns the object that decides which units accept instructions. `configured`: the object that the
    /// configuration describes. The function may wrap this object. Without this function, the SM uses the
    /// object unchanged.
    std::function<std::unique_ptr<UnitAvailability>(std::unique_ptr<UnitAvailability> configured)>
        availability;
  };

  Sm(const sc_core::sc_module_name& name, const SmParameters& parameters, const Context& context);
  ~Sm() override;

  /// Socket to memory, with the plain TLM-2.0 base protocol. Kernels with atomics require an AtomicUnit
  /// between the SM and memory.
  MemoryInitiatorSocket& memory();
  /// Port of life events (begin and end of warps, steps of instructions). Observers must subscribe and choose
  /// events before the simulation starts. Every observer receives all events that any observer has chosen. An
  /// SM with a subscriber does not run in parallel with other SMs.
  tlm::tlm_analysis_port<LifeEvent> events;
  void observe_events(LifeSet which = kAllLife);
  /// Notifies `listener` directly, on the thread of this SM, of the events to which the listener subscribes.
  /// Must be called before the first cycle. The listener must outlive the SM's last cycle and change nothing in
  /// the SM.
  void subscribe(LifeListener& listener);

  /// Called when a CTA's warps start (`ended` is false) and when its last instruction completes (`ended` is
  /// true). `free`: free resources of the SM after this event.
  std::function<void(SmId, std::uint32_t cta, bool ended, const SmResources& free)> cta_changed;

  /// Starts a kernel at `cycle`. No CTA of an earlier kernel may be resident. `like`: the same launch as
  /// loaded by an SM with the same parameters. This SM shares the loaded launch, unless it runs additional
  /// instructions of its own.
  void begin_kernel(const isa::KernelLaunch& launch, Cycle cycle,
                    const std::shared_ptr<const LoadedKernel>& like = nullptr);
  const std::shared_ptr<const LoadedKernel>& kernel() const { return kernel_; }
  /// Places CTA number `cta` of the grid. Its warps fetch from the next cycle on. Throws Error if the CTA
  /// does not fit.
  void place_cta(std::uint32_t cta);

  /// Returns the local memory that the launch needs on this SM, in bytes per thread, with space for spilled
  /// registers.
  std::uint32_t local_bytes(const isa::KernelLaunch& launch) const;

  SmResources capacity() const;
  SmResources resources() const;
  Clock& clock() { return clock_; }
  const Clock& clock() const { return clock_; }
  IssueStage& issue() { return *issue_; }
  const IssueStage& issue() const { return *issue_; }
  UnitAvailability& availability() { return *units_; }
  /// Replaces the configured planner that assigns threads to lanes; nullptr: each thread stays in its own
  /// lane. The planner must live as long as the SM.
  void set_lane_planner(LanePlanner* planner);
  LoadStoreUnit& load_store() { return *load_store_; }
  int partitions() const { return parameters_.partitions; }
  RegisterPort& register_port(int partition) const;
  PartitionUnits& units(int partition) const;
  const CtaTable& ctas() const { return *ctas_; }
  /// True if no CTA is resident, the load/store unit is empty, and no register write waits at the banks.
  bool idle() const;
  const SmParameters& parameters() const { return parameters_; }
  /// Returns the cycles from an issue to a dependent issue, minus the cycles in the execution unit.
  int pipeline_overhead() const;

  /// Brings the counters up to date for all cycles before `cycle`. Throws InternalError if the counters do
  /// not add up.
  void settle(Cycle cycle);

  /// Adds the probe points of all parts, for example "<scope>.scheduler0" or "<scope>.partition0.int0".
  /// Observers are never called concurrently.
  void probes(const ProbeScope& scope);

  LaneVec debug_register(WarpId warp, RegId reg);
  bool flip_register_bit(WarpId warp, RegId reg, int lane, int bit);

 private:
  struct Partition;
  class Starter;

  void build(const Context& context);
  void build_partition(int number, PowerDomainsMaker& maker);
  template <class From, class To>
  void connect(From& from, To& to);
  WarpSet slots_with_registers() const;
  void start_cta(std::uint32_t cta);
  void open_cycle() override;
  void warp_ended(WarpId warp);
  /// Frees the CTA if `warp` was its last warp.
  void warp_left(WarpId warp);

  SmParameters parameters_;
  isa::LatencyTable latencies_;
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
  std::shared_ptr<const LoadedKernel> kernel_;
  std::unique_ptr<CtaTable> ctas_;
  WarpSet lingering_;  ///< warps that have ended and whose stores memory has not acknowledged
};

}  // namespace heddle

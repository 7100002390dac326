#pragma once

// Dispatches the CTAs of a launch to the SMs in the order of their indices, round-robin, at most one CTA per
// SM and cycle, if all admission constraints agree. Also checks the run for dead-locks and cycle limits, and
// signals intervals.

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "models/gpu/i_cta_admission.h"
#include "models/sm/sm.h"
#include "models/time/clock.h"

namespace heddle {

struct DispatchRange {
  std::uint64_t first = 0;
  std::uint64_t count = ~std::uint64_t{0};  ///< default: to the end of the grid
};

/// Called when the last known CTA has been dispatched and all units have run that cycle, so that counters can
/// be settled for `cycle`. Returns the next CTAs, or nothing to end the launch. Ranges may be in any order
/// but must not overlap.
using FurtherCtas = std::function<std::optional<DispatchRange>(Cycle cycle)>;

class CtaDispatcher : public ClockedModule {
 public:
  struct Limits {
    Cycle deadlock_cycles = 100000;  ///< cycles without any issue while work remains
    Cycle endless_cycles = kNever;   ///< cycles without the end of a CTA
    Cycle max_cycles = kNever;       ///< cycles of the run
    Cycle interval_cycles = 0;       ///< 0 = no intervals
    /// Called at the end of an interval, when all units have run the cycle before. May throw.
    std::function<void(Cycle)> on_interval;
    /// Called every `heartbeat_cycles`; returns true to end the run early (a signal).
    std::function<bool(Cycle)> on_heartbeat;
    Cycle heartbeat_cycles = 20000;
  };

  CtaDispatcher(const sc_core::sc_module_name& name, Clock& clock, std::vector<Sm*> sms,
                const std::vector<ConfigNode>& admission, std::function<bool()> memory_idle, Limits limits);

  /// Throws Error if a CTA does not fit on an empty SM, or a cooperative launch does not fit on all SMs.
  void check(const isa::KernelLaunch& launch) const;
  /// Starts a launch, after check().
  void begin(const isa::KernelLaunch& launch, DispatchRange range, FurtherCtas further, Cycle cycle);

  bool finished() const { return !further_ && ended_ == total_; }
  bool interrupted() const { return interrupted_; }
  std::uint64_t ctas_total() const { return total_; }  ///< CTAs of all ranges so far
  std::uint64_t ctas_ended() const { return ended_; }
  Cycle begin_cycle() const { return begin_cycle_; }  ///< first cycle of the launch
  Cycle end_cycle() const { return end_cycle_; }      ///< cycle in which the last CTA ended
  /// Returns the number of CTAs of the launch that fit on an empty SM.
  int ctas_per_sm(const isa::KernelLaunch& launch) const;

 protected:
  void tick() override;

 private:
  /// An event of an SM, processed from the next cycle on.
  struct Note {
    Cycle at;
    std::size_t sm;
    bool ended;  ///< a CTA ended; otherwise one started
    SmResources free;
  };
  struct SmView {
    SmResources free;
    bool placing = false;  ///< a CTA is being placed; its resources are not yet subtracted from `free`
  };
  void take_notes();
  void place();
  void watch();
  void request_further();
  void act_outside();
  bool fits(const SmResources& free) const;
  [[noreturn]] void report_deadlock() const;
  std::string places() const;  ///< PTX lines of the first resident warps

  std::vector<Sm*> sms_;
  std::vector<std::unique_ptr<CtaAdmission>> admission_;
  std::function<bool()> memory_idle_;
  Limits limits_;
  const isa::KernelLaunch* launch_ = nullptr;
  std::vector<SmView> views_;
  std::vector<Note> notes_;
  FurtherCtas further_;  ///< source of further ranges; empty after the last one
  std::uint64_t next_ = 0, range_end_ = 0, total_ = 0, ended_ = 0;
  std::size_t turn_ = 0;
  Cycle begin_cycle_ = 0, end_cycle_ = 0, last_end_ = 0, next_heartbeat_ = 0, next_interval_ = kNever;
  bool interrupted_ = false, interval_due_ = false;
  sc_core::sc_event outside_;
};

}  // namespace heddle

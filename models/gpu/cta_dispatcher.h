#pragma once

// Hands the CTAs of a launch to the SMs: in order of their index, one CTA an SM and cycle, going round the
// SMs, as long as every admission constraint agrees. Also watches over the run: dead-locks, cycle limits,
// intervals.

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
  std::uint64_t count = ~std::uint64_t{0};  ///< to the end of the grid
};

/// Called when the last known CTA has been handed out and all units have run that cycle, so that counters can
/// be made exact for `cycle`. Returns the next CTAs; none ends the launch. Ranges may come in any order and
/// must not overlap.
using FurtherCtas = std::function<std::optional<DispatchRange>(Cycle cycle)>;

class CtaDispatcher : public ClockedModule {
 public:
  struct Limits {
    Cycle deadlock_cycles = 100000;  ///< without any issue while work remains
    Cycle endless_cycles = kNever;   ///< without the end of a CTA
    Cycle max_cycles = kNever;       ///< of the run
    Cycle interval_cycles = 0;       ///< 0: no intervals
    /// Called when all units have run in the cycle before: the interval ends there. May throw.
    std::function<void(Cycle)> on_interval;
    /// Called every `heartbeat_cycles`; true ends the run early (a signal).
    std::function<bool(Cycle)> on_heartbeat;
    Cycle heartbeat_cycles = 20000;
  };

  CtaDispatcher(const sc_core::sc_module_name& name, Clock& clock, std::vector<Sm*> sms,
                const std::vector<ConfigNode>& admission, std::function<bool()> memory_idle, Limits limits);

  /// Throws Error if not even one CTA fits on an empty SM, or a cooperative launch not on all of them.
  void check(const isa::KernelLaunch& launch) const;
  /// Checks, too.
  void begin(const isa::KernelLaunch& launch, DispatchRange range, FurtherCtas further, Cycle cycle);

  bool finished() const { return !further_ && ended_ == total_; }
  bool interrupted() const { return interrupted_; }
  std::uint64_t ctas_total() const { return total_; }  ///< as far as they are known
  std::uint64_t ctas_ended() const { return ended_; }
  Cycle begin_cycle() const { return begin_cycle_; }  ///< the first of the launch
  Cycle end_cycle() const { return end_cycle_; }      ///< in which the last CTA ended
  /// CTAs of the launch that an empty SM holds.
  int ctas_per_sm(const isa::KernelLaunch& launch) const;

 protected:
  void tick() override;

 private:
  /// Events of an SM in a cycle; processed from the next cycle on.
  struct Note {
    Cycle at;
    std::size_t sm;
    bool ended;  ///< a CTA ended, else one started
    SmResources free;
  };
  struct SmView {
    SmResources free;
    bool placing = false;  ///< a CTA is on its way; its resources are not yet taken from `free`
  };
  void take_notes();
  void place();
  void watch();
  void ask_further();
  void act_outside();
  bool fits(const SmResources& free) const;
  [[noreturn]] void report_deadlock() const;
  std::string places() const;  ///< where the first resident warps are, in lines of the PTX

  std::vector<Sm*> sms_;
  std::vector<std::unique_ptr<CtaAdmission>> admission_;
  std::function<bool()> memory_idle_;
  Limits limits_;
  const isa::KernelLaunch* launch_ = nullptr;
  std::vector<SmView> views_;
  std::vector<Note> notes_;
  FurtherCtas further_;  ///< until there are none
  std::uint64_t next_ = 0, range_end_ = 0, total_ = 0, ended_ = 0;
  std::size_t turn_ = 0;
  Cycle begin_cycle_ = 0, end_cycle_ = 0, last_end_ = 0, next_heartbeat_ = 0, next_interval_ = kNever;
  bool interrupted_ = false, interval_due_ = false;
  sc_core::sc_event outside_;
};

}  // namespace heddle

#pragma once

// Dispatches the CTAs of a launch to the SMs in the order of the CTA indices. SMs are served round-robin, and
// each gets at most one CTA per cycle. A CTA starts only if all admission constraints allow it. The
// dispatcher also detects deadlocks, ends runs at the cycle limit, and signals the end of each measuring
// interval.

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
  std::uint64_t count = ~std::uint64_t{0};
};

/// Supplies further ranges of CTAs (consecutive CTA numbers) during a launch. The dispatcher calls the
/// function after it has dispatched the last CTA of the previous range, when all SMs have run `cycle`. The
/// function returns the next range, or nothing to end the launch. Ranges may come in any order but must not
/// overlap.
using FurtherCtas = std::function<std::optional<DispatchRange>(Cycle cycle)>;

class CtaDispatcher : public ClockedModule {
 public:
  struct Limits {
    /// Deadlock limit: a run with unfinished CTAs ends with an error if no SM issues an instruction for this
    /// number of cycles.
    Cycle deadlock_cycles = 100000;
    /// A run ends with an error after this number of cycles in which no CTA ends.
    Cycle endless_cycles = kNever;
    Cycle max_cycles = kNever;  ///< Cycles after which a launch ends with an error.
    Cycle interval_cycles = 0;
    /// Called at the end of each interval, when all SMs have run all earlier cycles. May throw.
    std::function<void(Cycle)> on_interval;
    /// Called every `heartbeat_cycles`. Returns true to end the run early, for example after an interrupt by
    /// the user.
    std::function<bool(Cycle)> on_heartbeat;
    Cycle heartbeat_cycles = 20000;
  };

  CtaDispatcher(const sc_core::sc_module_name& name, Clock& clock, std::vector<Sm*> sms,
                const std::vector<ConfigNode>& admission, std::function<bool()> memory_idle, Limits limits);

  /// Throws Error if a CTA of the launch does not fit on an empty SM. The CTAs of a cooperative launch must
  /// fit on all SMs at the same time.
  void check(const isa::KernelLaunch& launch) const;
  /// Starts a launch in cycle `cycle`. The caller must have called check() for this launch.
  void begin(const isa::KernelLaunch& launch, DispatchRange range, FurtherCtas further, Cycle cycle);

  /// Returns the last cycle, at most `end`, up to which the SMs may run ahead of the dispatcher. `base`: last
  /// cycle that the dispatcher has run. Heartbeats, interval ends, limits and requests for further CTAs need
  /// all SMs in the same cycle.
  Cycle alone_until(Cycle base, Cycle end) const;

  bool finished() const { return !further_ && ended_ == total_; }
  bool interrupted() const { return interrupted_; }
  std::uint64_t ctas_total() const { return total_; }
  std::uint64_t ctas_ended() const { return ended_; }
  Cycle begin_cycle() const { return begin_cycle_; }
  Cycle end_cycle() const { return end_cycle_; }
  /// Returns how many CTAs of the launch fit on an empty SM.
  int ctas_per_sm(const isa::KernelLaunch& launch) const;

 protected:
  void tick() override;

 private:
  struct Note {
    Cycle at;
    std::size_t sm;
    bool ended;
    SmResources free;
  };
  struct SmView {
    SmResources free;
    /// True while the SM starts a CTA whose resources are not yet subtracted from `free`.
    bool placing = false;
  };
  Cycle next_watch() const;
  void take_notes();
  void place();
  void watch();
  void request_further();
  void act_outside();
  bool fits(const SmResources& free) const;
  [[noreturn]] void report_deadlock() const;
  std::string places() const;

  std::vector<Sm*> sms_;
  std::vector<std::unique_ptr<CtaAdmission>> admission_;
  std::function<bool()> memory_idle_;
  Limits limits_;
  const isa::KernelLaunch* launch_ = nullptr;
  std::vector<SmView> views_;
  std::vector<Note> notes_;
  FurtherCtas further_;
  std::uint64_t next_ = 0, range_end_ = 0, total_ = 0, ended_ = 0;
  std::size_t turn_ = 0;
  Cycle begin_cycle_ = 0, end_cycle_ = 0, last_end_ = 0, next_heartbeat_ = 0, next_interval_ = kNever;
  bool interrupted_ = false, interval_due_ = false;
  sc_core::sc_event outside_;
};

}  // namespace heddle

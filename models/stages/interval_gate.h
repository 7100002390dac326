#pragma once

// Keeps warps from issuing for the stage interval-file. For each warp, this stage stores the registers of one
// interval (a region of code). When the next instruction of a warp belongs to another interval, the gate holds
// the warp at once. It does not wait until the sources of this instruction are available. The gate requests the
// registers of the new interval from the interval-file, and releases the warp when these registers are loaded.
//
// The issue stage calls step(). step() uses only reports that the interval-file made in earlier cycles, so
// that results are independent of module order.

#include <cstdint>
#include <span>
#include <vector>

#include "models/core/cycle_inbox.h"
#include "models/core/cycle_set.h"
#include "models/core/register_set.h"
#include "models/isa/notes.h"
#include "models/isa/program.h"
#include "models/ports/residency.h"
#include "models/time/clock.h"

namespace heddle {

class IntervalGate final : public WarpHold {
 public:
  /// `active_only`: true if the interval-file stores registers only for warps with an active slot of a
  /// two-level scheduler.
  IntervalGate(Clock& clock, int warps, bool active_only);

  void begin_kernel(const isa::Program& program);
  void begins(WarpId warp) {
    if (program_) resident_.add(warp);
  }
  void gone(WarpId warp);
  void activated(WarpId warp) { inactive_.remove(warp); }
  void deactivated(WarpId warp);
  /// Must be called when the interval-file drops the registers of a warp that has lost its active slot. The
  /// gate then holds the warp until its registers are loaded again.
  void unloaded(WarpId warp) { settled_.remove(warp); }

  /// Reports that the registers of the interval that contains the instruction at `pc` are loaded. The warp
  /// may issue from the next cycle on.
  void loaded(Cycle now, WarpId warp, std::uint32_t pc);
  /// Calls f(warp, pc) for each request that the gate made in an earlier cycle. A request asks for the
  /// registers of the interval that contains the instruction at `pc`.
  template <class F>
  void take_requests(Cycle now, F&& f) {
    requests_.take(now, [&f](const Request& request) { f(request.warp, request.pc); });
  }
  /// Returns the registers that belong to the interval (region of code) that contains the instruction at
  /// `pc`.
  RegisterSet set_at(std::uint32_t pc) const;
  /// Returns the registers that are live at `pc`. The compiler lists live registers only at instructions at
  /// which a warp can enter an interval. A warp that has lost its active slot may enter its interval again at
  /// any other instruction. All registers then count as live.
  RegisterSet live_at(std::uint32_t pc) const;
  bool in_interval(const isa::Instruction& instruction) const {
    return !intervals_.in(instruction.notes).empty();
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  struct Request {
    WarpId warp;
    std::uint32_t pc;
  };

  void connect(WarpHost& host) override { host_ = &host; }
  void step(Cycle now, WarpSet bound, WarpSet active) override;
  std::span<const std::uint64_t> interval_at(std::optional<std::uint32_t> pc) const {
    if (!pc || *pc >= program_->code.size()) return {};
    return intervals_.in(program_->code[*pc].notes);
  }

  Clock* clock_;
  bool active_only_;
  const isa::Program* program_ = nullptr;
  isa::NotedWords intervals_, lives_;
  WarpHost* host_ = nullptr;
  WarpSet resident_, inactive_;
  CycleSet settled_;                               ///< warps whose interval-file registers are loaded
  std::vector<std::uint64_t> intervals_of_warps_;  ///< number of each warp's loaded interval
  std::vector<std::uint64_t> asked_;               ///< pc of each warp's pending request, or kNone
  CycleInbox<Request> requests_;
};

}  // namespace heddle

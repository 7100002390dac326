#pragma once

// The warp slots of an SM, stored in arrays: progress, scoreboards, and all other state of each warp.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "models/core/warp_set.h"
#include "models/operands/register_releases.h"
#include "models/sm/warp_state.h"

namespace heddle {

class WarpTable final : public RegisterHolds {
 public:
  explicit WarpTable(int slots)
      : progress_(static_cast<std::size_t>(slots)),
        scoreboards_(progress_.size()),
        states_(progress_.size()) {}

  int slots() const { return static_cast<int>(progress_.size()); }
  WarpProgress& progress(WarpId warp) { return progress_[warp.value]; }
  const WarpProgress& progress(WarpId warp) const { return progress_[warp.value]; }
  Scoreboard& scoreboard(WarpId warp) { return scoreboards_[warp.value]; }
  const Scoreboard& scoreboard(WarpId warp) const { return scoreboards_[warp.value]; }
  WarpState& state(WarpId warp) { return states_[warp.value]; }
  const WarpState& state(WarpId warp) const { return states_[warp.value]; }

  bool pending(WarpId warp, std::uint32_t reg) const override { return scoreboard(warp).pending(reg); }
  void hold(WarpId warp, std::uint32_t reg) override { scoreboard(warp).hold(reg); }
  void end_hold(WarpId warp, std::uint32_t reg) override { scoreboard(warp).end_hold(reg); }
  LaneMask live(WarpId warp) const override { return state(warp).simt.live(); }
  bool any_warp() const override { return !taken_.empty(); }

  /// Returns a text that says why a warp waits, for deadlock reports. `barrier`: text on the barriers of its
  /// CTA.
  std::string describe(WarpId id, const std::string& barrier) const;

  /// taken(): warp slots in use. A slot is in use from the placement of a warp until the last instruction of
  /// this warp has completed.
  WarpSet taken() const { return taken_; }
  WarpSet running() const { return running_; }
  void exit(WarpId warp) { running_.remove(warp); }
  void end(WarpId warp) { taken_.remove(warp); }
  void start(const WarpContext& context, const LoadedKernel& kernel, SchedulerId scheduler,
             std::uint32_t partition) {
    WarpProgress& progress = progress_[context.warp.value];
    progress = {};
    taken_.add(context.warp);
    running_.add(context.warp);
    progress.scheduler = scheduler;
    progress.partition = partition;
    progress.footprints = &kernel.footprint(0);
    progress.code = kernel.program().code.data();
    scoreboards_[context.warp.value].reset();
    WarpState& state = states_[context.warp.value];
    state = {};
    state.context = context;
    state.kernel = &kernel;
    state.simt.start(context.lanes, kernel.place(0));
  }

 private:
  WarpSet taken_, running_;
  std::vector<WarpProgress> progress_;
  std::vector<Scoreboard> scoreboards_;
  std::vector<WarpState> states_;
};

/// Returns "file:line:column: kernel k, CTA c, warp w" for error messages.
inline std::string position(const WarpState& warp, const isa::Instruction& instruction) {
  const isa::Program& program = warp.kernel->program();
  return fmt::format("{}:{}:{}: kernel {}, CTA {}, warp {}", program.file, instruction.location.ptx_line,
                     instruction.location.ptx_column, program.kernel, warp.context.cta,
                     warp.context.warp_in_cta);
}

}  // namespace heddle

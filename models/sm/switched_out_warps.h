#pragma once

// State of warps whose registers are in memory, as the issue stage needs it: save and restore instructions,
// waits of the warps, and barrier results that must still be written to registers.

#include <optional>
#include <vector>

#include "models/operands/register_releases.h"
#include "models/ports/residency.h"
#include "models/sm/instruction_buffers.h"
#include "models/sm/readiness.h"
#include "models/sm/warp_table.h"

namespace heddle {

class SwitchedOutWarps final : public WarpHost {
 public:
  SwitchedOutWarps(Clock& clock, WarpTable& warps, InstructionBuffers& buffers, Readiness& readiness,
                   RegisterReleases& releases)
      : clock_(clock),
        warps_(warps),
        buffers_(buffers),
        readiness_(readiness),
        releases_(releases),
        after_(static_cast<std::size_t>(warps.slots())) {}

  void barrier_opens(WarpId warp) { after_[warp.value].wait = WarpWait::none; }
  void owe(WarpId warp, std::uint32_t votes) { after_[warp.value].votes = votes; }
  /// Finds a warp whose registers are back on the SM, and whose barrier result is not written yet. Returns
  /// the warp and the vote count that must be written to the destination register. Removes both from the list
  /// of results to write.
  std::optional<std::pair<WarpId, std::uint32_t>> next_owed();

  WarpSet warps() const { return switched_out_; }
  WarpSet running() const override { return warps_.running(); }
  bool at_barrier(WarpId warp) const override;
  bool quiet(WarpId warp) const override;
  std::optional<std::uint32_t> next(WarpId warp, std::size_t after) const override {
    const DecodedRuns& decoded = buffers_.of(warp);
    if (!decoded.can_issue(clock_.now(), after)) return std::nullopt;
    return decoded.peek(after).pc;
  }
  bool executed(WarpId warp) const override { return buffers_.of(warp).empty() && quiet(warp); }
  void switch_out(WarpId warp) override;
  void switch_in(WarpId warp) override;
  void execute(WarpId warp, std::span<const std::uint32_t> instead) override;
  void wake() override { clock_.wake(); }
  void release(WarpId warp, std::uint32_t reg) override { releases_.release_saved(warp, reg); }

 private:
  struct After {
    WarpWait wait = WarpWait::none;
    std::optional<std::uint32_t> votes;
  };

  Clock& clock_;
  WarpTable& warps_;
  InstructionBuffers& buffers_;
  Readiness& readiness_;
  RegisterReleases& releases_;
  WarpSet switched_out_;
  std::vector<After> after_;
  std::vector<std::pair<WarpId, std::uint32_t>> owed_;
};

}  // namespace heddle

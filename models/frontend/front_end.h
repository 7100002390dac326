#pragma once

// Fetch and decode of an SM: keeps the instruction buffers of its warps filled along the fall-through path.
// After an unconditional branch or exit it waits until the issue stage says where the warp goes on.

#include <memory>
#include <vector>

#include "models/core/cycle_queue.h"
#include "models/core/stats.h"
#include "models/frontend/front_end_parameters.h"
#include "models/frontend/i_front_end_stage.h"
#include "models/isa/program.h"
#include "models/ports/clock.h"

namespace heddle {

struct DecodedInstruction {
  std::uint32_t pc = 0;
  std::uint32_t epoch = 0;  ///< of the redirect that it belongs to; the issue stage drops older ones
  Cycle ready = 0;          ///< first cycle of possible issue
};

class FrontEnd : public ClockedModule {
 public:
  FrontEnd(const sc_core::sc_module_name& name, Clock& clock, const FrontEndParameters& parameters,
           int max_warps, const StatsScope& stats);

  using InstructionBuffer = CycleQueue<DecodedInstruction>;
  InstructionBuffer& buffer(WarpId warp) { return warps_[warp.value].buffer; }

  // From the issue stage; all take effect in the next cycle.
  /// The warp goes on at `pc`; what its buffer holds is stale. Also starts a new warp.
  void redirect(Cycle now, WarpId warp, const isa::Program* program, std::uint32_t pc, std::uint32_t epoch);
  void consumed(Cycle now, WarpId warp);  ///< a place in the warp's buffer became free
  void stop(Cycle now, WarpId warp);      ///< the warp has exited
  void on_kernel_begin();

  /// Warps whose buffers got an instruction that can issue from `now` on, since the last call.
  std::uint64_t take_arrivals(Cycle now) {
    std::uint64_t warps = 0;
    std::size_t taken = 0;
    for (; taken < arrivals_.size() && arrivals_[taken].ready <= now; ++taken) warps |= arrivals_[taken].warp;
    arrivals_.erase(arrivals_.begin(), arrivals_.begin() + static_cast<std::ptrdiff_t>(taken));
    return warps;
  }

 protected:
  void tick() override;

 private:
  struct Warp {
    explicit Warp(std::size_t entries) : buffer(entries) {}
    InstructionBuffer buffer;
    const isa::Program* program = nullptr;
    std::uint32_t pc = 0;
    std::uint32_t epoch = 0;
    Cycle held_until = 0;  ///< by a front-end stage
  };
  struct Arrival {
    Cycle ready;
    std::uint64_t warp;  ///< bit
  };
  struct Redirect {
    Cycle at;
    WarpId warp;
    const isa::Program* program;  ///< nullptr: stop
    std::uint32_t pc, epoch;
  };

  void take_redirects();
  bool fetch(WarpId warp);

  FrontEndParameters parameters_;
  std::vector<Warp> warps_;
  std::vector<std::unique_ptr<FrontEndStage>> stages_;
  std::vector<Redirect> redirects_;
  std::vector<Arrival> arrivals_;  ///< in order of time
  std::uint64_t fetching_ = 0;     ///< warps that may fetch: running, not behind an unconditional branch
  std::uint64_t space_ = 0;        ///< warps whose buffer may have room
  std::uint64_t space_now_ = 0;    ///< room that came in cycle space_at_
  Cycle space_at_ = 0;
  std::uint32_t turn_ = 0;
  Counter &fetches_, &decodes_;
};

}  // namespace heddle

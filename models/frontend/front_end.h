#pragma once

// Fetch and decode of an SM. Keeps the instruction buffers of all warps filled along the fall-through path.
// After an unconditional branch or an exit, a warp's fetch waits for a redirect from the issue stage.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/core/cycle_inbox.h"
#include "models/core/cycle_room.h"
#include "models/core/stats.h"
#include "models/frontend/front_end_parameters.h"
#include "models/frontend/i_front_end_stage.h"
#include "models/ports/instruction_path.h"

namespace heddle {

class LifeChannel;

class FrontEnd : public ClockedModule, private NoteListener {
 public:
  /// `life`: channel for the life event `fetched`; nullptr: no module subscribes to it.
  FrontEnd(const sc_core::sc_module_name& name, Clock& clock, const FrontEndParameters& parameters,
           int max_warps, const StatsScope& stats, const LifeChannel* life = nullptr);

  InstructionInitiatorSocket& output() { return output_.socket; }

  bool attaches() const { return !following_.empty(); }

  void on_kernel_begin();
  /// Adds the probe points of the front-end stages, such as "<scope>.stage0_release_flag_cache".
  void probes(const ProbeScope& scope);

 protected:
  void tick() override;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  /// Straight-line code from one program position to the next unconditional branch or exit. `count`: number of
  /// instructions that one fetch can deliver from this position, at most kMost. The count includes the branch
  /// or exit, and ends before metadata. 0: the position holds metadata.
  struct Straight {
    static constexpr std::uint8_t kMost = 64;
    std::uint8_t count = 0;
    /// True: the last of the `count` instructions is an unconditional branch or exit.
    bool ends = false;
  };
  struct alignas(64) Warp {
    explicit Warp(int entries) : places(static_cast<std::size_t>(entries)) {}
    CycleRoom places;
    const Straight* straight = nullptr;
    std::uint32_t pc = 0;
    std::uint32_t epoch = 0;
    Cycle held_until = 0;
    std::uint64_t latch = 0;
    // A fetch without front-end stages does not use the members below.
    bool started = false;  ///< true: the warp runs, so its next redirect is a branch
    std::uint32_t missed = kNone;
    const isa::Program* program = nullptr;
  };
  struct Redirect {
    WarpId warp;
    const isa::Program* program;
    std::uint32_t pc, epoch;
  };

  void receive(InstructionTransfer& note) override;
  void take_redirects();
  inline Cycle next_work() const;
  inline bool fetch(WarpId warp);
  bool passes_stages(WarpId id, Warp& warp);
  bool allowed(WarpId id, Warp& warp);
  void pass_over_held(WarpId id, Warp& warp);
  bool held(WarpId id, Warp& warp);
  void come_to_metadata(WarpId id, Warp& warp);
  inline void send(WarpId id, Warp& warp, std::uint32_t count);
  /// For each delivered instruction: calls the subscribers of the life event `fetched`, and the function
  /// decoded() of the front-end stages that need it.
  void follow(WarpId id, Warp& warp);
  void notify_decoded(WarpId id, Warp& warp);
  const Straight* straight_of(const isa::Program& program);

  FrontEndParameters parameters_;
  const LifeChannel* life_;
  bool reports_ = false;
  /// True: instructions are delivered one at a time, because a front-end stage, or a subscriber of the event
  /// `fetched`, must be called for each instruction.
  bool one_by_one_ = false;
  bool fetches_when_empty_;
  InstructionOutlet output_;
  InstructionTransfer decoded_;
  std::vector<Warp> warps_;
  std::vector<std::unique_ptr<FrontEndStage>> stages_;
  std::vector<std::string> names_;
  std::vector<FrontEndStage*> holding_;
  std::vector<FrontEndStage*> following_;
  bool follows_all_ = false;
  std::map<const isa::Program*, std::vector<Straight>> straight_;
  CycleInbox<Redirect> redirects_;
  /// Warps whose fetch does not wait for a redirect. Bit w stands for warp w.
  std::uint64_t fetching_ = 0;
  /// Warps whose instruction buffer may have free entries in this or the next cycle. Bit w stands for warp w.
  std::uint64_t space_ = 0;
  std::uint32_t turn_ = 0;
  Counter &fetches_, &decodes_, &metadata_decodes_, &metadata_passed_, &metadata_undecoded_;
};

}  // namespace heddle

#pragma once

// Fetch and decode of an SM: keeps the instruction buffers of its warps filled along the fall-through path.
// After an unconditional branch or exit a warp's fetch waits for a redirect from the issue stage.

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

class FrontEnd : public ClockedModule, private NoteListener {
 public:
  FrontEnd(const sc_core::sc_module_name& name, Clock& clock, const FrontEndParameters& parameters,
           int max_warps, const StatsScope& stats);

  /// Sends decoded instructions. Issue answers with redirects and with freed places of the instruction
  /// buffers.
  InstructionInitiatorSocket& output() { return output_.socket; }

  /// True if a stage attaches metadata to instructions.
  bool attaches() const { return !following_.empty(); }

  void on_kernel_begin();
  /// Names of the stages are formed from position and type: "<scope>.stage0_release_flag_cache".
  void probes(const ProbeScope& scope);

 protected:
  void tick() override;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  /// Number of consecutive instructions from here on, up to metadata or the end of straight-line code; 0 at
  /// metadata. Computed once per program.
  struct Straight {
    static constexpr std::uint8_t kMost = 64;  ///< more than one fetch delivers
    std::uint8_t count = 0;
    bool ends = false;  ///< code cannot continue after the last of these instructions
  };
  struct alignas(64) Warp {
    explicit Warp(int entries) : places(static_cast<std::size_t>(entries)) {}
    CycleRoom places;  ///< free places of the instruction buffer
    const isa::Program* program = nullptr;
    const Straight* straight = nullptr;  ///< by pc of the program
    std::uint32_t pc = 0;
    std::uint32_t epoch = 0;
    Cycle held_until = 0;          ///< cycle until which a stage delays the fetch
    std::uint32_t missed = kNone;  ///< pc of metadata at the start of a fetch that no stage holds
    std::uint64_t latch = 0;       ///< value attached to decoded instructions
  };
  struct Redirect {
    WarpId warp;
    const isa::Program* program;  ///< nullptr stops the fetch
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
  /// Passes the sent instruction to the stages that follow metadata.
  void follow(WarpId id, Warp& warp);
  void notify_decoded(WarpId id, Warp& warp);
  const Straight* straight_of(const isa::Program& program);

  FrontEndParameters parameters_;
  InstructionOutlet output_;
  InstructionTransfer decoded_;
  std::vector<Warp> warps_;
  std::vector<std::unique_ptr<FrontEndStage>> stages_;
  std::vector<std::string> names_;         ///< names of the stages, by index
  std::vector<FrontEndStage*> holding_;    ///< stages that may delay fetches
  std::vector<FrontEndStage*> following_;  ///< stages that follow metadata
  bool follows_all_ = false;               ///< true if a stage also follows instructions with an empty latch
  std::map<const isa::Program*, std::vector<Straight>> straight_;  ///< by program of the current kernel
  CycleInbox<Redirect> redirects_;
  std::uint64_t fetching_ = 0;  ///< warps that may fetch: running, and not after an unconditional branch
  std::uint64_t space_ = 0;     ///< warps whose buffer may have room now or in the next cycle
  std::uint32_t turn_ = 0;
  Counter &fetches_, &decodes_, &metadata_decodes_, &metadata_passed_, &metadata_undecoded_;
};

}  // namespace heddle

#pragma once

// The machine behind run_reference: resident CTAs, their warps, and the execution of one instruction.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "models/isa/texture.h"
#include "models/reference/barrier_set.h"
#include "models/reference/decoded_program.h"
#include "models/reference/lane_memory.h"
#include "models/reference/lane_work.h"
#include "models/reference/reference.h"
#include "models/reference/simt_stack.h"
#include "models/reference/special_registers.h"

namespace heddle::reference {

struct CtaState;

/// A call under way: what its function's registers held before, where it began in the stack.
struct CallRecord {
  int base = 0;
  const DecodedFunction* function = nullptr;
  std::uint32_t pointer = 0;
  std::vector<LaneVec> values;  ///< the frame's address, then the function's registers
  std::vector<LaneMask> predicates;
};

struct WarpState {
  CtaState* cta = nullptr;
  std::uint32_t index = 0;      ///< of the CTA
  std::vector<LaneVec> values;  ///< registers, then special registers
  std::vector<LaneMask> predicates;
  std::vector<std::uint8_t> local;
  SimtStack stack;
  std::vector<CallRecord> records;
  std::size_t calls = 0;                        ///< of `records`, those under way
  bool waiting = false;                         ///< at a barrier
  const DecodedInstruction* barrier = nullptr;  ///< the barrier instruction it waits at
  LaneMask barrier_lanes = 0;
  bool runs() const { return !waiting && !stack.empty(); }
};

/// Active lanes whose guard holds.
LaneMask executing_lanes(const WarpState& warp, const DecodedInstruction& d);
/// Lanes of `lanes` of a register take the value; `high` of a narrow one says nothing.
void write(WarpState& warp, const Destination& to, const LaneVec& low, const LaneVec* high, LaneMask lanes);
/// Lanes enter a function; the first lane for which its frame does not fit, or -1.
int enter_call(WarpState& warp, const DecodedCall& call, const Candidate& candidate, LaneMask lanes);
/// Lanes return from the call that was entered last.
void leave_call(WarpState& warp, LaneMask lanes);
/// Forgets calls all of whose lanes have returned or ended.
void end_calls(WarpState& warp);

struct CtaState {
  bool occupied = false;
  std::uint64_t linear = 0;
  isa::Dim3 position;
  std::uint32_t live_warps = 0;
  std::uint32_t waiting_warps = 0;
  std::uint64_t steps = 0;  ///< warp-instructions so far
  std::vector<WarpState> warps;
  std::vector<std::uint8_t> shared;
  BarrierSet barriers;
};

class Machine {
 public:
  Machine(const isa::KernelLaunch& launch, MemoryImage& memory, const ReferenceOptions& options);
  ReferenceResult run();

 private:
  // machine_places.cpp
  void place_cta(CtaState& cta, std::uint64_t linear);
  void start_warp(CtaState& cta, WarpState& warp);
  // machine.cpp
  void run_warp(WarpState& warp);
  void run_straight(WarpState& warp, std::int32_t pc, std::int32_t end);
  bool run_next(WarpState& warp, std::int32_t pc);
  bool step(WarpState& warp, const DecodedInstruction& d, LaneMask active, LaneMask executing);
  void access(WarpState& warp, const DecodedInstruction& d, LaneMask executing);
  void branch(WarpState& warp, const DecodedInstruction& d, LaneMask active, LaneMask executing,
              std::int32_t pc);
  void exit_lanes(WarpState& warp, LaneMask executing, std::int32_t pc);
  void arrive(WarpState& warp, const DecodedInstruction& d, LaneMask executing);
  void complete_barrier(CtaState& cta, const BarrierSet::Completion& done);
  void check_barriers(const CtaState& cta) const;
  void finish_counts();
  [[noreturn]] void fail(const WarpState& warp, const DecodedInstruction& d, FaultError::Kind kind, int lane,
                         const std::string& what, const std::string& allowed = {}) const;
  /// At a limit of steps: fails, or lets the next stretch begin.
  void look_for_progress();
  [[noreturn]] void fail_endless() const;
  ExecutedInstruction view(const WarpState& warp, const DecodedInstruction& d, LaneMask active,
                           LaneMask executing) const;

  // machine_calls.cpp
  void call(WarpState& warp, const DecodedInstruction& d, LaneMask executing, std::int32_t pc);
  // machine_memory.cpp
  void load(WarpState& warp, const DecodedInstruction& d, LaneMask executing);
  void store(WarpState& warp, const DecodedInstruction& d, LaneMask executing);
  void atomic(WarpState& warp, const DecodedInstruction& d, LaneMask executing);
  // machine_textures.cpp
  void look_up(WarpState& warp, const DecodedInstruction& d, LaneMask executing);
  /// What a lane reads: where, of which size.
  struct TexelReads {
    isa::Footprint footprint;
    std::uint32_t texel_bytes = 0;
  };
  /// The headers that lanes' handles mean.
  struct BoundTexture {
    bool any = false;
    std::array<std::uint64_t, 2> handles{};
    isa::TextureHeader texture, sampler;
  };
  void bind(const WarpState& warp, const DecodedInstruction& d, int lane,
            const std::array<std::uint64_t, isa::kMaxSources>& values, BoundTexture& bound) const;
  std::array<std::uint32_t, 4> look_up_lane(const WarpState& warp, const DecodedInstruction& d, int lane,
                                            const std::array<std::uint64_t, isa::kMaxSources>& values,
                                            const BoundTexture& bound, TexelReads& reads);
  void report_texels(LaneMask executing, const std::array<TexelReads, kLanes>& reads) const;

  const ResolvedAccess& resolve_access(WarpState& warp, const DecodedInstruction& d, AccessKind kind,
                                       LaneMask executing);
  [[noreturn]] void refuse(const WarpState& warp, const DecodedInstruction& d, AccessKind kind,
                           LaneMask executing, const AddressWords& words) const;

  /// Words of a register-like source; `high` of a narrow one is nullptr.
  struct Words {
    const LaneVec* low = nullptr;
    const LaneVec* high = nullptr;
  };
  Words words_of(const WarpState& warp, const Source& source, LaneVec (&counter)[2]) const {
    const LaneVec* low = nullptr;
    if (source.kind == Source::Kind::warp) {
      low = warp.values.data() + source.index;
    } else if (source.kind == Source::Kind::pool) {
      low = decoded_.pool.data() + source.index;
    } else if (source.kind == Source::Kind::counter) {
      fill_counter(static_cast<isa::SpecialRegister>(source.index), steps_, counter);
      low = counter;
    }
    return {low, low && source.wide ? low + 1 : nullptr};
  }

  const isa::KernelLaunch& launch_;
  const isa::Program& program_;
  MemoryImage& memory_;
  const ReferenceOptions& options_;
  DecodedProgram decoded_;
  LaneWork lanes_;
  std::vector<NearAddresses> near_;        ///< by DecodedInstruction::access
  ResolvedAccess access_;                  ///< of the instruction under way
  LaneVec counters_[isa::kMaxSources][2];  ///< what its sources that count hold
  MemoryView memory_of_turn_;              ///< of the warp whose turn it is
  std::vector<std::uint8_t> parameters_;
  std::vector<std::unique_ptr<CtaState>> ctas_;
  ReferenceResult result_;
  /// Of straight stretches: what begins at an instruction, less what has ended before it.
  std::vector<std::uint64_t> passes_, pass_threads_;
  std::uint64_t steps_ = 0;
  std::uint64_t limit_ = 0;
  std::uint64_t stretch_ = 0;      ///< steps between two looks at who has made progress
  std::uint64_t stretch_end_ = 0;  ///< steps_ at the next one
  std::uint64_t stalled_ = 0;      ///< steps of the stretches since the last one with progress
  bool waits_ = false;             ///< nobody has made any in the last stretch
  std::uint64_t next_look_ = 0;    ///< the nearer of both
  bool progress_ = false;          ///< in this stretch memory has changed or a thread has ended
  const ExecutedInstruction* current_view_ =
      nullptr;  ///< of the memory instruction under way, for the observer
};

}  // namespace heddle::reference

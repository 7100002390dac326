#pragma once

// The untimed reference: executes a program warp by warp in lockstep and leaves the result in memory. The
// compiler and the timed SM are checked against it. It shares only models/core and models/isa with them, and
// has its own SIMT stack, post-dominators, barriers and address resolution.
//
// docs/reference.md lists the conventions that all executors keep, so that results agree bit for bit.

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/core/error.h"
#include "models/core/lanes.h"
#include "models/core/memory_image.h"
#include "models/isa/launch.h"
#include "models/isa/opcode.h"
#include "models/isa/thread_progress.h"

namespace heddle::reference {

/// One warp-instruction as an observer receives it. References are valid only during the call.
struct ExecutedInstruction {
  const isa::KernelLaunch& launch;
  const isa::Instruction& instruction;
  std::uint32_t index = 0;               ///< index in the program
  std::uint64_t cta = 0;                 ///< linear index in the grid, x fastest
  std::uint32_t warp = 0;                ///< index in the CTA
  LaneMask active = 0;                   ///< lanes on the warp's current path
  LaneMask executing = 0;                ///< active lanes whose guard holds
  std::span<const LaneVec> registers;    ///< all 32-bit registers of the warp
  std::span<const LaneMask> predicates;  ///< all predicate registers of the warp
  std::uint32_t texel_bytes = 0;         ///< texture look-up: bytes that each lane reads at its address
};

/// Observer of all warp-instructions of a run, in the order of execution.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void before(const ExecutedInstruction&) {}  ///< registers hold the sources
  /// Registers hold the results, except the result of a bar.red, which is written when the barrier completes.
  virtual void after(const ExecutedInstruction&) {}
  /// Addresses of a memory instruction, one per lane; only those of lanes in `executing` are valid. For
  /// texture look-ups this is called once per texel of a lane and texel size, and `executing` contains the
  /// lanes with such a texel.
  virtual void accessed(const ExecutedInstruction&, std::span<const std::uint64_t, kLanes>) {}
  /// A warp arrives at a barrier of its CTA. Called before the barrier can complete.
  virtual void arrived(const ExecutedInstruction&, std::uint32_t /*barrier*/) {}
  /// A barrier completes. `released` has a bit for each warp that waited.
  virtual void synchronized(std::uint64_t /*cta*/, std::uint32_t /*barrier*/, std::uint32_t /*released*/) {}
};

/// Receives the lanes' addresses of every access to global memory. Cheaper than an observer.
class AccessSink {
 public:
  /// If consecutive lanes access the same piece of this size, one address may stand for all of them.
  static constexpr std::uint64_t kReadBytes = 128, kWriteBytes = 32;
  virtual ~AccessSink() = default;
  /// `addresses`: in lane order. Lanes that do not take part have the address of the first that does. A lane
  /// may be left out if the lane before it is in the same piece. `writes`: true for stores and atomics.
  virtual void accessed(std::span<const std::uint64_t> addresses, bool writes) = 0;
};

struct ReferenceOptions {
  std::uint64_t max_warp_instructions = 0;  ///< a launch with more is an Error (endless loop); 0 = no limit
  int resident_ctas = 16;                   ///< CTAs that run interleaved; others follow as these end
  int quantum = 64;                         ///< warp-instructions per turn of a warp
  std::uint64_t first_cta = 0;              ///< sample: runs CTAs first_cta to first_cta + cta_count - 1
  std::uint64_t cta_count = ~std::uint64_t{0};
  /// Limit of warp-instructions without a change of global or shared memory and without the end of a thread.
  /// The run is an Error (endless loop) between this number and twice this number. 0 = no limit.
  std::uint64_t endless_after = 0;
  isa::ThreadProgress thread_progress = isa::ThreadProgress::by_target;  ///< of divergent threads
  Observer* observer = nullptr;
  AccessSink* global_accesses = nullptr;
  /// Called when a CTA ends, with its linear index and its number of warp-instructions. May be empty.
  std::function<void(std::uint64_t cta, std::uint64_t warp_instructions)> cta_ended;
  /// Called once per round over all resident warps; true ends the run with StoppedError.
  std::function<bool()> stop;
};

/// A forbidden operation of a kernel, with its kind for callers that return error codes.
class FaultError : public Error {
 public:
  enum class Kind : std::uint8_t { address, misaligned, trap, assertion, barrier, other };
  FaultError(Kind fault, std::string where, std::string what, std::string allowed = {})
      : Error(std::move(where), std::move(what), std::move(allowed)), kind(fault) {}
  Kind kind;
};

/// The run reached the limit of warp-instructions.
class InstructionLimitError : public Error {
 public:
  using Error::Error;
};

/// The run reached ReferenceOptions::endless_after.
class EndlessError : public Error {
 public:
  using Error::Error;
};

/// ReferenceOptions::stop ended the run. Memory is as the kernel left it.
class StoppedError : public Error {
 public:
  using Error::Error;
};

struct ReferenceResult {
  std::uint64_t ctas = 0;
  std::uint64_t warps = 0;
  /// Issued, including those with all lanes guarded off, without metadata.
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;  ///< executing lanes, summed over all warp-instructions
  /// Warp-instructions that a compiler pass added (spills, fills, moves)
  std::uint64_t overhead_instructions = 0;
  /// Warp-instructions.
  std::array<std::uint64_t, static_cast<std::size_t>(isa::OpClass::count_)> by_class{};
  std::array<std::uint64_t, 5> by_unit{};  ///< warp-instructions, index isa::UnitClass
  std::vector<std::uint64_t> issues;       ///< warp-instructions by static instruction
  std::vector<std::uint64_t> threads;      ///< executing lanes by static instruction
  /// Part of `issues` in which the guard held in no lane, by static instruction; without branches.
  std::vector<std::uint64_t> guarded_off;
  std::uint64_t branches = 0;            ///< conditional branches executed
  std::uint64_t divergent_branches = 0;  ///< conditional branches that split the active lanes
  std::uint64_t barriers = 0;            ///< barrier instructions executed by warps
  /// Warp-level loads, stores and atomics with at least one lane in global memory.
  std::uint64_t global_accesses = 0;
  std::uint64_t global_segments = 0;  ///< aligned 128-byte segments touched by global_accesses
  std::uint64_t shared_accesses = 0;
  std::uint64_t local_accesses = 0;
  std::uint64_t atomics = 0;  ///< lane-level atomic operations

  /// Adds the counts of another launch. Counts by static instruction are dropped if their lengths differ.
  ReferenceResult& operator+=(const ReferenceResult& other);
};

/// Executes one launch on `memory`. Throws FaultError (PTX file, line, kernel, CTA, thread) for an access
/// that is out of bounds, misaligned or to read-only memory, for a barrier that can never complete, and for
/// `trap`. Throws Error for an operation without a lane function and for a launch that does not fit its
/// program. Throws InstructionLimitError after max_warp_instructions.
ReferenceResult run_reference(const isa::KernelLaunch& launch, MemoryImage& memory,
                              const ReferenceOptions& options = {});

}  // namespace heddle::reference

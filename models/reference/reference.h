#pragma once

// The reference: executes a program without timing, warp by warp in lockstep, and leaves the result in
// memory. The results of the compiler and of the timed SM are compared with this result. The reference has
// its own SIMT stack, post-dominators, barriers and address translation.
//
// docs/reference.md lists the conventions that all implementations follow, so that results agree bit for bit.

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
#include "models/core/unit_view.h"
#include "models/isa/launch.h"
#include "models/isa/matrix.h"
#include "models/isa/opcode.h"
#include "models/isa/thread_progress.h"

namespace heddle::reference {

struct NearAddresses;
class SimtStack;

/// One warp-instruction as an observer receives it. References are valid only during the call.
struct ExecutedInstruction {
  const isa::KernelLaunch& launch;
  const isa::Instruction& instruction;
  std::uint32_t index = 0;
  std::uint64_t cta = 0;  ///< linear index of the CTA in the grid, x fastest
  std::uint32_t warp = 0;
  LaneMask active = 0;     ///< lanes on the path that the warp executes at present
  LaneMask executing = 0;  ///< active lanes in which the guard predicate is true
  std::span<const LaneVec> registers;
  std::span<const LaneMask> predicates;
  /// for a texture look-up: number of bytes that each lane reads at the address of its texel
  std::uint32_t texel_bytes = 0;
  NearAddresses* near = nullptr;
  const SimtStack* paths = nullptr;
};

/// Observer of all warp-instructions of a reference run, in the order of execution.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void before(const ExecutedInstruction&) {}
  /// Called when registers contain the results of the instruction. Exception: the result of bar.red is
  /// written later, when the barrier completes.
  virtual void after(const ExecutedInstruction&) {}
  /// Called with the addresses of the lanes of a memory instruction. Only addresses of lanes in `executing`
  /// are valid. For a texture look-up, called once for each texel that a lane reads and for each texel size.
  virtual void accessed(const ExecutedInstruction&, std::span<const std::uint64_t, kLanes>) {}
  virtual void fenced(const ExecutedInstruction&) {}
  virtual void noted(const ExecutedInstruction&) {}
  virtual void arrived(const ExecutedInstruction&, std::uint32_t /*barrier*/) {}
  /// Called when a barrier has completed. `released`: bit mask of the warps that waited at this barrier.
  virtual void synchronized(std::uint64_t /*cta*/, std::uint32_t /*barrier*/, std::uint32_t /*released*/) {}
};

/// Receives the addresses of every access to global memory. Costs less host time than an observer.
class AccessSink {
 public:
  /// Sizes in bytes of the aligned blocks by which reads and writes are reported. If consecutive lanes access
  /// one block, the first lane's address may stand for the addresses of all these lanes.
  static constexpr std::uint64_t kReadBytes = 128, kWriteBytes = 32;
  virtual ~AccessSink() = default;
  /// Called with the addresses of an access in lane order. Inactive lanes have the address of the first
  /// active lane. A lane may be missing if the previous lane accesses the same block of memory (kReadBytes,
  /// kWriteBytes). `writes`: true for stores and atomic operations.
  virtual void accessed(std::span<const std::uint64_t> addresses, bool writes) = 0;
};

/// Work of one CTA. `global_segments`: number of 128-byte segments that the CTA's accesses to global memory
/// touch.
struct CtaWork {
  std::uint64_t warp_instructions = 0, global_segments = 0;
};

struct ReferenceOptions {
  /// Limit on warp-instructions of a launch, after which the run ends with an error; 0: no limit.
  std::uint64_t max_warp_instructions = 0;
  /// Number of CTAs that are resident at the same time; their warps run in turns. When a CTA ends, the next
  /// CTA of the grid becomes resident.
  int resident_ctas = 16;
  int quantum = 64;  ///< number of warp-instructions that a warp executes before the next warp runs
  std::uint64_t first_cta = 0;
  std::uint64_t cta_count = ~std::uint64_t{0};
  /// Number of warp-instructions without progress after which the run ends with an error (endless loop).
  /// Progress: global or shared memory changes, or a thread ends. The error comes after at least this number
  /// and at most twice this number. 0: no limit.
  std::uint64_t endless_after = 0;
  isa::ThreadProgress thread_progress = isa::ThreadProgress::by_target;
  isa::MatrixRules matrix;  ///< rules by which the modelled matrix units add and round
  Observer* observer = nullptr;
  /// False: before() and after() are called only for instructions that may change the warp's path. Such a run
  /// is faster.
  bool observes_steps = true;
  AccessSink* global_accesses = nullptr;
  /// Called when a CTA ends, with its linear index. May be empty.
  std::function<void(std::uint64_t cta, const CtaWork& work)> cta_ended;
  /// The run calls this function once in each round over all resident warps. If the function returns true,
  /// the run ends with StoppedError.
  std::function<bool()> stop;
};

/// Error for an operation that a kernel must not execute. Callers translate the kind of the error to error
/// codes of CUDA.
class FaultError : public Error {
 public:
  enum class Kind : std::uint8_t { address, misaligned, trap, assertion, barrier, other };
  FaultError(Kind fault, std::string where, std::string what, std::string allowed = {})
      : Error(std::move(where), std::move(what), std::move(allowed)), kind(fault) {}
  Kind kind;
};

class InstructionLimitError : public Error {
 public:
  using Error::Error;
};

/// Error: the run made no progress for ReferenceOptions::endless_after warp-instructions.
class EndlessError : public Error {
 public:
  using Error::Error;
};

/// Error: the run ended because ReferenceOptions::stop returned true. Memory keeps its present contents.
class StoppedError : public Error {
 public:
  using Error::Error;
};

struct ReferenceResult {
  std::uint64_t ctas = 0;
  std::uint64_t warps = 0;
  /// Number of issued warp-instructions, including those whose guard is false in all lanes, but without
  /// compiler metadata.
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  /// Number of warp-instructions that a compiler pass added (spills, fills, moves).
  std::uint64_t overhead_instructions = 0;
  std::array<std::uint64_t, static_cast<std::size_t>(isa::OpClass::count_)> by_class{};
  std::array<std::uint64_t, kUnitClasses> by_unit{};  ///< number of warp-instructions, by isa::UnitClass
  std::vector<std::uint64_t> issues;   ///< number of warp-instructions, by position in the program
  std::vector<std::uint64_t> threads;  ///< number of executing lanes, by position in the program
  /// Number of executed warp-instructions whose guard was false in all lanes, for each position in the
  /// program. Branches are not counted here. `issues` counts these instructions, too.
  std::vector<std::uint64_t> guarded_off;
  std::uint64_t branches = 0;
  /// Number of conditional branches that split the active lanes of a warp.
  std::uint64_t divergent_branches = 0;
  std::uint64_t barriers = 0;
  /// Number of warp-level loads, stores and atomic operations in which a lane accessed global memory.
  std::uint64_t global_accesses = 0;
  std::uint64_t global_segments = 0;
  std::uint64_t shared_accesses = 0;
  std::uint64_t local_accesses = 0;
  std::uint64_t atomics = 0;

  /// Adds the counts of another launch. If the two programs have different lengths, drops the counts by
  /// position.
  ReferenceResult& operator+=(const ReferenceResult& other);
};

/// Executes one launch on `memory`. Throws:
/// - FaultError (with PTX file, line, kernel, CTA, thread) for `trap`, for a barrier that can never complete,
///   and for an access that is out of bounds, misaligned, or a write to read-only memory.
/// - Error for an operation that the reference cannot execute, and for a launch that does not fit its
///   program.
/// - InstructionLimitError, EndlessError or StoppedError at a limit of `options`.
ReferenceResult run_reference(const isa::KernelLaunch& launch, MemoryImage& memory,
                              const ReferenceOptions& options = {});

}  // namespace heddle::reference

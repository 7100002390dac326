#pragma once

// The untimed reference: executes a program warp by warp in lockstep, without any notion of time, and leaves
// the result in memory. It judges the compiler and the timed SM, so it shares nothing with them but
// models/core and models/isa: it has a SIMT stack, post-dominators, barriers and address resolution of its
// own.
//
// Conventions that every executor of Heddle keeps, so that results agree bit for bit, stand in README.md.

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

namespace heddle::reference {

/// One warp-instruction as an observer sees it. References are valid during the call alone.
struct ExecutedInstruction {
  const isa::KernelLaunch& launch;
  const isa::Instruction& instruction;
  std::uint32_t index = 0;               ///< of the instruction in the program
  std::uint64_t cta = 0;                 ///< linear index in the grid, x fastest
  std::uint32_t warp = 0;                ///< of the CTA
  LaneMask active = 0;                   ///< lanes of this path of the warp
  LaneMask executing = 0;                ///< of these, the lanes whose guard holds
  std::span<const LaneVec> registers;    ///< all 32-bit registers of the warp
  std::span<const LaneMask> predicates;  ///< all predicate registers of the warp
  std::uint32_t texel_bytes = 0;         ///< of a look-up in a texture: what each lane reads at its address
};

/// Observer of every warp-instruction of a run, in the order of execution. Costs nothing if it is absent.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void before(const ExecutedInstruction&) {}  ///< registers hold the sources
  /// Registers hold the results; the result of a bar.red is not there before the barrier completes.
  virtual void after(const ExecutedInstruction&) {}
  /// Addresses of a memory instruction, one a lane; lanes outside `executing` hold no meaning. A look-up in a texture
  /// calls it for every texel that a lane reads, `executing` then being the lanes that read so many of such a size.
  virtual void accessed(const ExecutedInstruction&, std::span<const std::uint64_t, kLanes>) {}
  /// A warp arrives at a barrier of its CTA, before that may complete.
  virtual void arrived(const ExecutedInstruction&, std::uint32_t /*barrier*/) {}
  /// A barrier is complete; `released` has a bit for each warp that waited.
  virtual void synchronized(std::uint64_t /*cta*/, std::uint32_t /*barrier*/, std::uint32_t /*released*/) {}
};

/// Receives the lanes' addresses of every access to global memory; cheaper than an observer.
class AccessSink {
 public:
  /// Pieces of memory in which one address of several lanes that follow each other is enough.
  static constexpr std::uint64_t kReadBytes = 128, kWriteBytes = 32;
  virtual ~AccessSink() = default;
  /// In the order of lanes; those that do not take part have the address of the first that does. A lane may be left out if the one
  /// before it is in the same piece. `writes`: a store or an atomic.
  virtual void accessed(std::span<const std::uint64_t> addresses, bool writes) = 0;
};

struct ReferenceOptions {
  std::uint64_t max_warp_instructions = 0;  ///< more in one launch is an Error (endless loop?); 0 = no limit
  int resident_ctas = 16;                   ///< CTAs that run interleaved; more follow as these end
  int quantum = 64;                         ///< warp-instructions a warp runs before the next one's turn
  std::uint64_t first_cta = 0;              ///< a sample: CTAs first_cta .. first_cta + cta_count - 1
  std::uint64_t cta_count = ~std::uint64_t{0};
  /// Warp-instructions without a change of global or shared memory and without a thread's end, after which
  /// (and before twice as many) the run is an Error: an endless loop. 0 = no limit.
  std::uint64_t endless_after = 0;
  Observer* observer = nullptr;
  AccessSink* global_accesses = nullptr;
  /// Called for every CTA that has ended, with its linear index and its warp-instructions. May be empty.
  std::function<void(std::uint64_t cta, std::uint64_t warp_instructions)> cta_ended;
  std::function<bool()>
      stop;  ///< called once a round over all resident warps; true ends the run: StoppedError
};

/// Kind of a kernel's forbidden operation, for callers that return error codes.
class FaultError : public Error {
 public:
  enum class Kind : std::uint8_t { address, misaligned, trap, assertion, barrier, other };
  FaultError(Kind fault, std::string where, std::string what, std::string allowed = {})
      : Error(std::move(where), std::move(what), std::move(allowed)), kind(fault) {}
  Kind kind;
};

/// The limit of warp-instructions was reached.
class InstructionLimitError : public Error {
 public:
  using Error::Error;
};

/// ReferenceOptions::endless_after was reached.
class EndlessError : public Error {
 public:
  using Error::Error;
};

/// ReferenceOptions::stop ended the run; memory is as the kernel left it then.
class StoppedError : public Error {
 public:
  using Error::Error;
};

struct ReferenceResult {
  std::uint64_t ctas = 0;
  std::uint64_t warps = 0;
  std::uint64_t warp_instructions = 0;    ///< issued, those with all lanes guarded off included, metadata not
  std::uint64_t thread_instructions = 0;  ///< lanes whose guard held, summed over all warp-instructions
  std::uint64_t overhead_instructions = 0;  ///< warp-instructions that a pass added (spills, fills, moves)
  std::array<std::uint64_t, static_cast<std::size_t>(isa::OpClass::count_)>
      by_class{};                          ///< warp-instructions
  std::array<std::uint64_t, 5> by_unit{};  ///< warp-instructions, index isa::UnitClass
  std::vector<std::uint64_t> issues;       ///< warp-instructions by static instruction
  std::vector<std::uint64_t> threads;      ///< executing lanes by static instruction
  /// Part of `issues` without branches whose guard held in no lane, by static instruction.
  std::vector<std::uint64_t> guarded_off;
  std::uint64_t branches = 0;            ///< conditional branches executed
  std::uint64_t divergent_branches = 0;  ///< of these, the ones that split the active lanes
  std::uint64_t barriers = 0;            ///< barrier instructions executed by warps
  std::uint64_t global_accesses = 0;  ///< warp-level loads, stores and atomics with a lane in global memory
  std::uint64_t global_segments = 0;  ///< aligned 128-byte segments that these touch
  std::uint64_t shared_accesses = 0;
  std::uint64_t local_accesses = 0;
  std::uint64_t atomics = 0;  ///< lane-level atomic operations

  /// Sums counts of another launch; those by static instruction are summed where both have the same length, else
  /// dropped.
  ReferenceResult& operator+=(const ReferenceResult& other);
};

/// Executes one launch on `memory`. Throws Error (PTX file, line, kernel, CTA, thread) for an access out of
/// bounds, misaligned or to read-only memory, a barrier that can never be met, `trap` (these as FaultError), an
/// operation without arithmetic, a launch that does not fit its program; InstructionLimitError for more than
/// max_warp_instructions.
ReferenceResult run_reference(const isa::KernelLaunch& launch, MemoryImage& memory,
                              const ReferenceOptions& options = {});

}  // namespace heddle::reference

#pragma once

// A program in which all operands are resolved to indices. It is built once per launch, so that execution
// needs no look-ups. The values of a warp are stored in one array: its registers, followed by the special
// registers that the program reads. Values that are equal in all warps (immediates and kernel parameters) are
// in a pool of constants.

#include <array>
#include <cstdint>
#include <vector>

#include "models/core/lanes.h"
#include "models/isa/launch.h"
#include "models/isa/thread_progress.h"

namespace heddle::reference {

struct Source {
  enum class Kind : std::uint8_t {
    none,
    warp,  ///< register or special register in the warp's array of values
    pool,  ///< constant in the pool of the program
    /// Special register whose value changes with every instruction (a clock); it is computed at each use.
    counter,
    predicate,
    predicate_pool  ///< constant predicate; `index` is its value (0 or 1)
  };
  Kind kind = Kind::none;
  bool wide = false;  ///< true if the operand has 64 bits
  bool negated = false;
  std::uint32_t index = 0;
};

struct Destination {
  enum class Kind : std::uint8_t { none, reg, predicate };
  Kind kind = Kind::none;
  bool wide = false;
  std::uint8_t bits = 32;
  std::uint32_t index = 0;
};

enum class Action : std::uint8_t {
  lanes,
  load,
  store,
  atomic,
  texture,
  branch,
  exit,
  barrier,
  nothing,
  yield,
  trap,
  /// Call of a function that is not lowered to branches; `target` is an index into DecodedProgram::calls.
  call,
  leave,  ///< return from a function that is not lowered
  metadata
};

struct DecodedInstruction {
  Action action = Action::nothing;
  bool guarded = false;
  bool guard_negated = false;
  /// True if results may be written directly to the destination registers when all lanes execute.
  bool in_place = false;
  bool word = false;   ///< true for a load of 32 bits into one register
  bool plain = false;  ///< true if the instruction uses no predicate except its guard, and no clock register
  std::uint8_t num_src = 0;
  std::uint8_t num_dst = 0;
  std::uint32_t guard = 0;
  /// Number of the load, store or atomic operation, by which its address pattern is stored.
  std::uint32_t access = 0;
  /// Index of the first instruction at or after this one that may change the warp's path or end its turn.
  std::int32_t straight_end = 0;
  std::int32_t target = isa::kNoTarget;
  std::int32_t reconvergence = isa::kNoTarget;
  isa::LaneFunction function = nullptr;
  const isa::Instruction* instruction = nullptr;
  std::array<Source, isa::kMaxSources> src;
  std::array<Destination, isa::kMaxDestinations> dst;
};

/// A function that the reference calls directly instead of executing its lowered call
/// (models/isa/kept_calls.h).
struct DecodedFunction {
  std::int32_t entry = 0;
  std::uint32_t first_register = 0, end_register = 0, first_predicate = 0, end_predicate = 0;
  std::uint32_t frame_bytes = 0;
};

/// A function that a call may call, with the address that selects it.
struct Candidate {
  std::uint64_t address = 0;
  DecodedFunction function;
  std::uint32_t stack_end = 0;
  /// Error text for a stack overflow, as 1 + its index in Program::runtime_calls.
  std::uint64_t full_stack = 0;
};

struct DecodedCall {
  std::uint32_t pointer = 0;  ///< register that holds the address of the caller's stack frame
  std::uint32_t frame_bytes = 0;
  std::vector<Candidate> candidates;
};

/// A special register that the program reads, and the position of its words in a warp's array of values.
struct SpecialSlot {
  isa::SpecialRegister special{};
  std::uint8_t number = 0;  ///< for %envreg<n>: the number n
  std::uint8_t bits = 32;
  std::uint32_t index = 0;
};

struct DecodedProgram {
  /// Throws Error for an operation that the reference cannot execute, and for invalid control flow.
  DecodedProgram(const isa::KernelLaunch& launch, isa::ThreadProgress progress);

  std::vector<DecodedInstruction> code;
  /// Used if divergent threads must make progress (docs/reference.md), otherwise empty. waits: for each
  /// instruction, true if it is the branch of a waiting loop. meets: for each instruction, true if divergent
  /// paths of a warp may join there.
  std::vector<bool> waits, meets;
  std::vector<SpecialSlot> specials;
  std::vector<LaneVec> pool;
  std::vector<DecodedCall> calls;
  /// Number of LaneVecs (32 lanes of 32 bits) for each warp: registers, special registers, and space for
  /// results.
  std::uint32_t values = 0;
  /// Start of the space that holds the results of one instruction before they are copied to their registers.
  std::uint32_t apart = 0;
  std::uint32_t accesses = 0;
};

/// Returns the location of the instruction in the PTX, as "file:line:column".
std::string place_of(const isa::Program& program, const isa::Instruction& instruction);

}  // namespace heddle::reference

#pragma once

// A program with all operands resolved to indices. It is built once per launch, so that execution needs no
// look-ups. The values of a warp are one array: its registers, then the special registers that the program
// reads. Values that are equal in all warps (immediates and parameters) are in a pool of the program.

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
    warp,     ///< register or special register of the warp
    pool,     ///< constant in the pool
    counter,  ///< special register that counts; read again at each use
    predicate,
    predicate_pool  ///< constant predicate; `index` is its value
  };
  Kind kind = Kind::none;
  bool wide = false;  ///< true for 64-bit operands
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
  call,   ///< `target` is the index in DecodedProgram::calls
  leave,  ///< return from a kept call
  metadata
};

struct DecodedInstruction {
  Action action = Action::nothing;
  bool guarded = false;
  bool guard_negated = false;
  bool in_place = false;  ///< if all lanes execute, results may be written directly to their registers
  bool word = false;      ///< load of 32 bits into one register
  bool plain = false;     ///< uses no predicate except the guard, and no counter
  std::uint8_t num_src = 0;
  std::uint8_t num_dst = 0;
  std::uint32_t guard = 0;
  std::uint32_t access = 0;       ///< of loads, stores and atomics: unique number
  std::int32_t straight_end = 0;  ///< next instruction from here on that may change the path or end the turn
  std::int32_t target = isa::kNoTarget;
  std::int32_t reconvergence = isa::kNoTarget;
  isa::LaneFunction function = nullptr;
  const isa::Instruction* instruction = nullptr;
  std::array<Source, isa::kMaxSources> src;
  std::array<Destination, isa::kMaxDestinations> dst;
};

/// A function of kept calls (models/isa/kept_calls.h).
struct DecodedFunction {
  std::int32_t entry = 0;
  std::uint32_t first_register = 0, end_register = 0, first_predicate = 0, end_predicate = 0;
  std::uint32_t frame_bytes = 0;
};

/// A possible callee of a call.
struct Candidate {
  std::uint64_t address = 0;
  DecodedFunction function;
  std::uint32_t stack_end = 0;
  std::uint64_t full_stack = 0;  ///< 1 + index in Program::runtime_calls of the text for a stack overflow
};

struct DecodedCall {
  std::uint32_t pointer = 0;  ///< register with the address of the caller's frame
  std::uint32_t frame_bytes = 0;
  std::vector<Candidate> candidates;
};

/// A special register that the program reads, and the position of its words among a warp's values.
struct SpecialSlot {
  isa::SpecialRegister special{};
  std::uint8_t number = 0;  ///< n of %envreg<n>
  std::uint8_t bits = 32;
  std::uint32_t index = 0;
};

struct DecodedProgram {
  /// Throws Error for an operation without a lane function and for invalid control flow.
  DecodedProgram(const isa::KernelLaunch& launch, isa::ThreadProgress progress);

  std::vector<DecodedInstruction> code;
  /// Divergent threads make progress: branches of waiting loops, and instructions at which paths that are apart meet; both empty
  /// otherwise.
  std::vector<bool> waits, meets;
  std::vector<SpecialSlot> specials;
  std::vector<LaneVec> pool;
  std::vector<DecodedCall> calls;
  std::uint32_t values = 0;  ///< LaneVecs per warp: registers, special registers, and result space
  std::uint32_t apart = 0;   ///< start of the result space, which holds the results of one instruction
  std::uint32_t accesses = 0;
};

/// Returns the location "file:line:column" in the PTX.
std::string place_of(const isa::Program& program, const isa::Instruction& instruction);

}  // namespace heddle::reference

#pragma once

// A program in which all operands are resolved to indices, built once per launch. The values of a warp are
// stored in one array: its registers, followed by the special registers that the program reads. Values that
// are equal in all warps (immediates and kernel parameters) are in one array `pool`.

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "models/core/lanes.h"
#include "models/isa/launch.h"
#include "models/isa/thread_progress.h"

namespace heddle::reference {

struct Source {
  enum class Kind : std::uint8_t {
    none,
    warp,
    pool,
    /// Clock register, whose value changes with every instruction and is therefore computed at each use.
    counter,
    predicate,
    predicate_pool
  };
  Kind kind = Kind::none;
  bool wide = false;  ///< true if the operand has 64 bits
  std::uint8_t words = 1;
  bool negated = false;
  std::uint32_t index = 0;
};

struct Destination {
  enum class Kind : std::uint8_t { none, reg, predicate };
  Kind kind = Kind::none;
  bool wide = false;
  std::uint8_t words = 1;
  std::uint16_t bits = 32;
  std::uint32_t index = 0;
};

enum class Action : std::uint8_t {
  lanes,
  load,
  store,
  atomic,
  matrix_rows,  ///< ldmatrix or stmatrix: each lane has the address of a row, and all 32 lanes must execute it
  copy,         ///< asynchronous copy, which the reference performs at once; `target` is an index into copies
  texture,
  matrix,
  branch,
  exit,
  barrier,
  nothing,
  yield,
  trap,
  /// Call of a function that is not inlined; `target` is an index into DecodedProgram::calls.
  call,
  leave,
  metadata
};

/// Returns true if each executing lane loads or stores at an address of its own.
constexpr bool accesses_by_lane(Action action) {
  return action == Action::load || action == Action::store || action == Action::atomic;
}

constexpr bool is_access(Action action) { return accesses_by_lane(action) || action == Action::matrix_rows; }

struct DecodedInstruction {
  Action action = Action::nothing;
  bool guarded = false;
  bool guard_negated = false;
  /// True: results may be written directly to the destination registers if all lanes execute the instruction.
  bool in_place = false;
  bool word = false;
  bool plain = false;  ///< true if the instruction uses no predicate except its guard, and no clock register
  std::uint8_t num_src = 0;
  std::uint8_t num_dst = 0;
  std::uint32_t guard = 0;
  std::uint32_t access = 0;
  /// Number of instructions up to the next instruction that may change the warp's path, or that ends the
  /// warp's turn (the instructions that a warp executes before another warp runs).
  std::int32_t straight_end = 0;
  std::int32_t target = isa::kNoTarget;
  std::int32_t reconvergence = isa::kNoTarget;
  isa::LaneFunction function = nullptr;
  const isa::Instruction* instruction = nullptr;
  std::array<Source, isa::kMaxSources> src;
  std::array<Destination, isa::kMaxDestinations> dst;
};

/// Returns true for instructions whose results depend on memory, except look-ups in textures.
inline bool reads_memory(const DecodedInstruction& d) {
  return d.action == Action::atomic || (is_access(d.action) && d.instruction->op == isa::Opcode::ld);
}

/// A function of the program that the reference executes by a call, because it is not inlined
/// (models/isa/kept_calls.h).
struct DecodedFunction {
  std::int32_t entry = 0;
  std::uint32_t first_register = 0, end_register = 0, first_predicate = 0, end_predicate = 0;
  std::uint32_t frame_bytes = 0;
};

struct Candidate {
  std::uint64_t address = 0;
  DecodedFunction function;
  std::uint32_t stack_end = 0;
  std::uint64_t full_stack = 0;
};

struct DecodedCall {
  std::uint32_t pointer = 0;
  std::uint32_t frame_bytes = 0;
  std::vector<Candidate> candidates;
};

/// The load and the store that make up an asynchronous copy. Observers receive these two instructions instead
/// of the copy.
struct DecodedCopy {
  isa::Instruction load, store;
};

struct SpecialSlot {
  isa::SpecialRegister special{};
  std::uint8_t number = 0;
  std::uint8_t bits = 32;
  std::uint32_t index = 0;
};

struct DecodedProgram {
  /// Decodes the program of the launch. Throws Error for invalid control flow and for an operation that the
  /// reference cannot execute.
  DecodedProgram(const isa::KernelLaunch& launch, isa::ThreadProgress progress,
                 isa::MatrixGeneration matrix = isa::MatrixRules{}.generation);

  std::vector<DecodedInstruction> code;
  /// One flag per instruction. `waits`: the instruction is a branch of a loop that waits for other threads.
  /// `meets`: divergent paths of a warp may join at the instruction. Both vectors are empty if the GPU does not
  /// guarantee progress of divergent threads (docs/reference.md).
  std::vector<bool> waits, meets;
  std::vector<SpecialSlot> specials;
  std::vector<LaneVec> pool;
  std::vector<DecodedCall> calls;
  std::deque<DecodedCopy> copies;
  std::uint32_t values = 0;
  std::uint32_t apart = 0;
  std::uint32_t accesses = 0;
};

std::string place_of(const isa::Program& program, const isa::Instruction& instruction);

}  // namespace heddle::reference

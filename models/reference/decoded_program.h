#pragma once

// A program with every operand resolved to an index, once a launch, so that executing an instruction looks
// nothing up. A warp's values lie in one array: registers, then the special registers that the program reads.
// Values that are equal in all warps (immediates, parameters as operands) lie in a pool of the program.

#include <array>
#include <cstdint>
#include <vector>

#include "models/core/lanes.h"
#include "models/isa/launch.h"

namespace heddle::reference {

struct Source {
  enum class Kind : std::uint8_t {
    none,
    warp,     ///< values of the warp: register or special register
    pool,     ///< values of the program
    counter,  ///< special register that counts: read again at each use
    predicate,
    predicate_pool  ///< constant predicate, in `index`
  };
  Kind kind = Kind::none;
  bool wide = false;  ///< two words
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
  call,   ///< `target` is its place in DecodedProgram::calls
  leave,  ///< the end of a function that was called
  metadata
};

struct DecodedInstruction {
  Action action = Action::nothing;
  bool guarded = false;
  bool guard_negated = false;
  bool in_place = false;  ///< with all lanes executing, results may be written straight to their registers
  bool word = false;      ///< loads 32 bits into one register
  bool plain = false;     ///< names no predicate but its guard, and no counter
  std::uint8_t num_src = 0;
  std::uint8_t num_dst = 0;
  std::uint32_t guard = 0;
  std::uint32_t access = 0;  ///< of loads, stores and atomics: a number of its own
  std::int32_t straight_end =
      0;  ///< the first instruction from here on after which a warp may go on elsewhere, or stop
  std::int32_t target = isa::kNoTarget;
  std::int32_t reconvergence = isa::kNoTarget;
  isa::LaneFunction function = nullptr;
  const isa::Instruction* instruction = nullptr;
  std::array<Source, isa::kMaxSources> src;
  std::array<Destination, isa::kMaxDestinations> dst;
};

/// A function of calls that are kept (models/isa/kept_calls.h).
struct DecodedFunction {
  std::int32_t entry = 0;
  std::uint32_t first_register = 0, end_register = 0, first_predicate = 0, end_predicate = 0;
  std::uint32_t frame_bytes = 0;
};

/// A function that a call may mean.
struct Candidate {
  std::uint64_t address = 0;
  DecodedFunction function;
  std::uint32_t stack_end = 0;
  std::uint64_t full_stack = 0;  ///< what to say: Program::runtime_calls + 1
};

struct DecodedCall {
  std::uint32_t pointer = 0;  ///< register with the address of the caller's frame
  std::uint32_t frame_bytes = 0;
  std::vector<Candidate> candidates;
};

/// A special register that the program reads, and where its words lie in a warp's values.
struct SpecialSlot {
  isa::SpecialRegister special{};
  std::uint8_t number = 0;  ///< of %envreg
  std::uint8_t bits = 32;
  std::uint32_t index = 0;
};

struct DecodedProgram {
  /// Throws Error for an operation without arithmetic and for broken control flow.
  explicit DecodedProgram(const isa::KernelLaunch& launch);

  std::vector<DecodedInstruction> code;
  std::vector<SpecialSlot> specials;
  std::vector<LaneVec> pool;
  std::vector<DecodedCall> calls;
  std::uint32_t values = 0;  ///< LaneVecs a warp needs: registers, special registers, and
  std::uint32_t apart = 0;   ///< from here on, room for the results of one instruction
  std::uint32_t accesses = 0;
};

/// "file:line:column" of the PTX.
std::string place_of(const isa::Program& program, const isa::Instruction& instruction);

}  // namespace heddle::reference

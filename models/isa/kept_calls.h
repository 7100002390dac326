#pragma once

// Encodes function calls for the untimed reference. In programs for the timed machine, the PTX front end
// instead turns a call into compares, branches, loads and stores.
//
// A call is a `bra` without a target. The sources of this `bra` are the address of the callee (a register or
// a constant), the register with the address of the caller's frame, and the size of this frame in bytes. Its
// payload is 1 + the index of a record in Program::runtime_calls, which holds the error text for an invalid
// callee. After the `bra`, one metadata instruction follows for each possible callee. Diverged lanes execute
// the callees in this order. The sources of each metadata instruction are the address of the callee and the
// first address after the call stack. Its payload selects the error text for a stack overflow.
//
// A function begins with a metadata instruction. Its sources are the function's address, the range of its
// registers, the range of its predicates, and the frame size in bytes. A return is a `bra` with a payload but
// without target and sources. Arguments and results are in the callee's frame, which follows the caller's
// frame.

#include "models/isa/instruction.h"

namespace heddle::isa {

enum CallSource : int { kCallee, kFramePointer, kCallerFrame };
enum CandidateSource : int { kCandidate, kStackEnd, kCandidateSources };
enum FunctionSource : int {
  kFunction,
  kFirstRegister,
  kEndRegister,
  kFirstPredicate,
  kEndPredicate,
  kFrameBytes,
  kFunctionSources
};

inline constexpr std::uint64_t kReturnPayload = 1;
/// Name of the register that holds the address of the current function's frame. No PTX register can have this
/// name.
inline constexpr const char* kFrameName = "(frame)";

inline bool is_kept_call(const Instruction& i) {
  return i.op == Opcode::bra && i.payload != 0 && i.num_src != 0;
}
inline bool is_return(const Instruction& i) {
  return i.op == Opcode::bra && i.payload != 0 && i.num_src == 0;
}
inline bool is_candidate(const Instruction& i) { return i.metadata && i.num_src == kCandidateSources; }
inline bool begins_function(const Instruction& i) { return i.metadata && i.num_src == kFunctionSources; }

}  // namespace heddle::isa

#pragma once

// Calls that a program keeps, for the untimed reference alone (ptx::Calls::kept). A machine never sees them: there, a call is
// compares, branches, loads and stores.
//
// A call is a `bra` without a target: its sources are the address of the function that it means (a register or a constant), the
// register with the address of the caller's frame, and the bytes of that frame; its payload is the place in
// Program::runtime_calls + 1 of what to say where the address is none that it may mean. Metadata instructions follow, one a function
// that it may mean, in the order in which lanes take their turns: the function's address, and the first byte after
// the stack; the payload tells what to say where the function's frame does not fit.
//
// A function begins with a metadata instruction: its address, its first register and the one after its last, the same of
// predicates, the bytes of its frame. It ends with a `bra` that has a payload and neither target nor sources. Arguments and results lie in the
// callee's frame, which follows the caller's.

#include "models/isa/instruction.h"

namespace heddle::isa {

enum CallSource : int { kCallee, kFramePointer, kCallerFrame };
enum CandidateSource : int { kCandidate, kStackEnd };
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
/// Name of the register with the address of the frame, which no register of PTX can have.
inline constexpr const char* kFrameName = "(frame)";

inline bool is_kept_call(const Instruction& i) {
  return i.op == Opcode::bra && i.payload != 0 && i.num_src != 0;
}
inline bool is_return(const Instruction& i) {
  return i.op == Opcode::bra && i.payload != 0 && i.num_src == 0;
}
inline bool begins_function(const Instruction& i) { return i.metadata && i.num_src == kFunctionSources; }

}  // namespace heddle::isa

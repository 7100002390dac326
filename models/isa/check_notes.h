#pragma once

// Notes in programs for the untimed reference (ptx::Calls::kept), which its checks read. They change no value and
// no count. Programs for the timed machine contain none.
//
// Loads, stores, atomics and additions of malloc and free (models/ptx/heap_library.h) carry kHeapCode as payload.
// Before the last branch of a lowered brx.idx, a metadata instruction has the index and the number of targets
// as sources.

#include "models/isa/instruction.h"

namespace heddle::isa {

inline constexpr std::uint64_t kHeapCode = 1;
inline bool may_be_heap_code(const Instruction& i) {
  return i.op == Opcode::ld || i.op == Opcode::st || i.op == Opcode::atom || i.op == Opcode::add;
}
inline bool is_heap_code(const Instruction& i) { return i.payload == kHeapCode && may_be_heap_code(i); }

enum JumpNoteSource : int { kJumpIndex, kJumpTargets, kJumpZero, kJumpNoteSources };
inline bool is_jump_note(const Instruction& i) { return i.metadata && i.num_src == kJumpNoteSources; }

}  // namespace heddle::isa

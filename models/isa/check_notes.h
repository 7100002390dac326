#pragma once

// Notes (payloads and metadata instructions) that the PTX front end adds to programs for the untimed reference.
// The reference uses these notes to find memory errors and jumps outside a table. Notes change no value and no
// counter. Programs for the timed machine have no such notes.
//
// There are two notes. The payload kHeapCode marks the instructions of malloc and free. A metadata instruction
// before the branch of a translated brx.idx has these sources: the index, the number of targets, and zero.

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

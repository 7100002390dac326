#pragma once

// Reads, for the stage "operand-window", the notes of the compiler pass window-hints
// (models/compiler/window_hints.h). The notes mark the instructions that the window counts, and the results
// that are read only within the window.
//
// Limits: holds the notes of one kernel at a time. Without hints, the window counts all instructions, and no
// result is marked.

#include "models/isa/notes.h"
#include "models/isa/program.h"
#include "models/ports/register_access.h"

namespace heddle {

class WindowNotes {
 public:
  /// `used`: true if the stage uses the notes. `instructions`: length of the operand window. `extends`: true
  /// if reads also keep a register in the window.
  WindowNotes(bool used, int instructions, bool extends)
      : used_(used), instructions_(instructions), extends_(extends) {}

  /// Reads the notes of a kernel. If hints are used, throws Error for a kernel without notes, and for notes
  /// that were made for other values of `instructions` or `extends`.
  void begin(const isa::Program& program);
  bool counts(const isa::Instruction& instruction) const {
    return !used_ || !window_.in(instruction.notes).empty();
  }
  bool is_hinted(const RegisterAccess& access) const {
    return used_ && access.instruction && access.operand != &kNoOperand &&
           !hints_.in(access.instruction->dst[access.operand->slot].notes).empty();
  }

 private:
  void check(const isa::Program& program) const;

  bool used_;
  int instructions_;
  bool extends_;
  isa::NotedWords hints_, window_;
};

}  // namespace heddle

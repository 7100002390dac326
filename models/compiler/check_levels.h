#pragma once

// Checks a program whose operands are annotated with levels of the register hierarchy (main register file,
// operand level, last-result level). Each operand must be read from a level that holds the register's current
// value. The check does not depend on how the levels were chosen.

#include <optional>
#include <string>

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/divergence.h"
#include "models/isa/program.h"

namespace heddle::compiler {

struct LevelFault {
  std::size_t instruction = 0;
  std::string what;
};

/// Returns the first fault in program order, or nothing. The search follows the contents of each entry and of
/// the main level along all paths of a lane. These rules must hold:
/// - A read from an entry of an upper level (above main) finds the current value of its register there, and
///   this lane wrote the entry in the same strand. A read from main finds the current value in main.
/// - Entries of upper levels are empty after an instruction with `ends_strand` and before an instruction with
///   `begins_strand`. The entries are also empty for lanes that waited at a divergent branch while other
///   lanes passed the end of a strand.
/// - An instruction does not both read and fill the same entry, or both fill and write the same entry. An
///   instruction that fills an entry has no guard. A result goes to at most one upper level.
/// - Results of long-latency instructions and operands of control instructions stay in main. The last-result
///   level holds no 64-bit pairs. The last-result level holds no operands of SFU and memory instructions,
///   unless `last_result_shared` is set.
std::optional<LevelFault> find_level_fault(const isa::Program& program, const ControlFlow& flow,
                                           const Divergence& divergence, bool last_result_shared = true);

/// Returns true if an operand of the program is in a level above the main register file.
bool uses_levels(const isa::Program& program);

/// Checks the levels as find_level_fault() does. Throws Error with file:line, kernel and instruction of the
/// first fault.
void check_levels(const isa::Program& program, bool last_result_shared = true);

}  // namespace heddle::compiler

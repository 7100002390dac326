#pragma once

// Checks that an annotated program reads each operand from a level of the register hierarchy that holds the
// register's current value. The check does not depend on how the levels were chosen.

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

/// Returns the first fault in program order, or nothing. Follows the contents of each entry and of the main
/// level along all paths of a lane. The rules:
///  - A read above main finds the current value of its register, which this lane wrote in the same strand. A
///    read of main finds the current value there.
///  - Entries are empty after `ends_strand` and at `begins_strand`. They are also empty for lanes that waited
///    at a divergent branch while other lanes passed the end of a strand.
///  - An instruction does not read and fill, or fill and write, the same entry. Fills are not guarded. A
///    result goes to at most one upper level.
///  - Long-latency results and operands of control instructions stay in main. Pairs are not in the
///    last-result level. Operands of SFU and memory instructions are not in it either, unless
///    `last_result_shared`.
std::optional<LevelFault> find_level_fault(const isa::Program& program, const ControlFlow& flow,
                                           const Divergence& divergence, bool last_result_shared = true);

/// True if an operand uses a level above main.
bool uses_levels(const isa::Program& program);

/// Throws Error (file:line, kernel, instruction) for a fault.
void check_levels(const isa::Program& program, bool last_result_shared = true);

}  // namespace heddle::compiler

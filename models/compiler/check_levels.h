#pragma once

// Proves that an annotated program never reads a level of the register hierarchy that does not hold the
// register's current value. Knows nothing of how levels were chosen.

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

/// The first fault, by instruction, or nothing. Follows, along every path of a lane, what each entry holds
/// and whether main is up to date:
///  - a read above main finds the current value of that register, written by this lane in the same strand; a
///    read of main finds the current value there;
///  - entries are empty after `ends_strand`, at `begins_strand`, and for lanes that waited at a divergent
///    branch while others met a strand end;
///  - no entry is read and filled, or filled and written, by one instruction; fills are not guarded; a result
///    goes to one upper level at most;
///  - long-latency results and operands of control instructions stay in main; pairs stay out of the
///    last-result level, and so do SFU and memory operands unless `last_result_shared`.
std::optional<LevelFault> find_level_fault(const isa::Program& program, const ControlFlow& flow,
                                           const Divergence& divergence, bool last_result_shared = true);

/// Some operand names a level above main.
bool uses_levels(const isa::Program& program);

/// Throws Error (file:line, kernel, instruction) for a fault.
void check_levels(const isa::Program& program, bool last_result_shared = true);

}  // namespace heddle::compiler

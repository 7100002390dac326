#pragma once

// Checks a program whose operands name levels of the register hierarchy (main register file, operand level,
// last-result level). Each operand must be read from a level that holds the register's current value.

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

/// Returns the first fault in program order, or nothing. "Main" is the main register file; the upper levels
/// are above main. These rules hold on all paths of a lane:
/// - A read from an upper level gets the register's current value. This lane has written the value to the
///   level in the same strand. A read from main gets the current value in main.
/// - At the beginning and the end of a strand, the upper levels are empty. The upper levels are also empty for
///   lanes that waited at a divergent branch while other lanes passed the end of a strand.
/// - An instruction fills an entry if it copies a value that it reads from main into the entry. Such an
///   instruction neither reads nor writes the same entry, and has no guard. A result goes to at most one
///   upper level.
/// - Results of long-latency instructions and operands of control instructions stay in main. The last-result
///   level holds no 64-bit pairs. This level holds operands of SFU and memory instructions only if
///   `last_result_shared` is true.
std::optional<LevelFault> find_level_fault(const isa::Program& program, const ControlFlow& flow,
                                           const Divergence& divergence, bool last_result_shared = true);

bool uses_levels(const isa::Program& program);

/// Throws Error with file:line, kernel and instruction if find_level_fault() finds a fault.
void check_levels(const isa::Program& program, bool last_result_shared = true);

}  // namespace heddle::compiler

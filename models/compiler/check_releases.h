#pragma once

// Checks that no register is released while a lane of the warp may still read it. Decodes the release flags
// as hardware does (models/isa/release_flags.h).

#include <optional>
#include <string>

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/liveness.h"
#include "models/isa/program.h"

namespace heddle::compiler {

struct ReleaseFault {
  std::size_t instruction = 0;
  std::string what;
};

bool uses_releases(const isa::Program& program);

/// Returns the first fault in the program's register releases, or nothing. Faults are:
/// - A flag or list releases a register, although a lane of the warp may still read the register on some path,
///   or although the same instruction writes the register.
/// - A flag or list releases an exempt register, which the renaming hardware does not rename.
/// - A flag refers to no source operand, or to an instruction after the end of its basic block.
/// - A list names a register that the program does not have, or no issued instruction follows the list.
std::optional<ReleaseFault> find_release_fault(const isa::Program& program, const ControlFlow& flow,
                                               const WarpLiveSets& live);

}  // namespace heddle::compiler

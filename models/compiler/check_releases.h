#pragma once

// Proves that no register is released (models/isa/release_flags.h) while a lane of the warp may still read
// it. Follows the flags as a decoder does; knows nothing of how they were chosen.

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

/// Some metadata of the program releases registers.
bool uses_releases(const isa::Program& program);

/// The first fault, by instruction, or nothing:
///  - a flag or a list names a register that a lane of the warp, on whatever path, may still read, or one
///    that the same instruction writes;
///  - one of the program's exempt registers is released;
///  - a flag speaks of no source, or of an instruction after the end of its basic block;
///  - a list names a register that the program has not, or stands in front of nothing that is issued.
std::optional<ReleaseFault> find_release_fault(const isa::Program& program, const ControlFlow& flow,
                                               const WarpLiveSets& live);

}  // namespace heddle::compiler

#pragma once

// Executes entries of the semantics tables on the timed GPU.

#include "tests/semantics/form_run.h"

namespace heddle::semantics {

/// Compiles the program and runs it on a new GPU with default parameters. Each launch has its own SystemC
/// simulation.
void execute_timed(const isa::KernelLaunch& launch, MemoryImage& memory);

}  // namespace heddle::semantics

#pragma once

// Executes table entries on the timed GPU.

#include "tests/semantics/form_run.h"

namespace heddle::semantics {

/// Compiles the program and runs it on a new GPU of default parameters, in a SystemC simulation of its own.
/// So a launch that ends in an error does not affect the next one.
void execute_timed(const isa::KernelLaunch& launch, MemoryImage& memory);

}  // namespace heddle::semantics

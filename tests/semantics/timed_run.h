#pragma once

// The timed GPU as an executor of the tables.

#include "tests/semantics/form_run.h"

namespace heddle::semantics {

/// Compiles the program and runs it on a GPU of default parameters. Every launch has a new GPU in a SystemC
/// simulation of its own, so a launch that ends in an error leaves nothing behind.
void execute_timed(const isa::KernelLaunch& launch, MemoryImage& memory);

}  // namespace heddle::semantics

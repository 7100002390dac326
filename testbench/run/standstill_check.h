#pragma once

// Detects kernels that wait forever, before a timed run whose outputs are not compared with the reference.
// For this, the untimed reference executes the kernel first.

#include "models/core/memory_image.h"
#include "models/isa/launch.h"
#include "models/reference/reference.h"

namespace heddle::run {

/// Detects waits that can never end: executes `launch` on the reference and throws reference::EndlessError if
/// it cannot end. `launch` has the program as parsed, before any compiler pass. Examines only programs that
/// do not read clocks, and that have loops which test words that other threads write. Executes at most 20
/// million warp-instructions, on a copy of `memory`.
void refuse_standstill(const isa::KernelLaunch& launch, const MemoryImage& memory,
                       reference::ReferenceOptions options);

}  // namespace heddle::run

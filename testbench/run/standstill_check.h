#pragma once

// Detects kernels that wait forever, before a timed run whose outputs are not compared with the reference.
// For this, the untimed reference executes the kernel first.

#include "models/core/memory_image.h"
#include "models/isa/launch.h"
#include "models/reference/reference.h"

namespace heddle::run {

/// Detects waits that can never end: executes `launch` (of a program as parsed) on the reference and throws
/// reference::EndlessError if it cannot end. Examines only programs with loops that test words which other
/// threads write. Executes at most 20 million warp-instructions, on a copy of `memory`.
void refuse_standstill(const isa::KernelLaunch& launch, const MemoryImage& memory,
                       reference::ReferenceOptions options);

}  // namespace heddle::run

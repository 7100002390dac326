#pragma once

// Detects kernels that wait forever, for timed runs without a check: the untimed reference executes the
// kernel first.

#include "models/core/memory_image.h"
#include "models/isa/launch.h"
#include "models/reference/reference.h"

namespace heddle::run {

/// Throws reference::EndlessError if the reference proves that `launch` (of a program as parsed) cannot end.
/// Examines only programs with loops that test words of other threads, for at most 20 million
/// warp-instructions, on a copy of `memory`.
void refuse_standstill(const isa::KernelLaunch& launch, const MemoryImage& memory,
                       reference::ReferenceOptions options);

}  // namespace heddle::run

#pragma once

// Timed runs without a check find waiting that cannot end, too: the reference looks first.

#include "models/core/memory_image.h"
#include "models/isa/launch.h"
#include "models/reference/reference.h"

namespace heddle::run {

/// Throws reference::EndlessError if the reference proves that `launch`, of a program as parsed, cannot end. Examines
/// programs with loops that test words of other threads, for at most 20 million warp-instructions on a copy of `memory`.
void refuse_standstill(const isa::KernelLaunch& launch, const MemoryImage& memory,
                       reference::ReferenceOptions options);

}  // namespace heddle::run

#pragma once

// How the untimed reference executes what a GPU of these parameters runs.

#include "models/reference/reference.h"
#include "testbench/run/run_parameters.h"

namespace heddle::run {

/// As many CTAs resident as the GPU holds, limits as `watch` says.
reference::ReferenceOptions reference_options(const RunParameters& parameters);

}  // namespace heddle::run

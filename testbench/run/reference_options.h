#pragma once

// Options of the untimed reference for a GPU with these parameters.

#include "models/reference/reference.h"
#include "testbench/run/run_parameters.h"

namespace heddle::run {

/// As many resident CTAs as the GPU holds, and the limits of `watch`.
reference::ReferenceOptions reference_options(const RunParameters& parameters);

}  // namespace heddle::run

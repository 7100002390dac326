#pragma once

// Options of the untimed reference for a GPU with these parameters.

#include "models/reference/reference.h"
#include "testbench/run/run_parameters.h"

namespace heddle::run {

/// Returns options with as many resident CTAs as the GPU holds, and with the limits of `watch`.
reference::ReferenceOptions reference_options(const RunParameters& parameters);

}  // namespace heddle::run

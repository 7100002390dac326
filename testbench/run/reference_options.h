#pragma once

// Options of the untimed reference for a GPU with these parameters.

#include "models/reference/check_kinds.h"
#include "models/reference/reference.h"
#include "testbench/run/run_parameters.h"

namespace heddle::run {

/// Returns options in which as many CTAs are resident as the GPU holds, with the limits of the parameters
/// under `watch`.
reference::ReferenceOptions reference_options(const RunParameters& parameters);

/// Kinds of checks that find the usual reasons why outputs differ from the reference.
inline constexpr const char* kExplainingChecks = "memory,init,races,sync,atomics";
/// Returns the kinds of checks that `watch.checks` names. Throws Error for an unknown kind.
reference::CheckKinds check_kinds(const WatchParameters& watch);

}  // namespace heddle::run

#pragma once

#include "models/reference/check_kinds.h"
#include "models/reference/reference.h"
#include "testbench/run/run_parameters.h"

namespace heddle::run {

/// Returns options for the reference: as many resident CTAs as the GPU holds, and the limits under `watch`.
reference::ReferenceOptions reference_options(const RunParameters& parameters);

/// checks that find the usual reasons why outputs differ from the reference
inline constexpr const char* kExplainingChecks = "memory,init,races,sync,atomics";
/// Returns the checks in watch.checks. Throws Error for an unknown check.
reference::CheckKinds check_kinds(const WatchParameters& watch);

}  // namespace heddle::run

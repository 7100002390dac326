#pragma once

#include "models/reference/check_kinds.h"
#include "models/reference/reference.h"
#include "testbench/run/run_parameters.h"

namespace heddle::run {

/// Returns options with as many resident CTAs as the GPU holds, and with the limits under `watch`.
reference::ReferenceOptions reference_options(const RunParameters& parameters);

/// checks that find the usual reasons for differences from the reference
inline constexpr const char* kExplainingChecks = "memory,init,races,sync,atomics";
/// Throws Error for an unknown kind.
reference::CheckKinds check_kinds(const WatchParameters& watch);

}  // namespace heddle::run

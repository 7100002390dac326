#pragma once

// Latency table of an SM. The compiler uses this table to set control bits and to schedule instructions.

#include <string>

#include "models/isa/latency_table.h"
#include "models/isa/program.h"
#include "models/sm/sm_parameters.h"

namespace heddle {

/// Returns the latency table of an SM. `machine`: name of the GPU preset, for error messages. Throws Error
/// for an unknown class in `dependences.variable`.
isa::LatencyTable latencies_of(const SmParameters& sm, std::string machine);

/// Throws Error with the first difference if `program` was compiled for other latencies than the SM has.
void check_latencies(const isa::Program& program, const SmParameters& sm);

}  // namespace heddle

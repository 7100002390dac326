#pragma once

// Makes programs with control bits for the compiler's tests.

#include <string>
#include <vector>

#include "models/compiler/pipeline.h"
#include "models/isa/latency_table.h"
#include "models/isa/program.h"

namespace heddle::compiler::test {

/// Latencies of Ampere (Mesa NAK, sm80_instr_latencies.rs).
isa::LatencyTable ampere_latencies();

/// Returns parameters with the passes swap-operands and control-bits. `force`: control bits that the pass
/// must set, as INSTRUCTION.FIELD=VALUE.
CompilerParameters with_control_bits(const isa::LatencyTable& table,
                                     const std::vector<std::string>& force = {});

/// Returns the program as text. Each line has one instruction and its control bits.
std::string text_with_bits(const isa::Program& program);

}  // namespace heddle::compiler::test

#pragma once

// Assigns the six dependence counters of a warp to instructions of variable latency (Huerta 2025, section 4).
//
// Each such instruction with a result gets a write counter. An instruction that reads a register also gets a
// read counter if a later instruction may write the register before the warp has waited for the results of the
// reading instruction. Counters are assigned in the order in which the warp executes blocks.
//
// An instruction gets a free counter. If no counter is free, the instruction shares a counter with other
// instructions. It prefers a counter with the same first waiter, otherwise the counter with the nearest first
// waiter. The first waiter of an instruction is the first instruction that must wait for it. Writes and reads
// share a counter only if there are too few counters.

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/warp_flow.h"
#include "models/isa/latency_table.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// Sets write_counter and read_counter of all instructions.
void assign_counters(isa::Program& program, const ControlFlow& flow, const WarpFlow& warp,
                     const isa::LatencyTable& table);

}  // namespace heddle::compiler

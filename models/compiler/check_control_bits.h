#pragma once

// Checks control bits (Huerta 2025, section 4) from the program alone, over all paths of the warp: with them,
// each instruction reads its operands after they are written, and results replace registers in program order.

#include <optional>
#include <string>

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/divergence.h"
#include "models/isa/program.h"

namespace heddle::compiler {

struct ControlFault {
  std::size_t instruction = 0;
  std::string what;
};

/// Returns true if a pass has set the control bits of an instruction.
bool has_control_bits(const isa::Program& program);

/// Notes that a bit was set by hand: no proof stands for the bits.
void mark_unproven(isa::Program& program);
bool is_unproven(const isa::Program& program);

/// Returns the first issued instruction that has no control bits, or whose bits name a stall, a counter or a reuse bit that does not exist.
std::optional<ControlFault> find_malformed_bits(const isa::Program& program);

/// Returns the first fault in program order, or nothing. Requires Program::latencies. Faults are:
/// - An instruction reads a register or predicate before the result of fixed latency is ready.
/// - An instruction reads or writes a member whose result of variable latency is outstanding, or writes one
///   that an earlier instruction of variable latency may still read, without waiting for the counter.
/// - An instruction waits for a counter before its raise shows, and needs the wait.
/// - A result of fixed latency would be written before an earlier one of the same register.
/// - A reuse bit makes an instruction read a value that has been overwritten.
/// Where threads of a warp make progress on their own (.target sm_70 and above), the warp changes paths with no
/// result outstanding, so that the paths of WarpFlow are all that matter.
std::optional<ControlFault> find_control_fault(const isa::Program& program, const ControlFlow& flow,
                                               const Divergence& divergence);

/// Throws Error with file:line, kernel and instruction if find_malformed_bits() or, unless the program is
/// unproven or has no latencies, find_control_fault() finds a fault.
void check_control_bits(const isa::Program& program);

}  // namespace heddle::compiler

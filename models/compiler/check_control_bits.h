#pragma once

// Checks control bits (Huerta 2025, section 4) from the program alone, over all paths of the warp. With
// correct bits, each instruction reads its operands after they have been written, and results replace older
// values in program order.

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

/// Marks a program whose control bits the user has set by hand. check_control_bits() then also accepts bits
/// that break dependences.
void mark_unproven(isa::Program& program);
bool is_unproven(const isa::Program& program);

/// Returns the first instruction with malformed control bits: it issues but has no control bits, or has an
/// invalid stall, counter or reuse bit. Returns nothing if there is none.
std::optional<ControlFault> find_malformed_bits(const isa::Program& program);

/// Returns the first fault of the control bits in program order, or nothing. Requires Program::latencies. A
/// member is a register word or a predicate. Each of these is a fault:
/// - An instruction reads a member, although a result of fixed latency for this member is not ready yet.
/// - An instruction does not wait for the dependence counter of a result of variable latency, although it
///   reads or writes this result's member.
/// - An earlier instruction of variable latency may still read a member. An instruction writes this member,
///   but does not wait for the earlier instruction's counter.
/// - An instruction needs a wait for a counter, but issues before the counter's increment is visible.
/// - A result of fixed latency would be written before an earlier result of the same member.
/// - A reuse bit makes an instruction read a value that has been overwritten.
///
/// With independent thread progress (.target sm_70 and above), a warp changes to another path only when no
/// result is outstanding. Therefore a check of the paths of WarpFlow suffices.
std::optional<ControlFault> find_control_fault(const isa::Program& program, const ControlFlow& flow,
                                               const Divergence& divergence);

/// Throws Error with file:line, kernel and instruction if find_malformed_bits() finds a fault, or if
/// find_control_fault() finds one. Does not call find_control_fault() if the user has set control bits by
/// hand (mark_unproven()) or if the program has no latencies.
void check_control_bits(const isa::Program& program);

}  // namespace heddle::compiler

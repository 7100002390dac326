#pragma once

// Writes a pipeline log in the Kanata format, version 4, which the viewer Konata reads.
//
// The thread of an instruction is its SM. Stages in lane 0: F (fetch and decode), Ib (instruction buffer), Is
// (issue), Co (operand collection), Op (waits for its unit with all operands), X (unit) or Xm (memory), Wb
// (result bus). Lane 1 has the waits of the warp since its previous issue; they may begin before the
// instruction's fetch. The text on hover lists the operands, with values and the register-file stage that
// supplied each. Arrows lead from the instructions that wrote the operands.

#include <functional>
#include <string_view>

#include "testbench/output/pipeline_record.h"

namespace heddle::output {

void write_kanata(const PipelineLog& log, const std::function<void(std::string_view)>& write);

}  // namespace heddle::output

#pragma once

// Writes a pipeline log in the Kanata format, version 4, which the viewer Konata reads.
//
// The log stores the number of an instruction's SM as Kanata's thread number. Stages in lane 0: F (fetch and
// decode), Ib (instruction buffer), Is (issue), Co (operand collection), Op (all operands read, waits for its
// unit), X (unit) or Xm (memory), Wb (result bus). Lane 1 shows what the warp waited for since its previous
// issue. These waits may begin before the instruction's fetch. The hover text lists the operands, with values
// and with the register-file stage that supplied each operand. Arrows lead to an instruction from the
// instructions that wrote its operands.

#include <functional>
#include <string_view>

#include "testbench/output/pipeline_record.h"

namespace heddle::output {

void write_kanata(const PipelineLog& log, const std::function<void(std::string_view)>& write);

}  // namespace heddle::output

#pragma once

// The instructions that cause the events of a counter. A priced counter, such as the reads of the register
// banks, counts events of all instructions together. The counter's energy is divided among the instructions
// in proportion to a count of each instruction, such as its source words.

#include <functional>
#include <string>
#include <vector>

#include "models/isa/instruction_footprint.h"
#include "testbench/output/profile_counts.h"

namespace heddle::output {

struct ProfiledInstruction {
  const InstructionCounts& counts;
  const InstructionFootprint& words;
  const isa::Instruction& instruction;
};

/// Returns the number of a counter's events that an instruction caused. Only the ratio between instructions
/// has a meaning.
using EventCount = std::function<double(const ProfiledInstruction&)>;

/// Returns the counts that may divide the energy of a counter, such as "sm3.partition0.banks.reads". The
/// first count that is not 0 for all instructions divides it. Empty: no instruction causes the events.
std::vector<const EventCount*> find_causes(const std::string& counter);

/// True if the counter counts cycles, which no instruction causes. The counter's energy is then divided by
/// issue slots.
bool counts_cycles(const std::string& counter);

}  // namespace heddle::output

#pragma once

// Finds the instructions that cause the events of a counter. A counter with an energy price, such as the
// reads of the register banks, counts events of all instructions together. Its energy is divided among the
// instructions in proportion to a count that is known for each instruction, such as its number of source
// words.

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

/// Function that returns how many of a counter's events an instruction caused. Only ratios between
/// instructions are used, so the unit does not matter.
using EventCount = std::function<double(const ProfiledInstruction&)>;

/// Returns event counts for a counter such as "sm3.partition0.banks.reads". The counter's energy is divided
/// among instructions in proportion to the first returned count that is above 0 for at least one
/// instruction. An empty list means that no instruction causes the counter's events.
std::vector<const EventCount*> find_causes(const std::string& counter);

/// Returns true if the counter counts cycles. No instruction causes cycles, so the counter's energy is distributed over
/// the issue slots.
bool counts_cycles(const std::string& counter);

}  // namespace heddle::output

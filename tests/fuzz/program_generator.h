#pragma once

// Generates random PTX programs that end, contain no races, and store every value that they compute.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::fuzz {

/// Features of a line of the PTX text, which the coverage report counts.
struct LineNote {
  std::uint8_t nesting = 0;  ///< number of enclosing branches and loops in which lanes may diverge
  bool in_loop = false;
  bool back_edge = false;  ///< true: the line is the branch that closes a loop
  bool exchange = false;   ///< true: the line loads a value that another thread stored before a barrier
  bool indirect = false;   ///< true: the line is a call through a register
  bool recursion = false;  ///< true: the line is a recursive call
};

struct RandomProgram {
  std::string ptx;
  std::string launch_json;  ///< text of the launch file, which names the PTX file "program.ptx"
  /// features of each line of `ptx`, indexed by line number counted from 1; element 0 is not used
  std::vector<LineNote> lines;
};

RandomProgram random_program(std::uint64_t seed);

}  // namespace heddle::fuzz

#pragma once

// Random PTX programs that end, do not depend on races, and store every value that they compute.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::fuzz {

/// Features of a line of the PTX text, for the coverage report.
struct LineNote {
  std::uint8_t nesting = 0;  ///< enclosing branches and loops that lanes may take differently
  bool in_loop = false;
  bool back_edge = false;  ///< the branch that closes a loop
  bool exchange = false;   ///< a load of a value that another thread stored before a barrier
  bool indirect = false;   ///< a call through a register
  bool recursion = false;  ///< a recursive call
};

struct RandomProgram {
  std::string ptx;
  std::string launch_json;      ///< launch file; names the PTX file "program.ptx"
  std::vector<LineNote> lines;  ///< by line of `ptx`, counted from 1 (index 0 unused)
};

RandomProgram random_program(std::uint64_t seed);

}  // namespace heddle::fuzz

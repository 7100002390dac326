#pragma once

// Makes random PTX programs. Each program ends, has no races, and stores every value that it computes.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::fuzz {

/// Features of a line of the PTX text, which the coverage report counts.
struct LineNote {
  std::uint8_t nesting = 0;
  bool in_loop = false;
  bool back_edge = false;
  bool exchange = false;
  bool indirect = false;
  bool recursion = false;
};

struct RandomProgram {
  std::string ptx;
  std::string launch_json;
  /// features of each line of `ptx`; the index is the line number, from 1
  std::vector<LineNote> lines;
};

RandomProgram random_program(std::uint64_t seed);

}  // namespace heddle::fuzz

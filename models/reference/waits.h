#pragma once

// Makes the error texts for warps that wait forever. A text names the loop that each warp executes, and the
// memory word that the loop reads.

#include <string>

#include "models/reference/warp_state.h"

namespace heddle::reference {

struct WarpLoop {
  LaneMask lanes = 0;
  std::uint32_t first_line = 0, last_line = 0;
  /// last instruction in the loop that reads memory which other warps can change; nullptr: there is none
  const DecodedInstruction* read = nullptr;
  std::uint64_t address = 0;  ///< address that the first executing lane of this instruction reads

  void add(const DecodedInstruction& d, LaneMask active);
};

std::string lanes_text(LaneMask lanes);

/// Returns a text about a warp that waits, such as "lanes 1-31 repeat lines 20 to 24, which read 0x100 (line
/// 20); lane 0 waits for them at line 26". Sets `waiting` to true if other lanes of the warp wait.
std::string describe(const DecodedProgram& program, const WarpState& warp, const WarpLoop& loop,
                     bool& waiting);

}  // namespace heddle::reference

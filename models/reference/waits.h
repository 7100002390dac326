#pragma once

// Texts for warps that wait for ever: what each does, and what it waits for.

#include <string>

#include "models/reference/warp_state.h"

namespace heddle::reference {

/// One round of a warp that repeats itself.
struct WarpLoop {
  LaneMask lanes = 0;
  std::uint32_t first_line = 0, last_line = 0;
  const DecodedInstruction* read =
      nullptr;                ///< the last access to memory that others can change; nullptr: none
  std::uint64_t address = 0;  ///< of its first lane

  void add(const DecodedInstruction& d, LaneMask active);
};

/// "lane 3", "lanes 0-7, 9".
std::string lanes_text(LaneMask lanes);

/// "lanes 1-31 repeat lines 20 to 24, which read 0x100 (line 20); lane 0 waits for them at line 26". `waiting` becomes true if
/// other lanes of the warp wait.
std::string describe(const DecodedProgram& program, const WarpState& warp, const WarpLoop& loop,
                     bool& waiting);

}  // namespace heddle::reference

#pragma once

// Tests the times of look-ups in a table that maps registers to entries (models/stages/table_look_ups.h). Tests of
// stages with such a table call these functions.

#include <gtest/gtest.h>

#include <string>

#include "tests/regfile/stage_driver.h"

namespace heddle {

/// Sends a read in cycle 10 to a register path that consists of the banks only. Returns the cycle in which
/// the data arrive.
inline Cycle read_without_stages_at(const std::string& banks) {
  StageRig rig({}, banks);
  rig.write(5, 0, 0, 1);
  StageDriver::Line& read = rig.read(10, 0, 0);
  rig.run();
  return read.data_at();
}

/// Expects that a look-up in a table of two banks takes one cycle, and that each bank serves one look-up per
/// cycle. `plain`: cycle in which a read gets its data if there is no table. Adds three writes and three
/// reads to `rig`, and runs `rig`.
inline void expect_a_look_up_a_cycle_and_bank(StageRig& rig, Cycle plain) {
  for (int r = 0; r < 3; ++r) rig.write(5, 0, r, 1);
  StageDriver::Line &first = rig.read(10, 0, 0), &other = rig.read(10, 0, 1), &same = rig.read(10, 0, 2);
  rig.run();
  EXPECT_EQ(first.data_at(), plain + 1);
  EXPECT_EQ(other.data_at(), plain + 1);
  EXPECT_EQ(same.data_at(), plain + 2);
}

}  // namespace heddle

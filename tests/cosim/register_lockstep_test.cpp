// Tests the RTL of register-file techniques, in lockstep with the model and in place of the model: power
// states of rows, lane masks, tables of swapped registers, access counters of pilot warps (whose accesses
// decide which registers get fast rows), and high or low mode of fast rows.

#include <gtest/gtest.h>

#include "tests/cosim/register_parts.h"

namespace heddle::cosim {
namespace {

void expect_clean(const std::string& kernel, const std::string& gpu, std::vector<std::string> sets) {
  SCOPED_TRACE(kernel + " on " + gpu);
  RunOutcome lockstep;
  ASSERT_NO_THROW(lockstep = run_beside(kernel, gpu, R"("none")", "lockstep", sets));
  for (const char* blocks : {"rows of tri-modal banks", "control of tri-modal rows", "mask tables of banks",
                             "swapping tables", "pilot warps' counters", "modes of fast rows"})
    EXPECT_NE(lockstep.notes[0].find(blocks), std::string::npos) << blocks << " in " << lockstep.notes[0];
  const RunOutcome driven = run_beside(kernel, gpu, R"("none")", "drive", sets);
  const RunOutcome model = run_beside(kernel, gpu, R"("none")", "off", sets);
  EXPECT_EQ(driven.counters, model.counters);
  EXPECT_EQ(lockstep.counters, model.counters);
}

TEST(RegisterBlocks, CamOnFermi) { expect_clean("bfs", "fermi-gtx480", register_parts("cam")); }
TEST(RegisterBlocks, IndexedTableOnKepler) {
  std::vector<std::string> sets = register_parts("indexed");
  sets.push_back("gpu.sm.register_file.banks.segment_lanes=8");
  sets.push_back("gpu.sm.register_file.banks.partition.fast_registers=8");
  sets.push_back("gpu.sm.register_file.banks.power.wake_up_cycles=1");
  expect_clean("nw", "kepler-gtx780", sets);
}

}  // namespace
}  // namespace heddle::cosim

// Tests the stage rename-table, in which CORF stores each register's bank and entry (Radaideh 2021, Table II): time
// and ports of look-ups and updates, and the check of the ports in runs with `--check on`.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "models/ports/register_stage.h"
#include "tests/regfile/look_up_times.h"
#include "tests/regfile/stage_driver.h"
#include "tests/timing/timed_kernel.h"

namespace heddle {
namespace {

const std::string kRenameBanks = R"({"count":4,"layout":"wshift","ports":"1r1w"})";

TEST(RenameTable, ALookUpTakesACycleAndABankOfTheTableServesOneACycle) {
  StageRig rig({R"({"type":"rename-table","table_banks":2})"}, kRenameBanks);
  expect_a_look_up_a_cycle_and_bank(rig, read_without_stages_at(kRenameBanks));
  EXPECT_EQ(rig.count("rename_table.look_ups"), 6u);
  EXPECT_EQ(rig.count("rename_table.conflict_cycles"), 1u) << "writes of instructions take no port";
}

TEST(RenameTable, IsWrittenAtFirstWritesAndWhenRegistersAreFreed) {
  StageRig rig({"\"rename-table\""}, kRenameBanks);
  for (int r = 0; r < 3; ++r) rig.write(5, 0, r, 1);
  rig.write(10, 0, 0, 2);
  rig.script().at(15, RegisterCommand::release, 0, 0);
  rig.write(20, 0, 0, 3);
  rig.run();
  EXPECT_EQ(rig.count("rename_table.maps"), 4u);
  EXPECT_EQ(rig.count("rename_table.unmaps"), 1u);
  rig.end_warp(0);
  const std::vector<StageBalance::Rule> rules = rig.stage(0).balance({0, 5})->rules;
  ASSERT_GE(rules.size(), 2u);
  EXPECT_EQ(rules[0].left, rules[0].right) << rules[0].what;
  EXPECT_EQ(rules[1].left, rules[1].right) << rules[1].what;
}

// The stages renaming and rename-table look up a register at the same time, so the second stage must add no
// latency.
TEST(RenameTable, AddsNoTimeBelowRenaming) {
  const auto read_at = [](const std::vector<std::string>& stages) {
    StageRig rig(stages, kRenameBanks);
    rig.write(5, 0, 0, 1);
    StageDriver::Line& read = rig.read(10, 0, 0);
    rig.run();
    if (stages.size() == 2) EXPECT_EQ(rig.count("rename_table.look_ups"), 2u);
    return read.data_at();
  };
  EXPECT_EQ(read_at({"\"renaming\""}), read_at({"\"renaming\"", "\"rename-table\""}));
}

// The look-ups of three sources and a result use one bank of the table, one after the other. They wait 0 + 1 + 2
// + 3 cycles for each of the run's ten dependent instructions.
TEST(RenameTable, AResultTakesAPortOfTheTable) {
  const timing::Machine machine =
      timing::on("fermi-cmrc")
          .with(R"(sm.register_file.stages=[{"type":"rename-table","table_banks":1},"banks"])");
  EXPECT_GE(timing::measure(machine, timing::repeated(10, "mad.lo.u32 %r0, %r0, %r1, %r2;"))
                .count("sm0.partition0.rename_table.conflict_cycles"),
            60u);
}

}  // namespace
}  // namespace heddle

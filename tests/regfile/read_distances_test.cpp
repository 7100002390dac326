// The measuring stage read-distances must count every read once, by the cycles since the register's last
// access and by the stage that supplies the value. The stage must change no other result.

#include <gtest/gtest.h>

#include "tests/regfile/stage_driver.h"

namespace heddle {
namespace {

const std::string kProbe = R"({"type": "read-distances"})";
const std::string kCache = R"({"type": "register-cache", "entries": 1, "read_ports": 0, "write_ports": 0})";

TEST(ReadDistances, CountsFromTheLastAccessOfThatRegister) {
  StageRig rig({kProbe});
  rig.read(5, 0, 1);
  rig.write(10, 0, 1, 77);
  const auto& read = rig.read(17, 0, 1);
  rig.read(20, 1, 1);
  rig.read(29, 0, 1);
  rig.read(100, 0, 1);
  rig.run();
  EXPECT_EQ(read.lane(0), 77u);
  EXPECT_EQ(read.data_at(), 18u) << "adds no time";
  EXPECT_EQ(rig.count("read_distances.banks_first"), 2u);
  EXPECT_EQ(rig.count("read_distances.banks_4_7"), 1u);
  EXPECT_EQ(rig.count("read_distances.banks_12_15"), 1u);
  EXPECT_EQ(rig.count("read_distances.banks_64_127"), 1u);
}

TEST(ReadDistances, SeparatesHitsAndMisses) {
  StageRig rig({kProbe, kCache});
  rig.write(5, 0, 1, 77);
  rig.read(10, 0, 1);
  rig.write(12, 0, 2, 5);
  const auto& below = rig.read(40, 0, 1);
  rig.run();
  EXPECT_EQ(below.lane(3), 77u);
  EXPECT_EQ(rig.count("read_distances.caches_4_7"), 1u);
  EXPECT_EQ(rig.count("read_distances.banks_4_7"), 0u);
  EXPECT_EQ(rig.count("read_distances.caches_20_31"), 0u);
  EXPECT_EQ(rig.count("read_distances.banks_20_31"), 1u);
}

TEST(ReadDistances, ReadsThatMergeLanesReachTheBanks) {
  StageRig rig({kProbe, kCache});
  rig.write(5, 0, 1, 77, 0x0000ffffu);
  const auto& read = rig.read(11, 0, 1);
  rig.run();
  EXPECT_EQ(read.lane(0), 77u);
  EXPECT_EQ(rig.count("read_distances.banks_4_7"), 1u);
  EXPECT_EQ(rig.count("read_distances.caches_4_7"), 0u);
}

TEST(ReadDistances, EntriesOfTheOperandFileAreTheCompilersChoice) {
  StageRig rig({kProbe, R"({"type": "operand-file", "checked": false})"});
  auto& read = rig.read(10, 0, 1);
  read.operand.annotation.read_level = isa::kOperandLevel;
  rig.run();
  EXPECT_EQ(rig.count("read_distances.entries_first"), 1u);
}

TEST(ReadDistances, RefusedReadsAreCountedWhenTheyAreTaken) {
  StageRig rig({kProbe}, R"({"count": 1, "entries": 1024, "queue_entries": 1})");
  std::vector<const StageDriver::Line*> reads;
  for (int i = 0; i < 6; ++i) reads.push_back(&rig.read(10, 0, i));
  rig.run();
  int refusals = 0;
  for (const auto* read : reads) refusals += read->refusals;
  EXPECT_GT(refusals, 0);
  EXPECT_EQ(rig.count("read_distances.banks_first"), 6u);
}

}  // namespace
}  // namespace heddle

// Tests one of the checks of `--check on`: an instruction must write a register only after older instructions
// have read it. The check finds a scoreboard that ignores write-after-read hazards.

#include <gtest/gtest.h>

#include "models/core/error.h"
#include "testbench/run/read_order_law.h"

namespace heddle::run {
namespace {

struct Step {
  Step(std::uint64_t uid, std::uint32_t reads, std::uint32_t writes) {
    instruction.unit = isa::UnitClass::int_;
    footprint.reads.set(reads);
    footprint.writes.set(writes);
    item.instruction = &instruction;
    item.footprint = &footprint;
    item.context = &context;
    item.uid = uid;
    item.mask = kAllLanes;
  }
  isa::Instruction instruction;
  InstructionFootprint footprint;
  WarpContext context;
  InFlight item;
};

TEST(ReadOrderLaw, AWriteIssuesAfterOlderReadsOfItsRegister) {
  const Step reader(1, 5, 6), writer(2, 7, 5), other(3, 7, 8);
  ReadOrderLaw law("sm0", true);
  law.issued(reader.item);
  EXPECT_NO_THROW(law.issued(other.item));
  EXPECT_THROW(law.issued(writer.item), InternalError);
  law.reads_held(reader.item);
  EXPECT_NO_THROW(law.issued(writer.item));
  EXPECT_NO_THROW(law.completed(writer.item));
}

TEST(ReadOrderLaw, WithoutAnInterlockItIsVisibleAfterThem) {
  const Step reader(1, 5, 6), writer(2, 7, 5);
  ReadOrderLaw law("sm0", false);
  law.issued(reader.item);
  EXPECT_NO_THROW(law.issued(writer.item));
  EXPECT_THROW(law.completed(writer.item), InternalError);
}

// An instruction may write a register that it reads itself, or that a younger instruction reads.
TEST(ReadOrderLaw, OwnAndYoungerReadsDoNotMatter) {
  const Step own(1, 5, 5), younger(2, 5, 6);
  ReadOrderLaw law("sm0", true);
  law.issued(own.item);
  law.issued(younger.item);
  EXPECT_NO_THROW(law.completed(own.item));
}

}  // namespace
}  // namespace heddle::run

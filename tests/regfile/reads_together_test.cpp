// Tests RegisterStage::take_reads, the call that offers all reads of an instruction to a stage. The stage
// must accept the reads in the order of the call until it refuses one. It may respond to some of the accepted
// reads within the call.

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "tests/regfile/stage_driver.h"

namespace heddle {
namespace {

// Offers reads of the registers `regs` of warp 0 in cycle `cycle`. In cycle `again`, offers once more the
// first refused read and all reads that follow this read.
struct OfferedTogether {
  OfferedTogether(StageRig& rig, Cycle cycle, Cycle again, const std::vector<std::uint32_t>& regs)
      : lines(regs.size()), reads(regs.size()) {
    for (std::size_t i = 0; i < regs.size(); ++i) {
      reads[i].set_register(WarpId(0), RegId(regs[i]));
      reads[i].values = &lines[i].values;
      reads[i].owner = &lines[i];
    }
    rig.script().call(cycle, [this, &rig] { first = offer(rig, reads); });
    rig.script().call(again, [this, &rig] {
      if (first.count < reads.size()) rest = offer(rig, std::span(reads).subspan(first.count));
    });
  }
  static ReadsTaken offer(StageRig& rig, std::span<RegisterAccess> reads) {
    const ReadsTaken taken = rig.stage(0).take_reads(reads);
    if (taken.count < reads.size()) rig.stage(0).await_retry();
    return taken;
  }
  std::vector<StageDriver::Line> lines;
  std::vector<RegisterAccess> reads;
  ReadsTaken first, rest;
};

TEST(ReadsTogether, AreTakenOneByOneUntilTheQueueIsFull) {
  StageRig rig({}, R"({"count": 1, "entries": 128, "queue_entries": 2})");
  for (int r = 1; r <= 3; ++r) rig.write(static_cast<Cycle>(4 * r), 0, r, static_cast<std::uint32_t>(10 + r));
  OfferedTogether offered(rig, 20, 30, {1, 2, 3});
  rig.run();
  EXPECT_EQ(offered.first.count, 2u);
  EXPECT_EQ(offered.first.answered, 0u);
  EXPECT_EQ(offered.rest.count, 1u);
  const Cycle answered[] = {21, 22, 31};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(offered.lines[i].lane(0), 11u + i);
    EXPECT_EQ(offered.lines[i].answered_at, answered[i]);
  }
  EXPECT_EQ(rig.count("banks.refusals"), 1u);
}

TEST(ReadsTogether, SomeReadsAreAnsweredAtOnce) {
  StageRig rig({"\"renaming\""}, R"({"count":4,"entries":8,"layout":"wshift","ports":"1r1w"})");
  rig.write(4, 0, 1, 11);
  rig.write(8, 0, 3, 13);
  OfferedTogether offered(rig, 20, 21, {1, 2, 3, 5});
  rig.run();
  EXPECT_EQ(offered.first.count, 4u);
  EXPECT_EQ(offered.first.answered, 0b1010u);
  EXPECT_EQ(offered.lines[0].lane(0), 11u);
  EXPECT_EQ(offered.lines[1].lane(0), kPoison);
  EXPECT_EQ(offered.lines[2].lane(0), 13u);
  EXPECT_EQ(offered.lines[3].lane(0), kPoison);
}

// Receives the banks' responses to reads in place of the collectors, and records the registers of each call.
struct Hearer : RegisterSender {
  void receive_answer(RegisterAccess& access) override { calls.push_back({access.home.value}); }
  void receive_reads(std::span<RegisterAccess* const> reads) override {
    calls.emplace_back();
    for (const RegisterAccess* read : reads) calls.back().push_back(read->home.value);
  }
  void receive_retry() override {}
  std::vector<std::vector<std::uint32_t>> calls;
};

TEST(ReadsTogether, OfOneCycleAreAnsweredByOneCallFromTheHighestBankDown) {
  for (const std::string ports : {"1rw", "1r1w"}) {
    const std::string banks = R"({"count": 4, "entries": 64, "layout": "wshift", "ports": ")";
    StageRig rig({}, banks + ports + "\"}");
    for (int r = 1; r <= 5; ++r)
      rig.write(static_cast<Cycle>(4 * r), 0, r, static_cast<std::uint32_t>(10 + r));
    Hearer hearer;
    rig.script().call(39, [&] { rig.stage(0).set_above(hearer); });
    OfferedTogether offered(rig, 40, 50, {1, 2, 3, 5});
    rig.run();
    EXPECT_EQ(hearer.calls, (std::vector<std::vector<std::uint32_t>>{{3, 2, 1}, {5}})) << ports;
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(offered.lines[i].lane(0), 11u + i) << ports;
    EXPECT_EQ(offered.lines[3].lane(0), 15u) << ports;
  }
}

}  // namespace
}  // namespace heddle

// Tests the register stage register-cache, with one test for each rule: which registers the cache holds and
// replaces, which lines it writes to the next stage, and when data arrive at the collector.

#include <gtest/gtest.h>

#include "models/core/error.h"
#include "tests/regfile/stage_driver.h"

namespace heddle {
namespace {

std::string cache(const std::string& options = "") {
  return R"({"type": "register-cache", "read_ports": 0, "write_ports": 0)" +
         (options.empty() ? "" : ", " + options) + "}";
}

// A hit must take as long as a read that no other access delays in the banks: the data arrive at the
// collector `latency_cycles` (latency of the banks) after acceptance.
TEST(RegisterCache, AHitTakesAsLongAsTheBanks) {
  for (const int latency : {1, 3}) {
    StageRig rig({cache(R"("tag_check_cycles": 0)")},
                 R"({"latency_cycles": )" + std::to_string(latency) + "}");
    rig.write(5, 0, 1, 77);
    const auto& hit = rig.read(10, 0, 1);
    const auto& miss = rig.read(20, 0, 2);
    rig.run();
    EXPECT_EQ(hit.lane(0), 77u);
    EXPECT_EQ(hit.data_at(), 10u + static_cast<unsigned>(latency));
    EXPECT_EQ(miss.data_at(), 20u + static_cast<unsigned>(latency));
    EXPECT_EQ(rig.count("register_cache.read_hits"), 1u);
    EXPECT_EQ(rig.count("register_cache.read_misses"), 1u);
    EXPECT_EQ(rig.count("banks.reads"), 1u);
  }
}

TEST(RegisterCache, TagChecksDelayEveryReadAndMissesMissesAlone) {
  StageRig rig({cache(R"("tag_check_cycles": 2, "miss_cycles": 3)")});
  rig.write(5, 0, 1, 77);
  const auto& hit = rig.read(10, 0, 1);
  const auto& miss = rig.read(20, 0, 2);
  rig.run();
  EXPECT_EQ(hit.data_at(), 10u + 1 + 2);
  EXPECT_EQ(miss.data_at(), 20u + 1 + 2 + 3);
}

TEST(RegisterCache, PortsServeSoManyACycle) {
  StageRig rig({R"({"type": "register-cache", "read_ports": 3, "write_ports": 2, "entries": 6})"});
  for (int r = 0; r < 4; ++r) rig.write(5, 0, r, static_cast<std::uint32_t>(r));
  std::vector<const StageDriver::Line*> reads;
  for (int r = 0; r < 4; ++r) reads.push_back(&rig.read(10, 0, r));
  rig.write(20, 0, 0, 50);
  rig.write(20, 0, 1, 51);
  rig.write(20, 0, 2, 52);
  const auto& early = rig.read(20, 0, 0);
  const auto& late = rig.read(20, 0, 2);
  rig.run();
  EXPECT_EQ(reads[2]->data_at(), 11u);
  EXPECT_EQ(reads[3]->data_at(), 12u);
  EXPECT_EQ(early.data_at(), 21u);
  EXPECT_EQ(late.data_at(), 22u);
  EXPECT_EQ(late.lane(0), 52u);
}

TEST(RegisterCache, BanksHavePortsOfTheirOwn) {
  StageRig rig(
      {R"({"type": "register-cache", "read_ports": 1, "write_ports": 0, "entries": 4, "banks": 2})"});
  for (int r = 0; r < 4; ++r) rig.write(5, 0, r, 1);
  const auto &a = rig.read(10, 0, 0), &b = rig.read(10, 0, 1), &c = rig.read(10, 0, 2);
  rig.run();
  EXPECT_EQ(a.data_at(), 11u);
  EXPECT_EQ(b.data_at(), 11u);
  EXPECT_EQ(c.data_at(), 12u);
}

TEST(RegisterCache, WritesBeyondTheQueueAreRefusedAndComeAgain) {
  StageRig rig({R"({"type": "register-cache", "read_ports": 0, "write_ports": 1, "queue_entries": 2})"});
  std::vector<const StageDriver::Line*> writes;
  for (int r = 0; r < 4; ++r) writes.push_back(&rig.write(5, 0, r, static_cast<std::uint32_t>(r) + 1));
  const auto& read = rig.read(15, 0, 3);
  rig.run();
  EXPECT_EQ(writes[1]->accepted_at, 5u);
  EXPECT_GT(writes[2]->refusals, 0);
  EXPECT_GT(writes[3]->accepted_at, 5u);
  EXPECT_EQ(read.lane(0), 4u);
}

// Registers 0 to 2 fill the three lines, and register 0 is read again. A fourth register must then replace
// register 0 with the replacement rule `fifo`, and register 1 with the rule `lru`.
TEST(RegisterCache, FifoForgetsTheOldestLruTheLeastUsed) {
  const auto left = [](const std::string& replacement) {
    StageRig rig({cache(R"("entries": 3, "replacement": ")" + replacement + "\"")});
    for (int r = 0; r < 3; ++r) rig.write(5 + static_cast<Cycle>(r), 0, r, 10);
    rig.read(10, 0, 0);
    rig.write(15, 0, 3, 13);
    rig.run();
    EXPECT_EQ(rig.count("register_cache.writebacks"), 1u);
    return std::vector<bool>{rig.value(1, 0, 0) == 10u, rig.value(1, 0, 1) == 10u, rig.value(1, 0, 2) == 10u};
  };
  EXPECT_EQ(left("fifo"), (std::vector<bool>{true, false, false}));
  EXPECT_EQ(left("lru"), (std::vector<bool>{false, true, false}));
}

TEST(RegisterCache, SetsBoundWhatReplacesWhat) {
  const auto evictions = [](const std::string& ways) {
    StageRig rig({cache(R"("entries": 4, "ways": )" + ways)});
    rig.write(5, 0, 0, 1);
    rig.write(6, 0, 4, 2);
    rig.write(7, 0, 8, 3);
    rig.run();
    return rig.count("register_cache.evictions");
  };
  EXPECT_EQ(evictions("1"), 2u);
  EXPECT_EQ(evictions("2"), 1u);
  EXPECT_EQ(evictions("0"), 0u);
  EXPECT_THROW(StageRig({cache(R"("entries": 4, "ways": 3)")}), Error);
}

TEST(RegisterCache, PrivatePartitionsKeepWarpsApartSharedOnesDoNot) {
  const auto evictions = [](const std::string& options, int schedulers) {
    StageRig rig({cache(options)}, "{}", 1, schedulers);
    for (int w = 0; w < 4; ++w)
      for (int r = 0; r < 2; ++r) rig.write(5 + static_cast<Cycle>(w), w, r, 1);
    rig.run();
    return rig.count("register_cache.evictions");
  };
  EXPECT_EQ(evictions(R"("entries": 2)", 1), 0u);
  EXPECT_EQ(evictions(R"("entries": 4, "capacity": "shared")", 1), 4u);
  EXPECT_EQ(evictions(R"("entries": 4, "capacity": "shared")", 2), 0u);
  EXPECT_EQ(evictions(R"("entries": 4, "capacity": "shared", "per_scheduler": false)", 2), 4u);
}

TEST(RegisterCache, LanesAreMergedFromBelow) {
  StageRig rig({cache(R"("entries": 1)")});
  rig.write(5, 0, 1, 7);
  rig.write(6, 0, 2, 8);
  rig.write(7, 0, 1, 9, 0x0000000fu);
  const auto& part = rig.read(10, 0, 1);
  const auto& here = rig.read(15, 0, 1, 0x3u);
  rig.run();
  EXPECT_EQ(part.lane(3), 9u);
  EXPECT_EQ(part.lane(4), 7u);
  EXPECT_EQ(here.lane(0), 9u);
  EXPECT_EQ(rig.count("register_cache.read_partial_hits"), 1u);
  EXPECT_EQ(rig.count("register_cache.read_hits"), 1u);
  EXPECT_EQ(rig.count("banks.reads"), 1u);
  EXPECT_EQ(rig.count("banks.writes"), 2u);
}

TEST(RegisterCache, SourcesAreKeptIfAsked) {
  StageRig rig({cache(R"("allocate": "results-and-sources")")});
  rig.read(5, 0, 1);
  const auto& again = rig.read(10, 0, 1);
  rig.run();
  EXPECT_EQ(again.data_at(), 11u);
  EXPECT_EQ(rig.count("register_cache.fills"), 1u);
  EXPECT_EQ(rig.count("banks.reads"), 1u);
}

// A read is on its way to the banks and will return an older value. Meanwhile, a write of the same register
// bypasses the cache. The older value must not stay in the cache.
TEST(RegisterCache, ALateFillDoesNotHideANewerValue) {
  const isa::Instruction load = make_global_load();
  StageRig rig({cache(R"("allocate": "results-and-sources")")}, R"({"latency_cycles": 8})");
  rig.read(5, 0, 1);
  rig.write(7, 0, 1, 42).access.instruction = &load;
  rig.read(8, 0, 1);
  const auto& read = rig.read(30, 0, 1);
  rig.run();
  EXPECT_EQ(read.lane(0), 42u);
}

TEST(RegisterCache, LongLatencyResultsPassAndReplaceOlderLanes) {
  const isa::Instruction load = make_global_load();
  StageRig rig({cache()});
  rig.write(5, 0, 1, 7);
  rig.write(6, 0, 1, 8, 0x1u).access.instruction = &load;
  const auto& read = rig.read(10, 0, 1);
  rig.run();
  EXPECT_EQ(read.lane(0), 8u);
  EXPECT_EQ(read.lane(1), 7u);
  EXPECT_EQ(rig.count("register_cache.bypassed_writes"), 1u);
  EXPECT_EQ(rig.count("register_cache.shared_writes"), 0u);
}

TEST(RegisterCache, DeadValuesAreNotWrittenBelow) {
  const auto write_backs = [](bool hints) {
    StageRig rig({cache(R"("entries": 1, "liveness_hints": )" + std::string(hints ? "true" : "false"))});
    rig.write(5, 0, 1, 7);
    rig.read(6, 0, 1).operand.annotation.last_use = true;
    rig.write(7, 0, 2, 8).operand.annotation.dead = true;
    rig.write(8, 0, 3, 9);
    rig.run();
    return rig.count("register_cache.writebacks");
  };
  EXPECT_EQ(write_backs(true), 0u);
  EXPECT_EQ(write_backs(false), 2u);
}

TEST(RegisterCache, ADescheduledWarpLeavesItsLines) {
  StageRig rig({R"({"type": "register-cache", "entries": 4, "read_ports": 2, "write_ports": 0})"});
  for (int r = 0; r < 3; ++r) rig.write(5, 0, r, static_cast<std::uint32_t>(r) + 20);
  rig.write(5, 1, 0, 99);
  bool before = true, at = false;
  rig.script().call(10, [&] { rig.stage(0).warp_deactivated(WarpId(0)); });
  rig.script().call(12, [&] { before = rig.stage(0).flushed(WarpId(0)); });
  rig.script().call(13, [&] { at = rig.stage(0).flushed(WarpId(0)); });
  rig.write(15, 0, 5, 30);
  rig.script().call(20, [&] { rig.stage(0).warp_activated(WarpId(0)); });
  rig.write(25, 0, 6, 31);
  rig.run();
  EXPECT_FALSE(before);
  EXPECT_TRUE(at);
  for (int r = 0; r < 3; ++r) EXPECT_EQ(rig.value(1, 0, r), static_cast<std::uint32_t>(r) + 20);
  EXPECT_EQ(rig.value(1, 0, 5), 30u);
  EXPECT_EQ(rig.value(1, 0, 6), kPoison) << "stays in the cache";
  EXPECT_EQ(rig.value(0, 0, 6), 31u);
  EXPECT_EQ(rig.value(1, 1, 0), kPoison) << "the other warp keeps its lines";
  EXPECT_EQ(rig.count("register_cache.flush_writebacks"), 3u);
}

TEST(RegisterCache, AFlushThatFindsNoRoomGoesOnLater) {
  StageRig rig({cache()}, R"({"count": 1, "entries": 200, "queue_entries": 1})");
  for (int r = 0; r < 6; ++r) rig.write(5, 0, r, static_cast<std::uint32_t>(r) + 20);
  rig.script().call(10, [&] { rig.stage(0).warp_deactivated(WarpId(0)); });
  rig.run();
  EXPECT_TRUE(rig.stage(0).flushed(WarpId(0)));
  for (int r = 0; r < 6; ++r) EXPECT_EQ(rig.value(1, 0, r), static_cast<std::uint32_t>(r) + 20);
}

TEST(RegisterCache, AWarpThatEndsWritesNothing) {
  StageRig rig({cache()});
  rig.write(5, 0, 1, 7);
  rig.script().call(10, [&] { rig.end_warp(0); });
  const auto& read = rig.read(15, 0, 1);
  rig.run();
  EXPECT_EQ(read.lane(0), kPoison);
  EXPECT_EQ(rig.count("banks.writes"), 0u);
}

// In one cycle, a warp ends, and another warp replaces a line of the ending warp. The result must not depend
// on the order of the two events. The line must be free from the next cycle on.
TEST(RegisterCache, AWarpIsOneLikeAnyOtherInTheCycleOfItsEnd) {
  for (const bool ends_first : {true, false}) {
    for (const Cycle end : {20u, 19u}) {
      StageRig rig(
          {cache(R"("entries": 1, "capacity": "shared", "flush_on_deschedule": false)"), R"("renaming")"});
      rig.write(5, 0, 1, 7);
      const auto ends = [&] { rig.script().call(end, [&] { rig.end_warp(0); }); };
      if (ends_first) ends();
      rig.write(20, 1, 1, 8);
      if (!ends_first) ends();
      rig.run();
      EXPECT_EQ(rig.count("register_cache.writebacks"), end == 20 ? 1u : 0u) << ends_first << end;
      EXPECT_EQ(rig.count("renaming.maps"), rig.count("renaming.unmaps")) << ends_first << end;
    }
  }
}

// With the option `closed`, only instructions of private units use the first-level cache (L0, Gebhart 2012,
// 4.4). Instructions of shared units must bypass this cache and use the next stage.
TEST(RegisterCache, AClosedCacheIsNotSeenBySharedUnits) {
  const isa::Instruction load = make_shared_load();
  StageRig rig({cache(R"("shared_units": "closed")")});
  rig.write(5, 0, 1, 7);
  const auto& read = rig.read(10, 0, 1);
  const auto& shared = rig.read(15, 0, 1);
  const_cast<StageDriver::Line&>(shared).access.instruction = &load;
  rig.write(20, 0, 2, 8).access.instruction = &load;
  rig.write(20, 0, 3, 9).operand.annotation.shared_use = true;
  rig.run();
  EXPECT_EQ(read.lane(0), 7u);
  EXPECT_EQ(shared.lane(0), 7u);
  EXPECT_EQ(rig.count("register_cache.shared_reads"), 0u);
  EXPECT_EQ(rig.count("register_cache.writebacks"), 1u);
  EXPECT_EQ(rig.count("register_cache.bypassed_writes"), 2u);
}

TEST(RegisterCache, DatapathsAreCountedApart) {
  const isa::Instruction load = make_shared_load();
  StageRig rig({cache()});
  rig.write(5, 0, 1, 7).access.instruction = &load;
  rig.write(5, 0, 2, 7, 0x000000ffu);
  rig.read(10, 0, 1);
  rig.read(10, 0, 1).access.instruction = &load;
  rig.run();
  EXPECT_EQ(rig.count("register_cache.shared_writes"), 1u);
  EXPECT_EQ(rig.count("register_cache.private_writes"), 1u);
  EXPECT_EQ(rig.count("register_cache.shared_reads"), 1u);
  EXPECT_EQ(rig.count("register_cache.private_reads"), 1u);
  EXPECT_EQ(rig.count("register_cache.write_slices"), 5u);
  EXPECT_EQ(rig.count("register_cache.tag_checks"), 4u);
}

TEST(RegisterCache, AnUpperCacheWritesBackIntoTheLower) {
  StageRig rig({cache(R"("entries": 1)"), R"({"type": "register-cache", "entries": 4})"});
  for (int r = 0; r < 3; ++r) rig.write(5 + static_cast<Cycle>(r), 0, r, 7);
  rig.run();
  EXPECT_EQ(rig.value(1, 0, 0), 7u);
  EXPECT_EQ(rig.value(1, 0, 2), kPoison);
  EXPECT_EQ(rig.count("banks.writes"), 0u);
}

TEST(RegisterCache, AFlippedBitIsTheCachesOwn) {
  StageRig rig({cache()});
  rig.write(5, 0, 1, 0);
  rig.script().call(8, [&] {
    RegisterAccess held, other;
    held.set_register(WarpId(0), RegId(1));
    other.set_register(WarpId(0), RegId(2));
    EXPECT_TRUE(rig.stage(0).flip_bit(held, 2, 4));
    EXPECT_FALSE(rig.stage(0).flip_bit(other, 2, 4));
  });
  const auto& read = rig.read(10, 0, 1);
  rig.run();
  EXPECT_EQ(read.lane(2), 16u);
  EXPECT_EQ(read.lane(1), 0u);
}

TEST(RegisterCache, EvictAndReleaseGiveTheRegisterUp) {
  StageRig rig({cache()});
  rig.write(5, 0, 1, 7);
  rig.write(5, 0, 2, 8);
  rig.script().at(10, RegisterCommand::evict, 0, 1);
  rig.script().at(10, RegisterCommand::release, 0, 2);
  rig.run();
  EXPECT_EQ(rig.value(1, 0, 1), 7u);
  EXPECT_EQ(rig.value(0, 0, 2), kPoison);
  EXPECT_EQ(rig.count("register_cache.writebacks"), 1u);
}

}  // namespace
}  // namespace heddle

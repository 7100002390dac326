// Tests cp.async: sizes of copies, bytes filled with zeros, groups of copies, and the cycle in which copied
// bytes are in shared memory.

#include "tests/async_copies/copy_fixture.h"

namespace heddle::async_copies {
namespace {

// kFill writes 7 to the lane's words in shared memory. kStore copies these words to the output in global
// memory.
const std::string kFill =
    " mov.u32 %r1, 7; st.shared.v4.u32 [%r9], {%r1,%r1,%r1,%r1}; st.shared.v4.u32 [%r9+16], "
    "{%r1,%r1,%r1,%r1};\n"
    " bar.sync 0;\n";
const std::string kStore =
    " ld.shared.v4.u32 {%r1,%r2,%r3,%r4}, [%r9]; st.global.v4.u32 [%d4], {%r1,%r2,%r3,%r4};\n"
    " ld.shared.v4.u32 {%r1,%r2,%r3,%r4}, [%r9+16]; st.global.v4.u32 [%d4+16], {%r1,%r2,%r3,%r4};\n";

TEST_F(Copies, CopyWordsOfEverySizeThroughAndPastTheL1) {
  for (const std::string size :
       {"ca.shared.global [%r9+4], [%d3+8], 4", "ca.shared.global [%r9+8], [%d3+16], 8",
        "ca.shared.global [%r9+16], [%d3], 16", "cg.shared.global [%r9+16], [%d3+32], 16",
        "cg.shared::cta.global.L2::128B [%r9], [%d3+16], 16, 16"}) {
    use_copies(kFill + " cp.async." + size + "; cp.async.wait_all;\n" + kStore);
    const std::vector<std::uint8_t> data = equal_results();
    bool changed = false;
    for (std::size_t n = 0; n < 8; ++n) changed = changed || out(data, 5, n) != 7;
    EXPECT_TRUE(changed) << size;
  }
  use_copies(kFill + " cp.async.ca.shared.global [%r9+8], [%d3+16], 8; cp.async.wait_all;\n" + kStore);
  const std::vector<std::uint8_t> data = equal_results();
  for (std::size_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out(data, lane, 1), 7u);
    EXPECT_EQ(out(data, lane, 2), in(data, lane, 4));
    EXPECT_EQ(out(data, lane, 3), in(data, lane, 5));
    EXPECT_EQ(out(data, lane, 4), 7u);
  }
}

TEST_F(Copies, ARepeatedCopyHitsInTheL1AndLandsLater) {
  use_copies(" ld.global.ca.u32 %r5, [%d3];\n" + kFill +
             " cp.async.ca.shared.global [%r9], [%d3], 16; ld.shared.u32 %r6, [%r9]; cp.async.wait_all;\n" +
             kStore + " st.global.u32 [%d4+32], %r6; st.global.u32 [%d4+36], %r5;\n");
  const std::vector<std::uint8_t> data = timed_result();
  EXPECT_EQ(out(data, 3, 8), 7u);  // read before the wait
  EXPECT_EQ(out(data, 3, 0), in(data, 3, 0));
}

TEST_F(Copies, BytesAreOldUntilTheyArrive) {
  use_copies(kFill +
             " cp.async.cg.shared.global [%r9], [%d3], 16; cp.async.commit_group; bar.sync 0; membar.cta;\n" +
             kStore + " cp.async.wait_group 0; ld.shared.u32 %r5, [%r9]; st.global.u32 [%d4+32], %r5;\n");
  const std::vector<std::uint8_t> timed = timed_result(), right = reference_result();
  for (std::size_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out(timed, lane, 0), 7u) << "neither a barrier nor a fence waits for copies";
    EXPECT_EQ(out(timed, lane, 8), in(timed, lane, 0));
    EXPECT_EQ(out(right, lane, 0), in(right, lane, 0)) << "the reference copies at the instruction";
  }
}

TEST_F(Copies, WaitsForOlderGroupsOnly) {
  const auto body = [](const std::string& waits) {
    return kFill +
           " cp.async.ca.shared.global [%r9], [%d3], 4; cp.async.commit_group;\n"
           " cp.async.ca.shared.global [%r9+4], [%d3+4], 4; cp.async.commit_group;\n" +
           waits + kStore + " cp.async.wait_all;\n";
  };
  use_copies(body(" cp.async.wait_group 2;"));
  EXPECT_EQ(out(timed_result(), 1, 0), 7u) << "two groups may be incomplete: no wait";
  use_copies(body(" cp.async.wait_group 1;"));
  EXPECT_EQ(out(timed_result(), 1, 0), in(timed_result(), 1, 0));
  use_copies(body(" cp.async.wait_group 0;"));
  equal_results();
  use_copies(body(""));
  EXPECT_NE(timed_result(), reference_result()) << "a removed wait is a wrong result";
  // Copies that are not committed belong to no group. wait_all must wait for them too.
  use_copies(kFill + " cp.async.ca.shared.global [%r9], [%d3], 4; cp.async.wait_group 0;\n" + kStore +
             " cp.async.wait_all;\n");
  EXPECT_EQ(out(timed_result(), 1, 0), 7u);
}

TEST_F(Copies, GroupsAreCountedByLane) {
  // Even lanes have two groups of copies, and wait only for the first group. Odd lanes have one group of
  // copies, and do not wait for this group.
  use_copies(kFill +
             " and.b32 %r1, %r90, 1; setp.eq.u32 %p1, %r1, 0;\n"
             " cp.async.ca.shared.global [%r9], [%d3], 4; cp.async.commit_group;\n"
             " @%p1 cp.async.ca.shared.global [%r9+4], [%d3+4], 4; @%p1 cp.async.commit_group;\n"
             " @!%p1 cp.async.wait_group 1; ld.shared.u32 %r5, [%r9]; cp.async.wait_group 1;\n"
             " ld.shared.u32 %r6, [%r9]; cp.async.wait_group 0;\n" +
             kStore + " st.global.u32 [%d4+32], %r5; st.global.u32 [%d4+36], %r6;\n");
  const std::vector<std::uint8_t> data = timed_result(), right = reference_result();
  for (std::size_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out(data, lane, 8), 7u) << lane;
    EXPECT_EQ(out(data, lane, 9), in(data, lane, 0)) << lane;
    EXPECT_EQ(out(data, lane, 0), out(right, lane, 0));
    EXPECT_EQ(out(data, lane, 1), out(right, lane, 1));
  }
}

TEST_F(Copies, WriteZerosBehindTheSourceSize) {
  // Lane l reads l mod 17 bytes. A lane that reads 0 bytes may have any address.
  use_copies(kFill +
             " rem.u32 %r1, %r90, 17; setp.eq.u32 %p1, %r1, 0; selp.b64 %d5, 3, %d3, %p1;\n"
             " cp.async.cg.shared.global [%r9], [%d5], 16, %r1; cp.async.wait_all;\n" +
             kStore);
  const std::vector<std::uint8_t> data = equal_results();
  for (std::size_t lane = 0; lane < 32; ++lane)
    for (std::size_t n = 0; n < 16; ++n)
      EXPECT_EQ(data[kOut + kLaneBytes * lane + n], n < lane % 17 ? data[kLaneBytes * lane + n] : 0) << lane;
  use_copies(kFill +
             " setp.lt.u32 %p1, %r90, 9; createpolicy.fractional.L2::evict_first.b64 %d6, 1.0;\n"
             " cp.async.ca.shared.global.L2::cache_hint [%r9+8], [%d3], 8, %p1, %d6; cp.async.wait_all;\n" +
             kStore);
  const std::vector<std::uint8_t> ignored = equal_results();
  EXPECT_EQ(out(ignored, 8, 2), 0u);
  EXPECT_EQ(out(ignored, 9, 2), in(ignored, 9, 0));
}

TEST_F(Copies, ACtaEndsAfterItsCopies) {
  use_copies(kFill + kStore + " cp.async.cg.shared.global [%r9], [%d3], 16;\n");
  equal_results(128);
}

TEST_F(Copies, OccupyTheBanksOfSharedMemory) {
  const auto passes = [&](const std::string& target) {
    use_copies(" mad.lo.u32 %r7, %r90, 4, %r8; cp.async.ca.shared.global [" + target +
               "], [%d3], 4; cp.async.wait_all;\n");
    return timed(compiled()).shared_passes;
  };
  // The lanes' data are 64 bytes apart in global memory, so the copy reads 16 segments of 128 bytes, each
  // with the data of two lanes. Each segment is written to shared memory in a pass of its own.
  EXPECT_EQ(passes("%r7"), 16u);
  EXPECT_EQ(passes("%r9"), 16u);
}

}  // namespace
}  // namespace heddle::async_copies

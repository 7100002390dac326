// Tests mbarrier objects: phases, counts of arrivals, waits, arrivals after copies, and errors.

#include "tests/async_copies/copy_fixture.h"

namespace heddle::async_copies {
namespace {

class Mbarriers : public Copies {
 protected:
  void use_barrier(const std::string& count, const std::string& body) {
    use_copies(
        " .shared .align 8 .b64 bar[2]; mov.u32 %r20, bar; setp.eq.u32 %p8, %r90, 0;\n"
        " @%p8 mbarrier.init.shared.b64 [%r20], " +
        count + "; bar.sync 0;\n" + body);
  }
};

// In each of four phases of the barrier, thread t reads the words of thread t + 33 (modulo 128).
std::string pass_words(const std::string& wait, const std::string& phase) {
  return " add.u32 %r1, %r90, 33; and.b32 %r1, %r1, 127; mad.lo.u32 %r2, %r1, 64, %r8; mov.u32 %r3, 0;\n"
         " mov.u32 %r4, 0;\n"
         "LOOP:\n"
         " mad.lo.u32 %r5, %r3, 4, %r9; mad.lo.u32 %r6, %r90, 5, %r3; st.shared.u32 [%r5], %r6;\n"
         " mbarrier.arrive.shared.b64 %d5, [%r20];\n" +
         phase + "WAIT:\n " + wait +
         " @!%p1 bra WAIT;\n"
         " mad.lo.u32 %r5, %r3, 4, %r2; ld.shared.u32 %r6, [%r5]; add.u32 %r4, %r4, %r6;\n"
         " add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 4; @%p2 bra LOOP;\n"
         " st.global.u32 [%d4], %r4;\n";
}

TEST_F(Mbarriers, ThreadsPassWordsByPhases) {
  const std::string parity = " and.b32 %r7, %r3, 1;\n";
  for (const std::string wait :
       {"mbarrier.test_wait.shared.b64 %p1, [%r20], %d5;",
        "mbarrier.try_wait.shared::cta.b64 %p1, [%r20], %d5;",
        "mbarrier.test_wait.parity.shared.b64 %p1, [%r20], %r7;",
        "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p1, [%r20], %r7, 100;"}) {
    use_barrier("128", pass_words(wait, parity));
    const std::vector<std::uint8_t> data = equal_results(128);
    for (std::size_t t = 0; t < 128; ++t) EXPECT_EQ(out(data, t, 0), 20 * ((t + 33) % 128) + 6) << wait;
  }
}

TEST_F(Mbarriers, CountsFollowTheArrivals) {
  use_barrier(
      "10",
      " @!%p8 bra DONE;\n"
      " mbarrier.arrive.noComplete.shared.b64 %d5, [%r20], 4; mbarrier.pending_count.b64 %r1, %d5;\n"
      " mbarrier.arrive_drop.shared.b64 %d5, [%r20]; mbarrier.pending_count.b64 %r2, %d5;\n"
      " mbarrier.arrive_drop.noComplete.shared.b64 %d5, [%r20], 2; mbarrier.pending_count.b64 %r3, %d5;\n"
      " mbarrier.arrive.release.cta.shared.b64 %d5, [%r20], 3; mbarrier.pending_count.b64 %r4, %d5;\n"
      " mbarrier.test_wait.shared.b64 %p1, [%r20], %d5; selp.u32 %r5, 1, 0, %p1;\n"
      " mbarrier.arrive.shared.b64 %d6, [%r20]; mbarrier.pending_count.b64 %r6, %d6;\n"
      " mbarrier.test_wait.shared.b64 %p1, [%r20], %d6; selp.u32 %r7, 1, 0, %p1;\n"
      " st.global.v4.u32 [%d4], {%r1,%r2,%r3,%r4}; st.global.v4.u32 [%d4+16], {%r5,%r6,%r7,%r7};\n"
      " mbarrier.inval.shared.b64 [%r20];\n"
      "DONE:\n");
  const std::vector<std::uint8_t> data = equal_results();
  const std::uint32_t expected[] = {10, 6, 5, 3, 1, 7, 0};
  for (std::size_t n = 0; n < 7; ++n) EXPECT_EQ(out(data, 0, n), expected[n]) << n;
}

TEST_F(Mbarriers, ArriveWhenCopiesAreComplete) {
  const auto body = [](const std::string& arrive, const std::string& parity) {
    return " mov.u32 %r1, 7; st.shared.u32 [%r9], %r1; bar.sync 0;\n"
           " cp.async.cg.shared.global [%r9], [%d3], 16; cp.async.ca.shared.global [%r9+16], [%d3+32], 4;\n" +
           arrive + "WAIT:\n mbarrier.try_wait.parity.shared.b64 %p1, [%r20], " + parity +
           "; @!%p1 bra WAIT;\n"
           " xor.b32 %r2, %r90, 63; mad.lo.u32 %r2, %r2, 64, %r8; ld.shared.u32 %r3, [%r2];\n"
           " ld.shared.u32 %r4, [%r2+16]; st.global.v2.u32 [%d4], {%r3,%r4};\n";
  };
  const std::string
      noinc = " cp.async.mbarrier.arrive.noinc.shared.b64 [%r20];\n",
      inc = " cp.async.mbarrier.arrive.shared::cta.b64 [%r20]; mbarrier.arrive.shared.b64 _, [%r20];\n";
  for (const std::string& arrive : {noinc, inc}) {
    use_barrier("64", body(arrive, "0"));
    const std::vector<std::uint8_t> data = equal_results(64);
    for (std::size_t t = 0; t < 64; ++t) {
      EXPECT_EQ(out(data, t, 0), in(data, t ^ 63, 0));
      EXPECT_EQ(out(data, t, 1), in(data, t ^ 63, 8));
    }
    // A wait for the wrong phase must return at once. The timed threads then read shared memory before the
    // copies have arrived there, so their results differ from those of the reference.
    use_barrier("64", body(arrive, "1"));
    EXPECT_NE(timed_result(64), reference_result(64));
  }
}

TEST_F(Mbarriers, RefuseWrongUses) {
  const auto expect = [&](const std::string& count, const std::string& body, const std::string& text) {
    use_barrier(count, body);
    expect_error(text);
  };
  expect("2", " @%p8 mbarrier.arrive.shared.b64 _, [%r20], 3;",
         "3 arrivals at an mbarrier whose phase lacks 2");
  expect("2", " mbarrier.arrive.shared.b64 _, [%r20+8];", "used before mbarrier.init");
  expect("2", " @%p8 mbarrier.test_wait.shared.b64 %p1, [%r20+8], %d1;", "used before mbarrier.init");
  expect("2", " @%p8 mbarrier.arrive.shared.b64 _, [%r20+4];", "misaligned");
  expect("2", " @%p8 mbarrier.arrive.noComplete.shared.b64 _, [%r20], 2;", "completes the phase");
  expect("2", " @%p8 mbarrier.inval.shared.b64 [%r20]; @%p8 mbarrier.arrive.shared.b64 _, [%r20];",
         "after inval");
  expect("1048576", "", "an mbarrier for 1048576 arrivals");
  expect("0", "", "an mbarrier for 0 arrivals");
  expect("1048575", " @%p8 cp.async.mbarrier.arrive.shared.b64 [%r20];",
         "more than 1048575 pending arrivals");
  expect("2", " @%p8 mbarrier.arrive.b64 _, [%d1];", "of shared memory");
}

}  // namespace
}  // namespace heddle::async_copies

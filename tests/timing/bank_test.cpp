// Tests the time of reads of several operands: operands in the same register bank must be read one after the
// other.

#include <gtest/gtest.h>

#include "tests/timing/timed_kernel.h"

namespace heddle::timing {
namespace {

// Returns the cycles from the issue of the instruction `reader` to the issue of an instruction that needs its
// result. Instructions before these two make the compiler number the registers %r0 to %r40 in this order.
Cycle read_and_use(const Machine& machine, const std::string& reader) {
  const std::string body = repeated(41, "mov.u32 %r@, 1;") + repeated(5, "add.u32 %r40, %r40, 1;") + reader +
                           "\nadd.u32 %r41, %r9, 1;\n";
  const Measured m = measure(machine, body);
  return m.first_at(47) - m.first_at(46);
}

Machine with_banks(const std::string& preset, const std::string& layout, const std::string& ports) {
  return on(preset)
      .with("sm.scheduler=lrr")
      .with("sm.register_file.collector_operands_per_cycle=3")
      .with("sm.register_file.banks.layout=" + layout)
      .with("sm.register_file.banks.ports=" + ports);
}

const std::string kOne = "mad.lo.u32 %r9, %r1, 3, 5;";
const std::string kTwo = "mad.lo.u32 %r9, %r1, %r2, 5;";
const std::string kThree = "mad.lo.u32 %r9, %r1, %r2, %r3;";

TEST(OperandsInOneBank, ByWarp) {
  for (const char* ports : {"1rw", "1r1w"}) {
    for (const int latency : {9, 30}) {
      const std::string set = "sm.units.int_mul.latency_cycles=" + std::to_string(latency);
      const auto l = static_cast<Cycle>(latency);
      for (const char* preset : {"fermi-gtx480", "fermi-gebhart"}) {
        const Machine machine = with_banks(preset, "wid", ports).with(set);
        EXPECT_EQ(read_and_use(machine, kOne), l) << preset;
        EXPECT_EQ(read_and_use(machine, kTwo), l + 1) << preset;
        EXPECT_EQ(read_and_use(machine, kThree), l + 2) << preset;
      }
    }
  }
}

// With the layout `wshift`, two registers share a bank if their numbers differ by a multiple of the number of
// banks.
TEST(OperandsInOneBank, ByWarpAndRegister) {
  for (const char* ports : {"1rw", "1r1w"}) {
    // 16 banks, operation latency 9 cycles
    const Machine gtx480 = with_banks("fermi-gtx480", "wshift", ports);
    // 4 banks, operation latency 8 cycles
    const Machine gebhart = with_banks("fermi-gebhart", "wshift", ports);
    for (const std::string& neighbours : {kOne, kTwo, kThree}) {
      EXPECT_EQ(read_and_use(gtx480, neighbours), 9u);
      EXPECT_EQ(read_and_use(gebhart, neighbours), 8u);
    }
    EXPECT_EQ(read_and_use(gtx480, "mad.lo.u32 %r9, %r1, %r17, 5;"), 10u);
    EXPECT_EQ(read_and_use(gtx480, "mad.lo.u32 %r9, %r1, %r17, %r33;"), 11u);
    EXPECT_EQ(read_and_use(gtx480, "mad.lo.u32 %r9, %r1, %r5, %r13;"), 9u);
    EXPECT_EQ(read_and_use(gebhart, "mad.lo.u32 %r9, %r1, %r5, %r2;"), 9u);
    EXPECT_EQ(read_and_use(gebhart, "mad.lo.u32 %r9, %r1, %r5, %r13;"), 10u);
  }
}

TEST(OperandsInOneBank, OneRegisterInThreeSlots) {
  EXPECT_EQ(read_and_use(with_banks("fermi-gtx480", "wshift", "1rw"), "mad.lo.u32 %r9, %r1, %r1, %r1;"), 11u);
  EXPECT_EQ(read_and_use(with_banks("fermi-gebhart", "wshift", "1r1w"), "mad.lo.u32 %r9, %r1, %r1, %r1;"),
            10u);
}

// With repeated_operand `once`, a register that several source slots of an instruction name is read once. The
// same holds for 64-bit operands and for the halves of 64-bit operands.
TEST(OperandsInOneBank, OneRegisterInThreeSlotsReadOnce) {
  const auto once = [](const char* preset, const char* ports) {
    return with_banks(preset, "wshift", ports).with("sm.register_file.repeated_operand=once");
  };
  EXPECT_EQ(read_and_use(once("fermi-gtx480", "1rw"), "mad.lo.u32 %r9, %r1, %r1, %r1;"), 9u);
  EXPECT_EQ(read_and_use(once("fermi-gebhart", "1r1w"), "mad.lo.u32 %r9, %r1, %r1, %r1;"), 8u);
  EXPECT_EQ(read_and_use(once("fermi-gtx480", "1rw"), "mad.lo.u32 %r9, %r1, %r17, %r1;"), 10u);
  const std::string body =
      "mov.u32 %r0, %tid.x;\nmul.wide.u32 %rd0, %r0, 4;\nld.param.u64 %rd1, [buffer];\n"
      "add.s64 %rd1, %rd1, %rd0;\nadd.u32 %r1, %r0, 5;\nmad.lo.u32 %r2, %r1, %r0, %r1;\n"
      "mul.lo.u32 %r3, %r2, %r2;\nmov.b64 %rd2, {%r3, %r2};\nmad.lo.u64 %rd3, %rd2, %rd2, %rd0;\n"
      "add.s64 %rd3, %rd3, %rd3;\nmov.b64 {%r4, %r5}, %rd3;\nselp.b32 %r6, %r4, %r4, %p0;\n"
      "mad.lo.u32 %r6, %r6, %r5, %r6;\nst.global.u32 [%rd1], %r6;\n";
  const Measured each = measure(on("fermi-gtx480"), body);
  const Measured one = measure(on("fermi-gtx480").with("sm.register_file.repeated_operand=once"), body);
  EXPECT_EQ(each.buffer, one.buffer);
  EXPECT_NE(one.buffer[3], 0u);
  // By default, a register is read once for each source slot. That makes 8 words more: %r1 (1), %r2 (1), %rd2
  // (2), %rd3 (2), %r4 (1), %r6 (1)
  EXPECT_EQ(each.count("sm0.partition0.banks.reads"), one.count("sm0.partition0.banks.reads") + 8);
  EXPECT_EQ(each.count("sm0.issue.pair_words"), one.count("sm0.issue.pair_words") + 4);
}

// A collector with one write port receives one word per cycle, from any bank (Radaideh 2021, IV-A).
TEST(OperandsInOneBank, CollectorPortOfOneWord) {
  const Machine machine =
      with_banks("fermi-gebhart", "wshift", "1r1w").with("sm.register_file.collector_operands_per_cycle=1");
  EXPECT_EQ(read_and_use(machine, kOne), 8u);
  EXPECT_EQ(read_and_use(machine, kTwo), 9u);
  EXPECT_EQ(read_and_use(machine, kThree), 10u);
}

// A result is written to its bank one cycle after the result bus. If the bank has only one port, a read in
// the cycle of the write must wait. To get this case, the writing instruction issues (latency - 2) cycles
// before the reading instruction.
TEST(ReadAgainstWrite, OnePortOrTwo) {
  const auto distance = [](const std::string& preset, const std::string& ports, int latency) {
    const Machine machine =
        with_banks(preset, "wid", ports).with("sm.units.int_add.latency_cycles=" + std::to_string(latency));
    const std::string body = "add.u32 %r0, %r0, 1;\nadd.u32 %r0, %r0, 1;\n" +
                             std::string("mov.u32 %r1, 1;\n") + "bra NEXT;\nNEXT:\n" +
                             repeated(latency - 6, "bar.sync 0;") +
                             "add.u32 %r2, %r3, 1;\nadd.u32 %r4, %r2, 1;";
    const auto at = measure(machine, body).of_warp(0);
    const auto reader = static_cast<std::size_t>(4 + latency - 6);
    EXPECT_EQ(at[reader] - at[2], static_cast<Cycle>(latency - 2));
    return at[reader + 1] - at[reader];
  };
  EXPECT_EQ(distance("fermi-gtx480", "1rw", 9), 10u);
  EXPECT_EQ(distance("fermi-gtx480", "1r1w", 9), 9u);
  EXPECT_EQ(distance("fermi-gebhart", "1rw", 20), 21u);
  EXPECT_EQ(distance("fermi-gebhart", "1r1w", 20), 20u);
}

TEST(Conservation, BanksServeAllRequestsOfThePort) {
  const Measured m = measure(on("fermi-gtx480", 256),
                             repeated(4, "mad.lo.u32 %r@, %r8, %r9, %r10;\nadd.u64 %rd@, %rd8, %rd9;"));
  // 8 warps execute each of the two kinds of instructions 4 times; the two kinds together have 3 + 4 source
  // words and 1 + 2 result words
  EXPECT_EQ(m.count("sm0.partition0.register_port.reads"), 8u * 4 * 7);
  EXPECT_EQ(m.count("sm0.partition0.banks.reads"), 8u * 4 * 7);
  EXPECT_EQ(m.count("sm0.partition0.register_port.writes"), 8u * 4 * 3);
  EXPECT_EQ(m.count("sm0.partition0.banks.writes"), 8u * 4 * 3);
  EXPECT_EQ(m.count("sm0.issue.pair_words"), 8u * 4 * 6);
}

}  // namespace
}  // namespace heddle::timing

// Tests how many cycles ten dependent additions take with sleeping register rows, and with rows of different
// speeds (Abdel-Majeed 2016, 5.5.5 and 6.6.3).

#include <gtest/gtest.h>

#include "tests/timing/timed_kernel.h"

namespace heddle::timing {
namespace {

const std::string kBanks = "sm.register_file.banks.";

Cycle ten_additions(const Machine& machine, const std::string& reg = "%r0") {
  return measure(machine, repeated(reg == "%r0" ? 0 : 5, "mov.u32 %r@, 1;") +
                              repeated(10, "add.u32 " + reg + ", " + reg + ", 1;"))
      .cycles;
}

// The clocked boundary between collector and banks hides the first cycle of a row's wake-up.
TEST(TriModalTime, EveryWakeUpCycleButTheFirstDelaysADependentAddition) {
  const Machine gtx480 = on("fermi-gtx480").with("sm.scheduler=lrr");
  EXPECT_EQ(ten_additions(gtx480), 95u);
  const auto at = [&](int wake_up, int ahead) {
    return ten_additions(gtx480.with(kBanks + R"(power={"type":"tri-modal","wake_up_cycles":)" +
                                     std::to_string(wake_up) + R"(,"look_ahead_cycles":)" +
                                     std::to_string(ahead) + "}"));
  };
  EXPECT_EQ(at(0, 0), 95u);
  EXPECT_EQ(at(1, 0), 95u);
  EXPECT_EQ(at(2, 0), 105u);
  EXPECT_EQ(at(3, 0), 115u);
  EXPECT_EQ(at(3, 1), 96u)
      << "one cycle for the first; from then on rows do not drowse between write and read";
  EXPECT_EQ(at(3, 2), 95u);
  EXPECT_EQ(at(3, 3), 95u);
}

// Registers of a warp with numbers from `fast_registers` (4) on are in slow rows; with `all-slow`, all
// registers are. An access to them takes longer and occupies its bank longer.
TEST(PartitionTime, SlowRowsDelayAndHoldTheirBank) {
  const Machine kepler = on("kepler-gtx780").with("sm.scheduler=lrr");
  EXPECT_EQ(ten_additions(kepler), 95u);
  const Machine all_slow = kepler.with(kBanks + "partition.kind=all-slow");
  EXPECT_EQ(ten_additions(all_slow), 115u);
  EXPECT_EQ(ten_additions(all_slow.with(kBanks + "partition.busy=whole-access")), 5u + 11u + 9u * 12u);
  const Machine partition = kepler.with(kBanks + "partition.kind=fast-slow");
  EXPECT_EQ(ten_additions(partition), 95u);
  EXPECT_EQ(ten_additions(partition.with(kBanks + "partition.mode=low")), 105u);
}

TEST(PartitionTime, TheFifthRegisterOfAWarpIsSlow) {
  const Machine kepler = on("kepler-gtx780").with("sm.scheduler=lrr");
  const Machine partition = kepler.with(kBanks + "partition.kind=fast-slow");
  EXPECT_EQ(ten_additions(partition, "%r3"), ten_additions(kepler, "%r3"));
  EXPECT_EQ(ten_additions(partition, "%r4"), ten_additions(kepler, "%r4") + 20);
}

// Slow rows lengthen an operation. A longer `latency_cycles` of all banks does not, because the configured
// latency of an operation includes the latency of the banks.
TEST(PartitionTime, SlowRowsAreNotSlowBanks) {
  const Machine kepler = on("kepler-gtx780").with("sm.scheduler=lrr");
  EXPECT_EQ(ten_additions(kepler.with(kBanks + "latency_cycles=3").with(kBanks + "partition.kind=none")),
            95u);
}

// The row of a source is awake during its wake-up and one more cycle. The row of the result is awake until
// the result is written. It is therefore also awake during the addition's latency.
TEST(TriModalTime, RowsOfOneAddition) {
  const Measured m = measure(on("fermi-gtx480").with("sm.scheduler=lrr").with(kBanks + "power=tri-modal"),
                             "add.u32 %r1, %r0, 1;");
  EXPECT_EQ(m.of_warp(0).front(), 5u);
  const auto count = [&](const char* name) { return m.count(std::string("sm0.partition0.banks.") + name); };
  EXPECT_EQ(count("wake_ups"), 2u);
  EXPECT_EQ(count("wake_entry_cycles"), 6u);
  EXPECT_EQ(count("on_entry_cycles"), 1u + 8u);
  EXPECT_EQ(count("on_entry_cycles") + count("wake_entry_cycles") + count("drowsy_entry_cycles") +
                count("off_entry_cycles"),
            1024 * m.cycles);
}

}  // namespace
}  // namespace heddle::timing

// Tests the energy of the register files of Abdel-Majeed 2016: leakage by power states of rows, access energy
// by driven lanes and by speed of rows. Expected results were computed by hand.

#include <gtest/gtest.h>

#include "testbench/run/energy_setup.h"
#include "tests/power/power_rig.h"

namespace heddle::power {
namespace {

constexpr Cycle kCycles = 1000;

// A register file with made-up counters. It has 16 banks of 64 rows, unless `uneven` gives other sizes.
// `partition`: value of the parameter banks.partition.kind.
struct RegisterFile : PowerRig {
  explicit RegisterFile(const std::string& technology, const std::string& partition = "none",
                        const std::string& uneven = "[]")
      : name(technology) {
    configuration =
        R"({"gpu": {"core_clock_mhz": 700, "sm": {"partitions": 1, "schedulers_per_partition": 4, "register_file": {
      "stages": ["banks"], "banks": {"count": 16, "entries": 64, "uneven_entries": )" +
        uneven + R"(, "partition": {"kind": ")" + partition + R"("}}}}}})";
  }
  RegisterFile& bank(const std::string& counter, std::uint64_t value) {
    count("sm0.partition0.banks." + counter, value);
    return *this;
  }
  RegisterFile& words(std::uint64_t reads, std::uint64_t writes) {
    count("sm0.partition0.register_port.reads", reads).count("sm0.partition0.register_port.writes", writes);
    return bank("reads", reads).bank("writes", writes);
  }
  /// Sets the numbers of rows that are on, waking, drowsy and off in every cycle.
  RegisterFile& rows(std::uint64_t on, std::uint64_t waking, std::uint64_t drowsy, std::uint64_t off) {
    bank("on_entry_cycles", on * kCycles).bank("wake_entry_cycles", waking * kCycles);
    return bank("drowsy_entry_cycles", drowsy * kCycles).bank("off_entry_cycles", off * kCycles);
  }
  EnergyBalance energy() const {
    const EnergyAccount bound = account(
        std::vector<Technology>{read_technology(run::find_technology(name, "test"), run::find_technology)});
    bound.check_cycles(values(), kCycles);
    return bound.report(values(), kCycles).total;
  }
  std::string name;
};

// Half of the 1024 rows are allocated. Drowsy and off rows must save 95.0 % of the leakage if no row is on,
// and 93.6 % if 16 rows are on.
TEST(WarpedRegisterFileEnergy, LeakageOfDrowsyAndOffRows) {
  const EnergyBalance idle =
      RegisterFile("abdel-majeed-register-32nm").words(0, 0).rows(0, 0, 512, 512).energy();
  EXPECT_NEAR(100 * idle.static_saved(), 95.0, 1e-9);
  EXPECT_NEAR(idle.baseline[Kind::leakage], 16 * 8.0 * kCycles, 1e-6) << "16 banks of 8 pJ a cycle";
  const EnergyBalance busy =
      RegisterFile("abdel-majeed-register-32nm").words(0, 0).rows(12, 4, 496, 512).energy();
  EXPECT_NEAR(100 * busy.static_saved(), 93.59375, 1e-9);
}

TEST(WarpedRegisterFileEnergy, RowsThatAreAlwaysOnLeakAsTheBaseline) {
  const EnergyBalance plain = RegisterFile("abdel-majeed-register-32nm").words(10, 20).energy();
  EXPECT_NEAR(plain.spent[Kind::leakage], 16 * 8.0 * kCycles, 1e-6);
  EXPECT_NEAR(plain.spent[Kind::dynamic], 30 * 16.0, 1e-9) << "16 pJ an access at 700 MHz";
  EXPECT_NEAR(plain.saved(), 0, 1e-12);
}

TEST(WarpedRegisterFileEnergy, StatesThatDoNotAddUpAreAnError) {
  EXPECT_THROW(RegisterFile("abdel-majeed-register-32nm").words(0, 0).rows(0, 0, 512, 511).energy(),
               InternalError);
}

TEST(WarpedRegisterFileEnergy, RowsOfUnevenBanks) {
  EXPECT_NO_THROW(
      RegisterFile("abdel-majeed-register-32nm", "none", "[3, 4]").words(0, 0).rows(1, 1, 2, 3).energy());
}

// The energy of an access is proportional to the driven lanes: with 16 of 32 lanes, an access takes half of
// the energy. If 9 lanes are active, segments of 8 lanes drive 16 lanes, and segments of 4 lanes drive 12
// lanes.
TEST(WarpedRegisterFileEnergy, AccessesInProportionToTheLanesDriven) {
  const auto saved = [](std::uint64_t driven) {
    return 100 * RegisterFile("abdel-majeed-register-32nm")
                     .words(100, 0)
                     .bank("idle_lanes_read", 100 * (32 - driven))
                     .bank("idle_lanes_written", 0)
                     .energy()
                     .dynamic_saved();
  };
  EXPECT_NEAR(saved(16), 50, 1e-9);
  EXPECT_NEAR(saved(12), 62.5, 1e-9);
  EXPECT_NEAR(saved(9), 71.875, 1e-9);
}

RegisterFile& speeds(RegisterFile& file, std::uint64_t high, std::uint64_t low, std::uint64_t slow) {
  file.words(high + low + slow, 0)
      .bank("fast_high_reads", high)
      .bank("fast_low_reads", low)
      .bank("slow_reads", slow);
  return file.bank("fast_high_writes", 0).bank("fast_low_writes", 0).bank("slow_writes", 0);
}

// 490 accesses to fast rows in the high mode, 210 in the low mode and 300 accesses to slow rows must take
// 6960 pJ. A plain register file takes 14900 pJ for as many accesses. The leakage must be 20.68 mW instead of
// 33.8 mW (Table 6.4).
TEST(PilotRegisterFileEnergy, AsTable64WithThePrintedShares) {
  RegisterFile file("abdel-majeed-finfet-7nm", "fast-slow");
  const EnergyBalance energy = speeds(file, 490, 210, 300).energy();
  EXPECT_NEAR(energy.spent[Kind::dynamic], 6960, 1e-6);
  EXPECT_NEAR(energy.baseline[Kind::dynamic], 14900, 1e-6);
  EXPECT_NEAR(100 * energy.dynamic_saved(), 53.3, 0.05);
  EXPECT_NEAR(100 * energy.static_saved(), 38.8, 0.05);
}

TEST(PilotRegisterFileEnergy, WithoutTheAdaptiveMode) {
  RegisterFile file("abdel-majeed-finfet-7nm", "fast-slow");
  EXPECT_NEAR(100 * speeds(file, 700, 0, 300).energy().dynamic_saved(), 49.9, 0.05);
}

TEST(PilotRegisterFileEnergy, NearThresholdAndPlain) {
  RegisterFile slow("abdel-majeed-finfet-7nm", "all-slow");
  const EnergyBalance energy = speeds(slow, 0, 0, 1000).energy();
  EXPECT_NEAR(100 * energy.dynamic_saved(), 47, 1e-9);
  EXPECT_NEAR(energy.static_saved(), 1 - 13.4 * 256 / 224 / 33.8, 1e-12);
  EXPECT_NEAR(RegisterFile("abdel-majeed-finfet-7nm").words(600, 400).energy().saved(), 0, 1e-12);
}

}  // namespace
}  // namespace heddle::power

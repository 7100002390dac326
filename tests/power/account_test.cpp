// Tests energy accounts with invented counters. The calculation of each expected value is next to it.

#include "power/energy_account.h"

#include <gtest/gtest.h>

#include "tests/power/power_rig.h"

namespace heddle::power {
namespace {

const char* kOperations =
    R"("entries": [{"name": "operation", "structure": "execution.int", "kind": "dynamic",
  "counter": "sm*.units.int*.operations", "coefficient": 1.5}])";

TEST(EnergyAccount, CountersTimesCoefficientByUnit) {
  PowerRig rig;
  rig.count("sm0.units.int0.operations", 10).count("sm0.units.int1.operations", 4);
  rig.count("sm1.units.int0.operations", 2).count("sm0.units.fp0.operations", 1000);
  const EnergyReport report = rig.report(kOperations, 100);
  ASSERT_EQ(report.structures.size(), 1u);
  const StructureReport& ints = report.structures[0];
  EXPECT_EQ(ints.name, "execution.int");
  EXPECT_DOUBLE_EQ(ints.energy.spent[Kind::dynamic], 24) << "1.5 x (10 + 4 + 2)";
  EXPECT_DOUBLE_EQ(ints.energy.spent.total(), 24);
  ASSERT_EQ(ints.units.size(), 2u);
  EXPECT_EQ(ints.units[0].name, "int0");
  EXPECT_DOUBLE_EQ(ints.units[0].energy.spent.total(), 18) << "int0 of both SMs";
  EXPECT_DOUBLE_EQ(ints.units[1].energy.spent.total(), 6);
  EXPECT_DOUBLE_EQ(report.total.spent.total(), 24);
  EXPECT_DOUBLE_EQ(report.find("execution").spent.total(), 24);
  EXPECT_DOUBLE_EQ(ints.energy.baseline.total(), 24)
      << "no baseline given: the mechanism changes nothing here";
  EXPECT_DOUBLE_EQ(ints.energy.saved(), 0);
  EXPECT_DOUBLE_EQ(report.milliwatts(report.total.spent.total()), 0.12) << "24 pJ in 100 cycles of 2 ns";
}

TEST(EnergyAccount, MilliwattsLastForTheCyclesOfAState) {
  PowerRig rig;
  rig.count("sm0.units.int0.on_cycles", 30).count("sm0.units.int1.on_cycles", 70);
  const EnergyReport report = rig.report(
      R"("entries": [{"name": "leak", "structure": "e.i", "kind": "leakage", "unit": "mW",
                      "counter": "sm*.units.int*.on_cycles", "coefficient": 3,
                      "baseline": {"counter": "sm*.units.int*.cycles"}}])",
      100);
  EXPECT_DOUBLE_EQ(report.total.spent[Kind::leakage], 600) << "3 mW x 2 ns x 100 cycles on";
  EXPECT_DOUBLE_EQ(report.total.baseline[Kind::leakage], 1200) << "both units for 100 cycles";
  EXPECT_DOUBLE_EQ(report.total.static_saved(), 0.5);
}

// Counters of one power domain over 100 cycles: 40 cycles on, 28 uncompensated, 26 compensated, 6 waking up.
// The domain is gated twice. The break-even time is 14 cycles. 5 mW at 500 MHz are 10 pJ per cycle.
const char* kGating = R"("values": {"mw": {"value": 5, "source": "made up"}}, "entries": [
  {"name": "on", "structure": "e.i", "kind": "leakage", "unit": "mW", "coefficient": "mw", "optional": true,
   "counter": ["sm*.gating.int*.on_cycles", "sm*.gating.int*.wake_up_cycles"],
   "baseline": {"counter": "sm*.gating.int*.cycles"}},
  {"name": "gated", "structure": "e.i", "kind": "leakage", "unit": "mW", "coefficient": {"product": ["mw", SHARE]},
   "counter": ["sm*.gating.int*.uncompensated_cycles", "sm*.gating.int*.compensated_cycles"],
   "optional": true, "baseline": 0},
  {"name": "switch", "structure": "e.i", "kind": "overhead", "unit": "mW", "optional": true, "baseline": 0,
   "counter": "sm*.gating.int*.sleeps",
   "coefficient": {"product": ["mw", {"config": "gpu.sm.gating.int.break_even_cycles"}]}},
  {"name": "ungated", "structure": "e.i", "kind": "leakage", "unit": "mW", "coefficient": "mw",
   "counter": "sm*.units.int*.cycles", "unless": "sm*.gating.int*.on_cycles"}],
  "checks": [{"name": "states", "counters": ["sm*.gating.*.on_cycles", "sm*.gating.*.uncompensated_cycles",
              "sm*.gating.*.compensated_cycles", "sm*.gating.*.wake_up_cycles"]}])";

std::string gating(const std::string& share) {
  std::string text = kGating;
  return text.replace(text.find("SHARE"), 5, share);
}

class GatedDomain : public testing::Test {
 protected:
  GatedDomain() {
    rig.configuration =
        R"({"gpu": {"core_clock_mhz": 500, "sm": {"gating": {"int": {"break_even_cycles": 14}}}}})";
  }
  void add_domain(std::uint64_t on, std::uint64_t uncompensated, std::uint64_t compensated,
                  std::uint64_t waking, std::uint64_t sleeps) {
    rig.count("sm0.gating.int0.on_cycles", on).count("sm0.gating.int0.uncompensated_cycles", uncompensated);
    rig.count("sm0.gating.int0.compensated_cycles", compensated)
        .count("sm0.gating.int0.wake_up_cycles", waking);
    rig.count("sm0.gating.int0.sleeps", sleeps).count("sm0.units.int0.operations", 7);
  }
  PowerRig rig;
};

TEST_F(GatedDomain, SavesWhatItIsGatedForLessTheSwitching) {
  add_domain(40, 28, 26, 6, 2);
  const EnergyReport report = rig.report(gating("0"), 100);
  EXPECT_DOUBLE_EQ(report.total.spent[Kind::leakage], 460) << "10 pJ x (40 + 6): waking up leaks in full";
  EXPECT_DOUBLE_EQ(report.total.spent[Kind::overhead], 280) << "2 x 14 cycles x 10 pJ";
  EXPECT_DOUBLE_EQ(report.total.baseline[Kind::leakage], 1000);
  EXPECT_NEAR(report.total.static_saved(), 0.26, 1e-12) << "1 - 740 / 1000: 54 gated cycles less 28";
}

TEST_F(GatedDomain, GatedExactlyForBreakEvenSavesNothing) {
  add_domain(86, 14, 0, 0, 1);
  EXPECT_NEAR(rig.report(gating("0"), 100).total.static_saved(), 0, 1e-12);
}

TEST_F(GatedDomain, GatedForLessLosesEnergy) {
  add_domain(90, 10, 0, 0, 1);
  EXPECT_NEAR(rig.report(gating("0"), 100).total.static_saved(), -0.04, 1e-12) << "10 cycles won, 14 paid";
}

TEST_F(GatedDomain, MayLeakWhileGated) {
  add_domain(40, 28, 26, 6, 2);
  EXPECT_DOUBLE_EQ(rig.report(gating("0.1"), 100).total.spent[Kind::leakage], 514) << "460 + 0.1 x 54 x 10";
}

TEST_F(GatedDomain, ChecksThatStatesSumToTheCycles) {
  add_domain(40, 28, 26, 6, 2);
  const EnergyAccount account = rig.account(gating("0"));
  EXPECT_NO_THROW(account.check_cycles(rig.values(), 100));
  try {
    account.check_cycles(rig.values(), 101);
    FAIL() << "a cycle is in no state";
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("sm0.gating.int0 (states) sum to 100 cycles of 101"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(GatedDomain, AUnitWithoutADomainLeaksAllTheTime) {
  rig.count("sm0.units.int0.operations", 7);
  const EnergyReport report = rig.report(gating("0"), 100);
  EXPECT_DOUBLE_EQ(report.total.spent[Kind::leakage], 1000);
  EXPECT_DOUBLE_EQ(report.total.static_saved(), 0);
}

TEST(EnergyAccount, BaselineOfAnotherCounterAndAnotherCoefficient) {
  PowerRig rig;
  rig.count("sm0.port.reads", 100).count("sm0.cache.reads", 70).count("sm0.banks.reads", 30);
  const EnergyReport report = rig.report(
      R"("entries": [
        {"name": "banks", "structure": "rf.banks", "kind": "dynamic", "counter": "sm*.banks.reads", "coefficient": 8,
         "baseline": {"counter": "sm*.port.reads"}},
        {"name": "wire", "structure": "rf.wire", "kind": "dynamic", "counter": "sm*.banks.reads", "coefficient": 2,
         "baseline": {"counter": "sm*.port.reads", "coefficient": 4}},
        {"name": "cache", "structure": "rf.cache", "kind": "dynamic", "counter": "sm*.cache.reads", "coefficient": 1,
         "baseline": 0}])",
      50);
  EXPECT_DOUBLE_EQ(report.find("rf.banks").spent.total(), 240);
  EXPECT_DOUBLE_EQ(report.find("rf.banks").baseline.total(), 800);
  EXPECT_DOUBLE_EQ(report.find("rf.wire").baseline.total(), 400);
  EXPECT_DOUBLE_EQ(report.find("rf.cache").baseline.total(), 0);
  EXPECT_DOUBLE_EQ(report.find("rf").spent.total(), 370) << "240 + 60 + 70";
  EXPECT_DOUBLE_EQ(report.find("rf").dynamic_saved(), 1 - 370.0 / 1200);
}

TEST(EnergyAccount, Shares) {
  PowerRig rig;
  rig.count("a.spent", 60).count("a.base", 100);
  const EnergyAccount account = rig.account(
      R"("entries": [{"name": "a", "structure": "g.a", "kind": "dynamic", "counter": "a.spent", "coefficient": 1,
                      "baseline": {"counter": "a.base"}}],
         "shares": [{"name": "chip", "structures": "g", "of": "dynamic", "share": 0.5, "cost": 0.01},
                    {"name": "still", "structures": ["g.a"], "of": "static", "share": 0.5},
                    {"name": "absent", "structures": ["h"], "share": 0.5}])");
  const EnergyReport report = account.report(rig.values(), 10);
  const EnergyReport balances = account.balances(rig.values(), 10);
  EXPECT_TRUE(balances.shares.empty());
  EXPECT_EQ(balances.total.saved(), report.total.saved());
  ASSERT_EQ(report.shares.size(), 2u) << "a share of structures that this run has not";
  EXPECT_NEAR(report.shares[0].saved, 0.19, 1e-12) << "0.4 x 0.5 - 0.01";
  EXPECT_DOUBLE_EQ(report.shares[1].saved, 0);
}

TEST(EnergyAccount, EntriesShowTheirEventsAndCoefficients) {
  PowerRig rig;
  rig.count("sm0.units.int0.operations", 10).count("sm1.units.int0.operations", 5);
  const EnergyAccount account = rig.account(kOperations);
  const EnergyReport report = account.report(rig.values(), 100);
  ASSERT_EQ(report.entries.size(), 1u);
  EXPECT_EQ(report.entries[0].entry->name, "operation");
  EXPECT_DOUBLE_EQ(report.entries[0].events, 15);
  EXPECT_DOUBLE_EQ(report.entries[0].pj_each, 1.5);
  EXPECT_DOUBLE_EQ(report.entries[0].spent_pj, 22.5);
}

TEST(EnergyAccount, IntervalsSumToTheWhole) {
  PowerRig rig;
  rig.count("sm0.units.int0.operations", 10).count("sm0.units.int1.operations", 3);
  const EnergyAccount account = rig.account(kOperations);
  const double first = account.report({4, 3}, 60).total.spent.total();
  const double second = account.report({6, 0}, 40).total.spent.total();
  EXPECT_DOUBLE_EQ(first + second, account.report(rig.values(), 100).total.spent.total());
}

TEST(EnergyAccount, APatternThatMeansNothingIsAnError) {
  PowerRig rig;
  rig.count("sm0.units.int0.operations", 1);
  const std::string error = error_of([&] {
    rig.account(R"("entries": [{"name": "typo", "structure": "e.i", "kind": "dynamic",
                    "counter": ["sm*.units.int*.operations", "sm*.units.itn*.operations"], "coefficient": 1}])");
  });
  EXPECT_NE(
      error.find("test.json:1: entries[0]: entry \"typo\": no counter matches \"sm*.units.itn*.operations\""),
      std::string::npos)
      << error;
}

TEST(EnergyAccount, OptionalEntriesMayMeanNothing) {
  PowerRig rig;
  rig.count("sm0.units.int0.operations", 1);
  const EnergyReport report = rig.report(
      R"("entries": [{"name": "cache", "structure": "rf.cache", "kind": "dynamic", "optional": true,
          "counter": "sm*.cache.reads", "coefficient": {"config": "gpu.sm.cache.entries"}}])",
      10);
  EXPECT_TRUE(report.structures.empty()) << "and need no parameters that do not exist";
}

}  // namespace
}  // namespace heddle::power

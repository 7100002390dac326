// Each event must be priced by exactly one technology of an energy account. The counters are made up.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "power/energy_account.h"
#include "tests/power/power_rig.h"

namespace heddle::power {
namespace {

// Two technologies price the same counters. `first` states no rank, so its rank is 100, above the rank 5 of
// `second`. Therefore `first` must price the reads. `second` must price only the writes, and the reads in a
// group of structures that `first` does not price (`chip`, the group of the structure chip.wires).
TEST(Account, WhatOneTechnologyPricesAnotherDoesNotPriceAgain) {
  PowerRig rig;
  rig.count("sm0.banks.reads", 10).count("sm0.banks.writes", 100);
  const auto entry = [](const char* name, const char* structure, const char* counters, int pj) {
    return fmt::format(
        R"({{"name": "{}", "structure": "{}", "kind": "dynamic", "counter": {}, "coefficient": {}}})", name,
        structure, counters, pj);
  };
  Technology first = technology_of(R"("node_nm": 40, "entries": [)" +
                                   entry("r", "file.main", R"("sm*.banks.reads")", 1) + "]");
  Technology second =
      technology_of(R"("node_nm": 28, "entries": [)" + entry("r", "file.other", R"("sm*.banks.reads")", 7) +
                    ", " + entry("both", "file.other", R"(["sm*.banks.reads", "sm*.banks.writes"])", 2) +
                    ", " + entry("elsewhere", "chip.wires", R"("sm*.banks.reads")", 3) + "]");
  first.name = "first";
  second.name = "second";
  second.rank = 5;
  const EnergyAccount account = rig.account({second, first});
  const EnergyReport report = account.report(rig.values(), 5);
  EXPECT_DOUBLE_EQ(report.find("file.main").spent.total(), 10);
  EXPECT_DOUBLE_EQ(report.find("file.other").spent.total(), 200) << "the writes alone, by the second entry";
  EXPECT_DOUBLE_EQ(report.find("chip.wires").spent.total(), 30) << "another group";
  ASSERT_EQ(account.left_out().size(), 2u);
  EXPECT_EQ(account.left_out()[0].technology, "second");
  EXPECT_EQ(account.left_out()[0].priced_by, "first");
  ASSERT_EQ(account.mixed_nodes().size(), 2u);
  EXPECT_EQ(account.mixed_nodes()[0].second, 28);
  EXPECT_EQ(account.mixed_nodes()[1].second, 40);
  second.node_nm = 40;
  EXPECT_TRUE(rig.account({first, second}).mixed_nodes().empty());
}

TEST(Account, CyclesBelongToAStructure) {
  PowerRig rig;
  rig.count("sm0.banks.reads", 10);
  const auto entry = [](const char* structure) {
    return fmt::format(
        R"("entries": [{{"name": "n", "structure": "{}", "kind": "leakage", "unit": "mW", "counter": "sm*.banks.cycles", "coefficient": 1}}])",
        structure);
  };
  const EnergyAccount account =
      rig.account({technology_of(entry("a.x")), technology_of(entry("a.y")), technology_of(entry("a.x"))});
  const EnergyReport report = account.report(rig.values(), 5);
  EXPECT_DOUBLE_EQ(report.find("a.x").spent.total(), 10);
  EXPECT_DOUBLE_EQ(report.find("a.y").spent.total(), 10);
}

Technology table(const std::string& name, int rank, const std::string& counter, double pj,
                 const std::string& more = "") {
  Technology made = technology_of(fmt::format(
      R"("rank": {}, "entries": [{{"name": "r", "structure": "register_file.mrf", "kind": "dynamic",
         "counter": "sm*.partition*.banks.{}", "coefficient": {},
         "baseline": {{"counter": "sm*.partition*.register_port.reads", "coefficient": {}}}}}{}])",
      rank, counter, pj, pj, more));
  made.name = name;
  return made;
}

struct Banks : PowerRig {
  Banks() {
    count("sm0.partition0.banks.reads", 10).count("sm0.partition0.banks.read_sub_banks", 40);
    count("sm0.partition0.register_port.reads", 10);
  }
};

TEST(Account, RowsAndSubBanksAreOneEvent) {
  const Banks rig;
  const EnergyAccount account =
      rig.account({table("rows", 1, "reads", 4), table("sub-banks", 0, "read_sub_banks", 1)});
  EXPECT_DOUBLE_EQ(account.report(rig.values(), 5).total.spent.total(), 40);
  const std::string error = error_of([&] {
    rig.account({table("rows", 0, "reads", 4), table("sub-banks", 0, "read_sub_banks", 1)});
  });
  EXPECT_NE(
      error.find("rows and sub-banks have one rank (0) and price \"read\" of register_file.mrf differently "
                 "(allowed: one of them, or power.stand_back=[\"rows\"] or [\"sub-banks\"])"),
      std::string::npos)
      << error;
}

TEST(Account, WhatStandsBackPricesWhatNoOtherTableDoes) {
  const Banks rig;
  Technology rows =
      table("rows", 9, "reads", 4, R"(, {"name": "leak", "structure": "register_file.mrf", "kind": "leakage",
      "unit": "mW", "counter": "sm*.partition*.banks.cycles", "coefficient": 1})");
  rows.stands_back = true;
  const EnergyAccount account = rig.account({rows, table("sub-banks", 0, "read_sub_banks", 3)});
  const EnergyReport report = account.report(rig.values(), 5);
  EXPECT_DOUBLE_EQ(report.total.spent[Kind::dynamic], 120);
  EXPECT_DOUBLE_EQ(report.total.spent[Kind::leakage], 10) << "5 cycles of 2 ns at 1 mW";
}

TEST(Account, APriceIsThatOfTheOwner) {
  Banks rig;
  rig.count("sm0.partition0.banks.pairs", 3);
  Technology pairs = technology_of(
      R"("entries": [{"name": "p", "structure": "register_file.pairs", "kind": "dynamic", "baseline": 0,
         "counter": "sm*.partition*.banks.pairs",
         "coefficient": {"product": [0.5, {"price": "sm*.partition*.register_port.reads"}]}}])");
  pairs.name = "pairs";
  const auto spent = [&](const std::vector<Technology>& more) {
    std::vector<Technology> all = more;
    all.push_back(pairs);
    const EnergyAccount account = rig.account(all);
    return account.report(rig.values(), 5).find("register_file.pairs").spent.total();
  };
  const Technology low = table("low", 0, "reads", 4), high = table("high", 1, "reads", 6);
  EXPECT_DOUBLE_EQ(spent({low}), 6);
  EXPECT_DOUBLE_EQ(spent({low, high}), 9);
  EXPECT_DOUBLE_EQ(spent({}), 0);
}

TEST(Account, PartsOfOnesOwnThatNothingPricesAreNamed) {
  Banks rig;
  rig.count("sm0.partition0.my_stage.hits", 3).count("sm0.partition0.my_stage.fills", 3);
  const EnergyAccount without = rig.account({table("rows", 0, "reads", 4)});
  ASSERT_EQ(without.warnings().size(), 1u);
  EXPECT_EQ(without.warnings()[0],
            "energy: nothing prices what sm*.partition*.my_stage counts (fills, hits): a part without an "
            "entry in a "
            "technology costs nothing");
  const EnergyAccount with =
      rig.account({table("rows", 0, "reads", 4, R"(, {"name": "m", "structure": "mine.stage",
      "kind": "dynamic", "counter": "sm*.partition*.my_stage.hits", "coefficient": 1, "baseline": 0})")});
  EXPECT_TRUE(with.warnings().empty());
}

TEST(Account, ATableThatIsReadFarOutsideIsNamed) {
  const auto warnings = [](int entries) {
    PowerRig rig;
    rig.count("a.reads", 1);
    const EnergyAccount account = rig.account(fmt::format(
        R"("tables": {{"pj": {{"axes": [{{"name": "entries", "at": [8, 64]}}], "values": [1, 2], "outside": "extrapolate",
             "source": "made up"}}}},
           "entries": [{{"name": "r", "structure": "a.b", "kind": "dynamic", "counter": "a.reads",
             "coefficient": {{"table": "pj", "at": [{}]}}}}])",
        entries));
    return account.warnings();
  };
  EXPECT_TRUE(warnings(96).empty());
  EXPECT_TRUE(warnings(6).empty());
  ASSERT_EQ(warnings(192).size(), 1u);
  EXPECT_EQ(warnings(192)[0],
            "energy: test reads its table far outside of what it holds: pj: entries = 192 (8 to 64)");
  EXPECT_EQ(warnings(5).size(), 1u);
}

}  // namespace
}  // namespace heddle::power

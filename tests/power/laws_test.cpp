// Tests laws that an energy account must obey for every list of technologies. One simulation gives the
// counters. From these counters, the test then computes the energy with each of many lists.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "models/core/error.h"
#include "power/account_sums.h"
#include "power/arrays.h"
#include "power/corners.h"
#include "testbench/output/plain_twin.h"
#include "testbench/output/run_totals.h"
#include "testbench/run/data_files.h"
#include "testbench/run/energy_setup.h"
#include "testbench/run/run_session.h"
#include "testbench/run/scenario.h"

namespace heddle::power {
namespace {

using List = std::vector<std::string>;

List presets() { return run::list_data("configs/gpu", ".json"); }
List techniques() { return run::list_data("configs/techniques", ".json"); }

const Technology& technology_named(const std::string& name) {
  static std::map<std::string, Technology> known;
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  return known.emplace(name, read_technology(run::find_technology(name, "test"), run::find_technology))
      .first->second;
}

List hardware() {
  List names = run::list_data("configs/technology", ".json");
  std::erase_if(names, [](const std::string& name) { return technology_named(name).what_if; });
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<List> subsets(std::size_t size) {
  const List names = hardware();
  std::vector<List> all;
  std::vector<bool> chosen(names.size(), false);
  std::fill(chosen.end() - static_cast<std::ptrdiff_t>(size), chosen.end(), true);
  do {
    List list;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (chosen[i]) list.push_back(names[i]);
    all.push_back(list);
  } while (std::next_permutation(chosen.begin(), chosen.end()));
  return all;
}

// Returns an eighth of the lists, which depends on the place of `name` in `names`: any eight consecutive names
// have all lists together. HEDDLE_FULL returns all lists.
std::vector<List> share_of(const std::vector<List>& lists, const std::string& name, const List& names) {
  if (std::getenv("HEDDLE_FULL")) return lists;
  const auto number = std::find(names.begin(), names.end(), name) - names.begin();
  std::vector<List> share;
  for (auto at = static_cast<std::size_t>(number % 8); at < lists.size(); at += 8) share.push_back(lists[at]);
  return share;
}

// Returns the lists of three technologies whose places add up to a multiple of 5: a fifth of all, which holds
// every pair of technologies. HEDDLE_FULL returns all lists of three.
std::vector<List> threes() {
  const List names = hardware();
  const std::size_t step = std::getenv("HEDDLE_FULL") ? 1 : 5;
  std::vector<List> lists;
  for (std::size_t c = 2; c < names.size(); ++c)
    for (std::size_t b = 1; b < c; ++b)
      for (std::size_t a = 0; a < b; ++a)
        if ((a + b + c) % step == 0) lists.push_back({names[a], names[b], names[c]});
  return lists;
}

TEST(Lists, OfThreeHoldEveryPair) {
  std::set<std::pair<std::string, std::string>> pairs;
  for (const List& list : threes())
    for (std::size_t b = 0; b < list.size(); ++b)
      for (std::size_t a = 0; a < b; ++a) pairs.insert({list[a], list[b]});
  EXPECT_EQ(pairs.size(), subsets(2).size());
}

// Returns true for a list that must be refused, because it has two technologies of the same rank that price
// the same events of Bailey 2018.
bool disagrees(const List& list) {
  const auto has = [&](const char* name) { return std::find(list.begin(), list.end(), name) != list.end(); };
  return has("bailey-cacti-28nm") && has("bailey-implied-28nm");
}

struct Said {
  std::string refusal;
  EnergyReport report;
  bool operator==(const Said& other) const {
    if (refusal != other.refusal || report.structures.size() != other.report.structures.size()) return false;
    for (std::size_t i = 0; i < report.structures.size(); ++i) {
      const StructureReport &a = report.structures[i], &b = other.report.structures[i];
      if (a.name != b.name || a.energy.spent.pj != b.energy.spent.pj ||
          a.energy.baseline.pj != b.energy.baseline.pj)
        return false;
    }
    return report.total.spent.pj == other.report.total.spent.pj;
  }
};

struct Counted {
  ConfigNode configuration;
  const StatsRegistry* stats = nullptr;
  std::vector<std::uint64_t> values;
  Cycle cycles = 0;

  std::unique_ptr<EnergyAccount> account(const List& list, const List& stand_back = {}) const {
    std::vector<Technology> technologies;
    for (const std::string& name : list) {
      technologies.push_back(technology_named(name));
      technologies.back().stands_back =
          std::find(stand_back.begin(), stand_back.end(), name) != stand_back.end();
    }
    return std::make_unique<EnergyAccount>(std::move(technologies), configuration, *stats);
  }
  Said said(const List& list) const {
    try {
      return {"", account(list)->balances(values, cycles)};
    } catch (const Error& error) {
      return {error.what(), {}};
    }
  }
};

std::string text_of(const List& list) { return fmt::format("[{}]", fmt::join(list, ", ")); }

class KernelRun {
 public:
  KernelRun(const std::string& gpu, const List& techniques) {
    run::ScenarioRequest request;
    request.gpu = gpu;
    request.launch = "testbench/kernels/hotspot/small.json";
    request.with = techniques;
    request.sets = {"gpu.sms=1", "watch.check=off", "power.account=papers"};
    const run::RunParameters parameters = run::read_scenario(request);
    session_ = std::make_unique<run::RunSession>(parameters);
    session_->run();
    counted = {run::energy_configuration(parameters), &session_->stats(), output::total_counters(*session_),
               output::total_cycles(session_->result())};
    technologies = parameters.power.technologies;
  }
  Counted counted;
  List technologies;

 private:
  std::unique_ptr<run::RunSession> session_;
};

void expect_nothing_saved(const Counted& run, const List& list) {
  const Said said = run.said(list);
  EXPECT_TRUE(said.refusal.empty() || disagrees(list)) << text_of(list) << ": " << said.refusal;
  for (const StructureReport& structure : said.report.structures)
    for (const Kind kind : {Kind::dynamic, Kind::leakage, Kind::overhead})
      EXPECT_NEAR(structure.energy.spent[kind], structure.energy.baseline[kind],
                  1e-12 * structure.energy.baseline[kind])
          << structure.name << " under " << text_of(list);
}

class EveryPreset : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Laws, EveryPreset, testing::ValuesIn(presets()), [](const auto& name) {
  std::string text = name.param;
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
});

// Law 1: the energy of a machine without any technique must equal its baseline exactly, with every list of
// technologies.
TEST_P(EveryPreset, APlainMachineSpendsItsBaselineWhateverIsListed) {
  const KernelRun plain(GetParam(), {});
  for (const List& list : subsets(1)) expect_nothing_saved(plain.counted, list);
  for (const List& list :
       GetParam() == "fermi-gtx480" ? subsets(2) : share_of(subsets(2), GetParam(), presets()))
    expect_nothing_saved(plain.counted, list);
  if (GetParam() != "fermi-gtx480") return;
  for (const List& list : threes()) expect_nothing_saved(plain.counted, list);
}

bool is_idle(const EnergyAccount& account, const Counted& run, const std::string& name) {
  const EnergyReport report = account.balances(run.values, run.cycles);
  return std::none_of(report.entries.begin(), report.entries.end(),
                      [&](const EntryReport& entry) { return entry.technology == name; });
}

// Law 2: the energy must not depend on the order of the technologies in a list.
void expect_order_does_not_matter(const Counted& run, List list) {
  const Said first = run.said(list);
  while (std::next_permutation(list.begin(), list.end()))
    EXPECT_TRUE(run.said(list) == first)
        << text_of(list) << " against their order by name: " << first.refusal;
}

void expect_idle_tables_add_nothing(const Counted& run, const List& list) {
  const Said alone = run.said(list);
  if (!alone.refusal.empty()) return;
  for (const std::string& base : hardware()) {
    if (technology_named(base).rank != 0 || std::find(list.begin(), list.end(), base) != list.end()) continue;
    List more = list;
    more.push_back(base);
    const Said with = run.said(more);
    if (with.refusal.empty() && is_idle(*run.account(more), run, base)) {
      EXPECT_TRUE(with == alone) << base << " beside " << text_of(list);
    }
  }
}

bool names(const List& texts, const std::string& name) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return text.starts_with(name); });
}

// Each declared array must have a price, or be named in the report as not priced.
void expect_arrays_priced_or_named(const Counted& run, const List& list) {
  const auto account = run.account(list);
  const EnergyReport report = account->balances(run.values, run.cycles);
  const ArrayList declared = arrays_of(run.configuration);
  EXPECT_EQ(declared.undeclared, List{});
  for (const SizedArray& array : declared.arrays) {
    if (array.structures.empty()) continue;  // hardware of every SM: needs no price of its own
    const bool reported =
        std::any_of(report.structures.begin(), report.structures.end(), [&](const auto& structure) {
          return structure.energy.spent.total() != 0 &&
                 std::find(array.structures.begin(), array.structures.end(), structure.name) !=
                     array.structures.end();
        });
    EXPECT_TRUE(reported || names(account->not_priced().dynamic, array.name))
        << array.name << " of " << array.part << " under " << text_of(list);
  }
}

class EveryTechnique : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Laws, EveryTechnique, testing::ValuesIn(techniques()), [](const auto& name) {
  std::string text = name.param;
  std::replace(text.begin(), text.end(), '-', '_');
  std::replace(text.begin(), text.end(), '+', 'p');
  return text;
});

// Law 2: the order of the technologies in a list must not change the energies. If the listed technologies
// already price all events of a base technology (rank 0: of no technique), adding this base technology must
// not change the energies. Law 3: a technique's baseline must equal the energy of the machine without the
// technique, at the prices of the same technologies.
TEST_P(EveryTechnique, BaselinesAreThePlainMachinesAndTheOrderDecidesNothing) {
  const KernelRun with("fermi-gtx480", {GetParam()});
  const output::PlainTwin twin(*with.counted.stats);
  run::ScenarioRequest request;
  request.gpu = "fermi-gtx480";
  request.sets = {"gpu.sms=1"};
  const Counted plain{run::energy_configuration(run::read_scenario(request)), &twin.stats(),
                      twin.values(with.counted.values), with.counted.cycles};
  std::vector<List> lists = share_of(subsets(2), GetParam(), techniques());
  lists.push_back(with.technologies);
  for (const List& list : lists) {
    const Said spent = plain.said(list), baseline = with.counted.said(list);
    EXPECT_EQ(spent.refusal.empty(), !disagrees(list)) << text_of(list) << ": " << spent.refusal;
    EXPECT_EQ(baseline.refusal.empty(), spent.refusal.empty()) << text_of(list) << ": " << baseline.refusal;
    for (const StructureReport& structure : spent.report.structures) {
      const EnergyParts expected = structure.energy.spent,
                        found = baseline.report.find(structure.name).baseline;
      EXPECT_NEAR(found.total(), expected.total(), 1e-9 * expected.total())
          << structure.name << " under " << text_of(list);
    }
    EXPECT_TRUE(with.counted.said({list.rbegin(), list.rend()}) == baseline) << text_of(list) << " backwards";
  }
  for (const List& list : share_of(subsets(1), GetParam(), techniques()))
    expect_idle_tables_add_nothing(with.counted, list);
  expect_arrays_priced_or_named(with.counted, {"joint-40nm"});
}

// tests/extend tests parts that declare no arrays.
TEST(Arrays, EveryRegisteredPartDeclaresThem) { EXPECT_EQ(find_undeclared_parts(), List{}); }

// Published sizes: 1 KB for the renaming table (Jeon 2015, 7.1); 3.7 KB for CORF's rename table and 512 bytes
// for its map of free entries (Radaideh 2021, Table II).
TEST(Arrays, HaveThePublishedSizes) {
  const auto bits = [](const char* technique, const std::string& name) {
    run::ScenarioRequest request;
    request.gpu = "fermi-gtx480";
    request.with = {technique};
    const ArrayList list = arrays_of(run::energy_configuration(run::read_scenario(request)));
    const auto found = std::find_if(list.arrays.begin(), list.arrays.end(),
                                    [&](const SizedArray& array) { return array.name == name; });
    return found == list.arrays.end() ? 0.0 : static_cast<double>(found->entries * found->bits);
  };
  EXPECT_NEAR(bits("virtualization", "renaming table"), 8192, 9);
  for (const char* corf : {"corf", "corf++"}) {
    EXPECT_NEAR(bits(corf, "rename table") / 8192, 3.7, 0.02) << corf;
    EXPECT_EQ(bits(corf, "map of free entries"), 4096) << corf;
    EXPECT_EQ(bits(corf, "widths of rows"), 3 * 1024) << corf;
  }
  EXPECT_EQ(bits("cmrc", "rename table"), 0);
}

TEST(Laws, ThreeTablesInAnyOrder) {
  const KernelRun with("fermi-gtx480", {"hybrid", "warped-register-file", "warped-gates"});
  for (const List& list : threes()) expect_order_does_not_matter(with.counted, list);
}

// Row power states, sleeping subarrays and fast or slow rows are states of the same storage. Only one
// technology may price the leakage of this storage.
TEST(Laws, LeakageHasOneOwner) {
  const KernelRun rows("fermi-gtx480", {"warped-register-file"});
  const auto share = [](const KernelRun& run, const List& list) {
    const EnergyBalance energy =
        run.counted.account(list)->report(run.counted.values, run.counted.cycles).find("register_file.mrf");
    return energy.spent[Kind::leakage] / energy.baseline[Kind::leakage];
  };
  const double papers = share(rows, {"abdel-majeed-register-32nm"}), joint = share(rows, {"joint-40nm"});
  EXPECT_GT(papers, 0);
  EXPECT_LT(papers, 0.2);
  EXPECT_GT(joint, papers) << "decoders and amplifiers leak whatever rows are off";
  for (const List& list : threes()) {
    const Said said = rows.counted.said(list);
    if (said.report.find("register_file.mrf").baseline[Kind::leakage] == 0) continue;
    const double part = said.report.find("register_file.mrf").spent[Kind::leakage] /
                        said.report.find("register_file.mrf").baseline[Kind::leakage];
    const bool owned = std::find(list.begin(), list.end(), "joint-40nm") != list.end();
    EXPECT_NEAR(part, owned ? joint : papers, 1e-9) << text_of(list);
  }
}

class EveryStack : public testing::TestWithParam<List> {};
INSTANTIATE_TEST_SUITE_P(Laws, EveryStack,
                         testing::Values(List{"hybrid", "tric", "warped-gates"},
                                         List{"pilot-register-file", "operand-hierarchy", "cmrc"},
                                         List{"gpu-shrink", "scratchpad", "origami"},
                                         List{"shared-register-cache", "scratchpad", "cmrc", "tric"},
                                         List{"hybrid", "corf++", "tric", "pilot-register-file"},
                                         List{"hybrid", "warped-register-file", "pilot-register-file"}),
                         [](const auto& stack) { return "stack" + std::to_string(stack.index); });

EnergyReport joint_report(const Counted& run, const std::string& corner) {
  std::vector<Technology> one = {technology_named("joint-40nm")};
  choose_corners(one, {corner}, "test");
  return EnergyAccount(std::move(one), run.configuration, *run.stats).balances(run.values, run.cycles);
}

// Computes the energy account of each combination of techniques with the prices of the technology joint-40nm:
// the nominal prices, and both ends of every price range. The energies must add up, and the baseline must
// equal the energy of the plain machine.
TEST_P(EveryStack, AddsUpAtEveryEndOfTheRangesOfOneTable) {
  const KernelRun with("fermi-gtx480", GetParam());
  const output::PlainTwin twin(*with.counted.stats);
  run::ScenarioRequest request;
  request.gpu = "fermi-gtx480";
  request.sets = {"gpu.sms=1"};
  const Counted plain{run::energy_configuration(run::read_scenario(request)), &twin.stats(),
                      twin.values(with.counted.values), with.counted.cycles};
  for (const char* corner : {"low", "nominal", "high"}) {
    const EnergyReport spent = joint_report(plain, corner), stacked = joint_report(with.counted, corner);
    EnergyBalance sum;
    for (const StructureReport& structure : stacked.structures) {
      EXPECT_NEAR(structure.energy.baseline.total(), spent.find(structure.name).spent.total(),
                  1e-9 * structure.energy.baseline.total())
          << structure.name << ", " << corner;
      sum.add(structure.energy);
    }
    double counters = 0;
    for (const EntryReport& entry : stacked.entries) counters += entry.events * entry.pj_each;
    EXPECT_NEAR(sum.spent.total(), stacked.total.spent.total(), 1e-9 * sum.spent.total());
    EXPECT_NEAR(counters, sum.spent.total(), 1e-9 * counters) << "events times prices";
    EXPECT_LT(stacked.find("register_file.mrf").spent.total(),
              stacked.find("register_file.mrf").baseline.total());
  }
  expect_idle_tables_add_nothing(with.counted, {"joint-40nm"});
  expect_order_does_not_matter(with.counted,
                               {"gebhart-hierarchy", "abdel-majeed-register-32nm", "joint-40nm"});
}

TEST(Laws, AnAccountThatDoesNotCloseIsRefusedByName) {
  const KernelRun with("fermi-gtx480", {"hybrid"});
  const auto refusal = [](const EnergyReport& report) {
    try {
      check_sums(report);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto account = with.counted.account({"joint-40nm"});
  const EnergyReport report = account->balances(with.counted.values, with.counted.cycles);
  EXPECT_EQ(refusal(report), "");
  EnergyReport lost = report, twice = report, whole = report;
  lost.entries.erase(std::find_if(lost.entries.begin(), lost.entries.end(), [](const EntryReport& entry) {
    return entry.entry->structure == "register_file.tags" && entry.spent_pj > 0;
  }));
  EXPECT_NE(refusal(lost).find("register_file.tags"), std::string::npos) << refusal(lost);
  for (StructureReport& structure : twice.structures)
    if (structure.name == "register_file.mrf") structure.energy.baseline[Kind::dynamic] *= 1 + 1e-6;
  EXPECT_NE(refusal(twice).find("register_file.mrf"), std::string::npos) << refusal(twice);
  whole.total.spent[Kind::leakage] *= 1 + 1e-6;
  EXPECT_NE(refusal(whole).find("total"), std::string::npos) << refusal(whole);
}

// Published shares of the register file in a GTX 480's power: 13 % (Abdel-Majeed 2016, 3.1) and 13.4 %
// (Bailey 2018, I), both from GPUWattch. The share in the account must be within 20 % of these figures.
TEST(Laws, ThePlainRegisterFileDrawsThePublishedShareOfOneTable) {
  const KernelRun plain("fermi-gtx480", {});
  const EnergyReport report = joint_report(plain.counted, "nominal");
  const double share = 100 * report.find("register_file").spent.total() / report.total.spent.total();
  EXPECT_GT(share, 0.8 * 13);
  EXPECT_LT(share, 1.2 * 13.4);
  EXPECT_TRUE(report.not_priced.dynamic.empty()) << report.not_priced.dynamic.front();
  EXPECT_TRUE(report.not_priced.still.empty()) << report.not_priced.still.front();
}

TEST(Laws, TablesOfOneRankAreRefusedByNameUnlessOneStandsBack) {
  const KernelRun plain("fermi-gtx480", {});
  const std::string refusal = plain.counted.said({"radaideh-cmrc", "gebhart-all-l0"}).refusal;
  EXPECT_NE(refusal.find(
                "gebhart-all-l0 and radaideh-cmrc have one rank (0) and price \"read\" of register_file.mrf"),
            std::string::npos)
      << refusal;
  EXPECT_EQ(plain.counted.said({"gebhart-all-l0", "radaideh-cmrc"}).refusal, refusal);
  const auto spent = [&](const List& list, const List& stand_back) {
    return plain.counted.account(list, stand_back)
        ->balances(plain.counted.values, plain.counted.cycles)
        .total.spent.total();
  };
  EXPECT_EQ(spent({"radaideh-cmrc", "gebhart-all-l0"}, {"gebhart-all-l0"}), spent({"radaideh-cmrc"}, {}));
  EXPECT_EQ(spent({"radaideh-cmrc", "gebhart-all-l0"}, {"radaideh-cmrc"}), spent({"gebhart-all-l0"}, {}));
}

TEST(Laws, ATableStandsInPlaceOfTheOneThatItExtends) {
  const KernelRun plain("fermi-gtx480", {});
  const auto account = plain.counted.account({"gebhart-hierarchy", "radaideh-cmrc"});
  EXPECT_TRUE(is_idle(*account, plain.counted, "gebhart-hierarchy"));
  EXPECT_EQ(account->left_out().at(0).priced_by, "radaideh-cmrc");
}

}  // namespace
}  // namespace heddle::power

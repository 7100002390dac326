// Tests the entry format base-delta: compression codes of example values, faults in copies of the format, and
// random programs.

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>

#include "models/banks/i_entry_format.h"
#include "models/banks/sub_bank_power.h"
#include "models/core/registry.h"
#include "tests/fuzz/fuzz_run.h"
#include "tests/guests/delta_examples.h"

namespace heddle {
namespace {

using namespace delta_examples;

// Power domains that sleep in the first cycle in which no row needs them. The domains are on two cycles after
// a request to wake.
class QuickDomains : public PowerDomains {
 public:
  explicit QuickDomains(int domains) : awake_((DomainSet{1} << domains) - 1) {}
  void advance(Cycle now) override {
    if (wakes_at_ <= now) awake_ |= wanted_;
    awake_ &= used_ | wanted_;
  }
  Cycle next_change() const override { return kNever; }
  DomainSet awake() const override { return awake_; }
  DomainSet in_use() const override { return used_; }
  void use(Cycle, DomainSet domains) override {
    EXPECT_EQ(domains & ~awake_, 0u) << "a use of a domain that is off";
    used_ |= domains;
  }
  void left(Cycle, DomainSet domains) override { used_ &= ~domains; }
  void set_inputs(Cycle now, const DomainInputs& inputs) override {
    if (inputs.wanted & ~wanted_) wakes_at_ = now + 2;
    wanted_ = inputs.wanted;
  }

 private:
  DomainSet awake_, used_ = 0, wanted_ = 0;
  Cycle wakes_at_ = kNever;
};

class QuickMaker : public PowerDomainsMaker {
 public:
  PowerDomains& make(const PowerDomainsRequest& request) override {
    groups_.push_back(std::make_unique<QuickDomains>(request.domains));
    return *groups_.back();
  }

 private:
  std::vector<std::unique_ptr<QuickDomains>> groups_;
};

// One bank of four rows.
class Bank {
 public:
  explicit Bank(const std::string& choice, bool gated = false) {
    EntryFormat::Context context{{4}, StatsScope(stats_, "format"), gated ? &maker_ : nullptr};
    format_ = Registry<EntryFormat>::instance().make(parse_config_text(choice, "test"), context);
  }
  /// Writes a register as the banks do: waits at most 20 cycles until the reserved sub-banks are on.
  RowDrive write(std::uint32_t row, const LaneVec& values, LaneMask mask = kAllLanes,
                 LaneMask live = kAllLanes) {
    const RowDrive drive = format_->write_drive(at(row), values, mask, live);
    SubBankPower* const power = format_->sub_bank_power();
    if (power) {
      power->reserve(now_, BankId(0), drive.sub_banks);
      for (int wait = 0; wait < 20 && !power->are_on(BankId(0), drive.sub_banks); ++wait) pass(1);
    }
    format_->write(at(row), values, mask, live, drive.note);
    if (power) power->remove(BankId(0), drive.sub_banks);
    return drive;
  }
  void pass(int cycles) {
    for (; cycles > 0; --cycles) {
      ++now_;
      if (format_->sub_bank_power()) format_->sub_bank_power()->begin_cycle(now_);
    }
  }
  void release(std::uint32_t row) { format_->poison(at(row), kAllLanes); }
  LaneVec value(std::uint32_t row) const {
    LaneVec values;
    format_->read(at(row), format_->read_drive(at(row)).sub_banks, values);
    return values;
  }
  int opened(std::uint32_t row) const { return std::popcount(format_->read_drive(at(row)).sub_banks); }
  const EntryFormat& format() const { return *format_; }

 private:
  static StoredRegister at(std::uint32_t row) { return {{BankId(0), row, true}, WarpId(0), RegId(row)}; }
  StatsRegistry stats_;
  QuickMaker maker_;
  std::unique_ptr<EntryFormat> format_;
  Cycle now_ = 1;
};

TEST(BaseDelta, CodesOfExampleValues) {
  for (const Example& example : examples()) {
    SCOPED_TRACE(example.what);
    for (const int sub_banks : {8, 4}) {
      Bank bank(R"({"type":"base-delta","sub_banks":)" + std::to_string(sub_banks) + "}");
      const int opened = sub_banks == 8 ? example.of_eight : example.of_four;
      EXPECT_EQ(std::popcount(bank.write(0, example.values).sub_banks), opened);
      EXPECT_EQ(bank.opened(0), opened);
      EXPECT_EQ(bank.value(0), example.values);
    }
  }
}

// Lanes of threads that have exited contain poison. These lanes must not affect the compression code that is
// chosen.
TEST(BaseDelta, LanesThatDoNotLiveAreNotJudged) {
  const LaneVec values = lanes([](std::uint32_t i) { return i < 16 ? kPoison : i; });
  Bank bank(R"("base-delta")");
  EXPECT_EQ(std::popcount(bank.write(0, values, 0xffff0000, 0xffff0000).sub_banks), 3);
  EXPECT_EQ(std::popcount(bank.write(0, values).sub_banks), 8) << "all lanes judged";
}

TEST(BaseDelta, APartialWriteReadsOnlyRowsOfDifferences) {
  const LaneVec narrow = lanes([](std::uint32_t i) { return i; }),
                ones = lanes([](std::uint32_t) { return 1u; });
  Bank whole(R"("base-delta")"), again(R"({"type":"base-delta","partial_writes":"again"})");
  for (Bank* bank : {&whole, &again}) {
    bank->write(0, narrow);
    const RowDrive drive = bank->write(0, ones, 0x0000ffff);
    EXPECT_TRUE(drive.partial && drive.read_first);
    EXPECT_EQ(std::popcount(drive.first_sub_banks), 3);
    EXPECT_EQ(bank->value(0), lanes([](std::uint32_t i) { return i < 16 ? 1u : i; }));
  }
  EXPECT_EQ(whole.opened(0), 8);
  EXPECT_EQ(again.opened(0), 3);
  EXPECT_FALSE(whole.write(0, ones, 1).read_first) << "the lanes of a whole row alone";
  EXPECT_EQ(std::popcount(whole.write(0, ones).sub_banks), 1) << "until a complete write";
}

TEST(BaseDelta, WholeRowsMaySkipTheAdders) {
  const StoredRegister reg{{BankId(0), 0, true}, WarpId(0), RegId(0)};
  Bank all(R"({"type":"base-delta","decompress_cycles":3})");
  EXPECT_EQ(all.format().read_cycles() + all.format().more_read_cycles(reg), 3);
  Bank skips(R"({"type":"base-delta","decompress_cycles":3,"raw_reads_skip":true})");
  EXPECT_EQ(skips.format().read_cycles() + skips.format().more_read_cycles(reg), 0) << "a whole row";
  skips.write(0, only(0, 0));
  EXPECT_EQ(skips.format().read_cycles() + skips.format().more_read_cycles(reg), 3);
}

TEST(BaseDelta, BadSizesAreNamed) {
  try {
    Bank(R"({"type":"base-delta","sub_banks":6})");
    FAIL() << "six sub-banks";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("6 sub-banks (allowed: 4 or 8)"), std::string::npos)
        << error.what();
  }
}

constexpr const char* kGated =
    R"(","gating":{"policy":"conventional","idle_detect_cycles":0,"wake_up_cycles":2}})";

// Writes and reads example values, with partial writes, and with released and gated rows. Returns the first
// step at which values are wrong, or an empty text.
std::string first_fault(const std::string& name) {
  for (const Example& example : examples()) {
    Bank bank("\"" + name + "\"");
    bank.write(0, lanes([](std::uint32_t) { return 7u; }));
    bank.write(0, example.values);
    if (bank.value(0) != example.values) return std::string("example ") + example.what;
  }
  const LaneVec narrow = lanes([](std::uint32_t i) { return i; });
  const LaneVec upper = lanes([](std::uint32_t i) { return i < 16 ? kPoison : i; });
  Bank bank("\"" + name + "\"");
  bank.write(1, upper, 0xffff0000, 0xffff0000);
  LaneVec seen = bank.value(1);
  for (int lane = 16; lane < kLanes; ++lane)
    if (seen[lane] != upper[lane]) return "lanes that live";
  if (bank.opened(1) != 3) return "sub-banks of lanes that live";
  bank.write(2, narrow);
  bank.write(2, lanes([](std::uint32_t) { return 9u; }), 0x00ff00ff);
  if (bank.value(2) != lanes([](std::uint32_t i) { return 0x00ff00ffu >> i & 1 ? 9u : i; }))
    return "partial write";
  bank.write(3, narrow);
  bank.release(3);
  LaneVec poison;
  poison.fill(kPoison);
  if (bank.value(3) != poison) return "release";
  Bank gated("{\"type\":\"" + name + kGated, true);
  const LaneVec wide = lanes([](std::uint32_t i) { return 0x01234567u * (i + 1); });
  gated.write(0, narrow);
  gated.pass(8);
  gated.write(1, wide);
  gated.pass(8);
  if (gated.value(1) != wide || gated.value(0) != narrow) return "columns of a live row";
  gated.release(1);
  gated.pass(8);
  if (gated.value(0) != narrow) return "columns after a release";
  for (const EntryFormat::Rule& rule : gated.format().rules())
    if (rule.left != rule.right) return rule.what;
  return {};
}

TEST(BaseDelta, EveryFaultShowsInValues) {
  EXPECT_EQ(first_fault("base-delta"), "");
  int mutants = 0;
  for (const auto& [name, entry] : Registry<EntryFormat>::instance().entries())
    if (name.starts_with("mutant-")) {
      ++mutants;
      EXPECT_NE(first_fault(name), "") << name;
    }
  EXPECT_EQ(mutants, 7);
}

TEST(BaseDelta, RandomProgramsKeepTheirValues) {
  const std::string format = "gpu.sm.register_file.banks.format=";
  const char* const formats[] = {
      R"("base-delta")", R"({"type":"base-delta","sub_banks":4,"partial_writes":"again"})",
      R"({"type":"base-delta","raw_reads_skip":true,"gating":{"policy":"conventional","idle_detect_cycles":0,"wake_up_cycles":10}})",
      R"({"type":"base-delta","partial_writes":"again","gating":{"policy":"naive-blackout","wake_up_cycles":3}})"};
  const std::uint64_t programs = std::getenv("HEDDLE_FULL") ? 12 : 6;
  for (const char* choice : formats)
    for (std::uint64_t seed = 1; seed <= programs; ++seed) {
      SCOPED_TRACE(std::string(choice) + " seed " + std::to_string(seed));
      fuzz::FuzzCase fuzz = fuzz::make_case(seed);
      fuzz.setting.sets.push_back(format + choice);
      fuzz.setting.sets.push_back("gpu.sm.register_file.banks.lane_gating=none");
      fuzz::Coverage coverage;
      EXPECT_EQ(fuzz::run_case(fuzz, coverage), "");
    }
}

}  // namespace
}  // namespace heddle

#include <gtest/gtest.h>

#include <random>

#include "models/banks/i_entry_format.h"
#include "models/banks/i_register_power.h"
#include "models/core/registry.h"
#include "tests/regfile/stage_driver.h"

namespace heddle {
namespace {

const std::vector<int> kDepths = {4, 7};

RegisterPlace random_place(std::mt19937& random) {
  const std::uint32_t bank = random() % 2;
  return {BankId(bank), static_cast<std::uint32_t>(random() % static_cast<unsigned>(kDepths[bank])), true};
}

LaneVec random_values(std::mt19937& random) {
  LaneVec values;
  const unsigned shift = static_cast<unsigned>(random() % 32);
  for (int lane = 0; lane < kLanes; ++lane) values[lane] = static_cast<std::uint32_t>(random()) >> shift;
  return values;
}

LaneVec value_of(const EntryFormat& format, const StoredRegister& place) {
  LaneVec values;
  const RowDrive drive = format.read_drive(place);
  EXPECT_NE(drive.sub_banks & format.all_sub_banks(), 0);
  format.read(place, drive.sub_banks, values);
  return values;
}

TEST(EntryFormatContract, HoldsWhatIsWrittenLaneByLane) {
  for (const auto& [name, entry] : Registry<EntryFormat>::instance().entries()) {
    SCOPED_TRACE(name);
    StatsRegistry stats;
    EntryFormat::Context context{kDepths, StatsScope(stats, "format")};
    const auto format = Registry<EntryFormat>::instance().make(ConfigNode::make_string(name), context);
    LaneVec poison;
    poison.fill(kPoison);
    std::vector<std::vector<LaneVec>> shadow;
    for (const int depth : kDepths) shadow.emplace_back(static_cast<std::size_t>(depth), poison);
    std::mt19937 random(5);
    for (int step = 0; step < 3000; ++step) {
      const RegisterPlace place = random_place(random);
      const StoredRegister reg{place, WarpId(0), RegId(place.entry)};
      LaneVec& expected = shadow[place.bank.value][place.entry];
      ASSERT_EQ(value_of(*format, reg), expected) << "step " << step;
      const LaneMask mask = random() % 2 ? kAllLanes : static_cast<LaneMask>(random());
      switch (random() % 8) {
        case 0:
          format->poison(reg, mask);
          merge_lanes(expected, poison, mask);
          break;
        case 1: {
          const int lane = static_cast<int>(random() % 32), bit = static_cast<int>(random() % 32);
          if (format->flip_bit(reg, lane, bit)) expected[lane] ^= std::uint32_t{1} << bit;
          break;
        }
        default: {
          const LaneVec values = random_values(random);
          const RowDrive drive = format->write_drive(reg, values, mask, kAllLanes);
          ASSERT_NE(drive.sub_banks & format->all_sub_banks(), 0);
          ASSERT_EQ(drive.sub_banks & ~format->all_sub_banks(), 0);
          ASSERT_TRUE(!format->opens_whole_rows() ||
                      (drive.sub_banks == kAllSubBanks && drive.row == place.entry));
          format->write(reg, values, mask, kAllLanes, drive.note);
          merge_lanes(expected, values, mask);
        }
      }
      ASSERT_EQ(value_of(*format, reg), expected) << "step " << step;
    }
  }
}

// Each access must be served within a bounded time. In the cycle that the register power policy returns for
// an access, the row must deliver or accept the value.
TEST(RegisterPowerContract, RowsAreReadyWhenTheySay) {
  for (const auto& [name, entry] : Registry<RegisterPower>::instance().entries()) {
    SCOPED_TRACE(name);
    StatsRegistry stats;
    RegisterPower::Context context{kDepths, StatsScope(stats, "banks")};
    const auto power = Registry<RegisterPower>::instance().make(ConfigNode::make_string(name), context);
    std::mt19937 random(6);
    for (std::uint32_t bank = 0; bank < kDepths.size(); ++bank)
      for (std::uint32_t e = 0; e < static_cast<std::uint32_t>(kDepths[bank]); ++e)
        power->allocated(0, {BankId(bank), e, true});
    Cycle now = 1;
    for (int step = 0; step < 2000; ++step) {
      const RegisterPlace place = random_place(random);
      const bool write = random() % 2, announced = random() % 2;
      Cycle from = announced ? power->announced(now, place, write) : kNever;
      now += random() % 5;
      if (announced && random() % 4 == 0) {
        if (from != kNever) power->dropped(now, place, write);
        continue;
      }
      if (from == kNever) from = power->arrives(now, place, write);
      const Cycle ready = std::max(now + 1, from);
      ASSERT_LE(ready, now + 200);
      now = ready;
      ASSERT_EQ(power->served(now, place, write), 0u);
      ASSERT_GE(power->timing(now, place, write).busy_cycles, 1u);
      const LaneMask mask = static_cast<LaneMask>(random());
      ASSERT_EQ(power->lanes_driven(mask) & mask, mask);
    }
    power->settle(now);
    std::uint64_t state_times = 0;
    for (const CounterInfo& info : stats.counters())
      if (info.unit == "entry-cycles") state_times += info.counter->value();
    if (!power->always_on()) {
      EXPECT_EQ(state_times, now * 11) << "states of all rows, at all times";
    }
  }
}

// For each use of a row, a policy returns the cycle in which the row is ready. This cycle must stay valid,
// whatever happens to other uses of the same row.
TEST(RegisterPowerContract, UsesOfOneRowOverlap) {
  struct Use {
    RegisterPlace place;
    Cycle from;
    bool write, came;
  };
  for (const auto& [name, entry] : Registry<RegisterPower>::instance().entries()) {
    SCOPED_TRACE(name);
    StatsRegistry stats;
    RegisterPower::Context context{kDepths, StatsScope(stats, "banks")};
    const auto power = Registry<RegisterPower>::instance().make(ConfigNode::make_string(name), context);
    std::mt19937 random(7);
    for (std::uint32_t e = 0; e < 4; ++e) power->allocated(0, {BankId(0), e, true});
    std::vector<Use> uses;
    std::size_t served = 0;
    for (Cycle now = 1; now < 4000; ++now) {
      for (std::size_t i = uses.size(); i-- > 0;) {
        Use& use = uses[i];
        if (use.came ? use.from > now || random() % 4 == 0 : random() % 4 != 0) continue;
        if (use.came) {
          ASSERT_EQ(power->served(now, use.place, use.write), 0u) << "cycle " << now;
          ++served;
        } else if (use.from == kNever || random() % 8 != 0) {
          if (use.from == kNever) use.from = power->arrives(now, use.place, use.write);
          use.from = std::max(use.from, now + 1);
          use.came = true;
          continue;
        } else {
          power->dropped(now, use.place, use.write);
        }
        uses.erase(uses.begin() + static_cast<std::ptrdiff_t>(i));
      }
      if (uses.size() == 8 || random() % 2) continue;
      const RegisterPlace place{BankId(0), static_cast<std::uint32_t>(random() % 4), true};
      const bool write = random() % 2, announced = random() % 4 != 0;
      uses.push_back({place, announced ? power->announced(now, place, write) : kNever, write, false});
    }
    EXPECT_GT(served, 500u);
  }
}

// A power policy for tests. Reads of its rows take `added_cycles` longer, and occupy the port for
// `busy_cycles`.
struct SlowParameters {
  int added_cycles = 0, busy_cycles = 1;
  void fields(FieldVisitor& v) {
    v.field("added_cycles", added_cycles, {0, 100}, "beyond the banks' latency");
    v.field("busy_cycles", busy_cycles, {1, 100}, "for which an access takes its port");
  }
};

class SlowRows : public RegisterPower {
 public:
  SlowRows(const SlowParameters& p, Context& context)
      : timing_{static_cast<Cycle>(p.added_cycles), static_cast<Cycle>(p.busy_cycles)},
        on_(context.stats.add("on_entry_cycles", "entry-cycles", "rows at work")) {
    for (const int depth : context.depths) rows_ += static_cast<std::uint64_t>(depth);
  }
  RowTiming timing(Cycle, const RegisterPlace&, bool) const override { return timing_; }
  void settle(Cycle cycle) override {
    on_ += (cycle - settled_) * rows_;
    settled_ = cycle;
  }

 private:
  RowTiming timing_;
  std::uint64_t rows_ = 0;
  Cycle settled_ = 0;
  Counter& on_;
};

const Registration<RegisterPower, SlowRows, SlowParameters> row_parts_test_entry{"test-slow",
                                                                                 "rows of any speed"};

// Makes two reads of one bank, one in cycle 1 and one in cycle `second`. Returns the cycles in which the data
// of the two reads arrive.
std::pair<Cycle, Cycle> two_reads(const std::string& ports, int added, int busy, Cycle second,
                                  RegisterCommand first = RegisterCommand::read) {
  const std::string power = R"({"type": "test-slow", "added_cycles": )" + std::to_string(added) +
                            R"(, "busy_cycles": )" + std::to_string(busy) + "}";
  StageRig rig({}, R"({"count": 1, "entries": 128, "ports": ")" + ports + R"(", "power": )" + power + "}");
  const StageDriver::Line& a = rig.script().at(1, first, 0, 0);
  const StageDriver::Line& b = rig.read(second, 0, 1);
  rig.run();
  return {a.data_at(), b.data_at()};
}

TEST(RowTiming, SlowRowsAnswerSoManyCyclesLater) {
  const Cycle undisturbed = two_reads("1r1w", 0, 1, 20).first;
  for (const int added : {1, 2, 7})
    EXPECT_EQ(two_reads("1r1w", added, 1, 20).first, undisturbed + static_cast<Cycle>(added));
}

TEST(RowTiming, APortIsTakenForSoManyCycles) {
  const Cycle lone = two_reads("1r1w", 0, 1, 20).first;
  for (const int busy : {1, 2, 5}) {
    const auto n = static_cast<Cycle>(busy);
    for (Cycle second = 1; second <= n + 2; ++second) {
      // The first read is accepted in cycle 1, is served one cycle later, and occupies the port for n cycles.
      // It therefore delays no read that is accepted in cycle 1 + n or later.
      const Cycle wait = second < 1 + n ? 1 + n - second : 0;
      EXPECT_EQ(two_reads("1r1w", 0, busy, second).second, lone + (second - 1) + wait)
          << busy << " cycles, second in " << second;
    }
  }
}

TEST(RowTiming, AWriteTakesTheReadPortOnlyWhereThereIsOnePort) {
  const Cycle lone = two_reads("1r1w", 0, 1, 20).first;
  EXPECT_EQ(two_reads("1r1w", 0, 5, 2, RegisterCommand::write).second, lone + 1);
  EXPECT_EQ(two_reads("1rw", 0, 5, 2, RegisterCommand::write).second, lone + 5);
}

}  // namespace
}  // namespace heddle

// What every registered entry format and register power promises.

#include <gtest/gtest.h>

#include <random>

#include "models/core/registry.h"
#include "models/regfile/i_entry_format.h"
#include "models/regfile/i_register_power.h"

namespace heddle {
namespace {

const std::vector<int> kDepths = {4, 7};

RegisterPlace random_place(std::mt19937& random) {
  const std::uint32_t bank = random() % 2;
  return {BankId(bank), static_cast<std::uint32_t>(random() % static_cast<unsigned>(kDepths[bank])), true};
}

// Values of all widths, so that formats store them in all their ways.
LaneVec random_values(std::mt19937& random) {
  LaneVec values;
  const unsigned shift = static_cast<unsigned>(random() % 32);
  for (int lane = 0; lane < kLanes; ++lane) values[lane] = static_cast<std::uint32_t>(random()) >> shift;
  return values;
}

LaneVec value_of(const EntryFormat& format, const RegisterPlace& place) {
  LaneVec values;
  const RowDrive drive = format.read_drive(place);
  EXPECT_NE(drive.sub_banks & kAllSubBanks, 0);
  format.read(place, drive.sub_banks, values);
  return values;
}

TEST(EntryFormatContract, HoldsWhatIsWrittenLaneByLane) {
  for (const auto& [name, entry] : Registry<EntryFormat>::instance().entries()) {
    SCOPED_TRACE(name);
    EntryFormat::Context context{kDepths};
    const auto format = Registry<EntryFormat>::instance().make(ConfigNode::make_string(name), context);
    LaneVec poison;
    poison.fill(kPoison);
    std::vector<std::vector<LaneVec>> shadow;
    for (const int depth : kDepths) shadow.emplace_back(static_cast<std::size_t>(depth), poison);
    std::mt19937 random(5);
    for (int step = 0; step < 3000; ++step) {
      const RegisterPlace place = random_place(random);
      LaneVec& expected = shadow[place.bank.value][place.entry];
      ASSERT_EQ(value_of(*format, place), expected) << "step " << step;
      const LaneMask mask = random() % 2 ? kAllLanes : static_cast<LaneMask>(random());
      switch (random() % 8) {
        case 0:
          format->poison(place, mask);
          merge_lanes(expected, poison, mask);
          break;
        case 1: {
          const int lane = static_cast<int>(random() % 32), bit = static_cast<int>(random() % 32);
          if (format->flip_bit(place, lane, bit)) expected[lane] ^= std::uint32_t{1} << bit;
          break;
        }
        default: {
          const LaneVec values = random_values(random);
          const RowDrive drive = format->write_drive(place, values, mask, kAllLanes);
          ASSERT_NE(drive.sub_banks & kAllSubBanks, 0);
          ASSERT_TRUE(!format->opens_whole_rows() ||
                      (drive.sub_banks == kAllSubBanks && drive.row == place.entry));
          format->write(place, values, mask, kAllLanes);
          merge_lanes(expected, values, mask);
        }
      }
      ASSERT_EQ(value_of(*format, place), expected) << "step " << step;
    }
  }
}

// An access that has come is served within a bounded time, and finds its value if it was served no earlier.
TEST(RegisterPowerContract, RowsAreReadyWhenTheySay) {
  for (const auto& [name, entry] : Registry<RegisterPower>::instance().entries()) {
    SCOPED_TRACE(name);
    StatsRegistry stats;
    RegisterPower::Context context{kDepths, StatsScope(stats, "banks")};
    const auto power = Registry<RegisterPower>::instance().make(ConfigNode::make_string(name), context);
    std::mt19937 random(6);
    Cycle now = 1;
    for (int step = 0; step < 2000; ++step) {
      const RegisterPlace place = random_place(random);
      const bool write = random() % 2, announced = random() % 2;
      if (announced) power->announced(now, place, write);
      now += random() % 5;
      if (announced && random() % 4 == 0) {
        power->dropped(now, place, write);
        continue;
      }
      const Cycle ready = std::max(now + 1, power->arrives(now, place, write, announced));
      ASSERT_LE(ready, now + 200);
      now = ready;
      ASSERT_EQ(power->served(now, place, write, announced), 0u);
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

}  // namespace
}  // namespace heddle

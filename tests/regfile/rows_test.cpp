// Tests register rows that are divided into sub-banks: the formats sub-banked and packed, registers that the
// compiler pairs, and faulty copies (mutants). Each mutant is a copy of sub_banked.cpp or coalescing.cpp in
// which CMakeLists.txt replaces one text. The test program must detect every mutant.

#include <gtest/gtest.h>

#include <functional>

#include "models/banks/i_bank_arbiter.h"
#include "models/banks/i_entry_format.h"
#include "models/banks/width_code.h"
#include "models/core/registry.h"
#include "models/ports/register_map.h"
#include "tests/regfile/stage_driver.h"

namespace heddle {
namespace {

LaneVec lanes(const std::function<std::uint32_t(std::uint32_t)>& value) {
  LaneVec values;
  for (std::uint32_t i = 0; i < kLanes; ++i) values[static_cast<int>(i)] = value(i);
  return values;
}
LaneVec all(std::uint32_t value) {
  return lanes([=](std::uint32_t) { return value; });
}

// Narrow registers are aligned to one side of the row in even entries, and to the other side in odd entries,
// so that an even and an odd entry can be accessed together. The bank layout decides which registers lie in
// odd entries.
TEST(Layouts, GiveEntriesTheirParity) {
  BankParameters banks;
  banks.count = 4;
  banks.entries = 256;
  RegisterMap wid(banks, 48);
  for (std::uint32_t w = 0; w < 8; ++w) wid.bind_warp(WarpId(w), 21);
  EXPECT_EQ(wid.place_of(WarpId(4), RegId(0)), (RegisterPlace{BankId(0), 21, true}));
  banks.layout = "wshift";
  RegisterMap wshift(banks, 48);
  wshift.bind_warp(WarpId(0), 21);
  for (std::uint32_t r = 0; r < 4; ++r)
    EXPECT_EQ(wshift.place_of(WarpId(0), RegId(r)), (RegisterPlace{BankId(r), 0, true}));
  EXPECT_EQ(wshift.place_of(WarpId(0), RegId(4)), (RegisterPlace{BankId(0), 1, true}));
}

struct OneBank {
  StatsRegistry stats;
  std::unique_ptr<EntryFormat> format;
  isa::Program program;
  RegisterMap map;

  static BankParameters bank() {
    BankParameters banks;
    banks.count = 1;
    banks.entries = 16;
    return banks;
  }
  explicit OneBank(const std::string& choice, const std::vector<isa::RegisterHint>& hints = {})
      : map(bank(), 1) {
    EntryFormat::Context context{{16}, StatsScope(stats, "format")};
    format = Registry<EntryFormat>::instance().make(parse_config_text(choice, "test"), context);
    program.registers = 8;
    program.register_hints = hints;
    map.bind_warp(WarpId(0), 8);
    WarpBegins warp;
    warp.program = &program;
    warp.registers = 8;
    format->warp_begins(warp, &map);
  }
  StoredRegister reg(std::uint32_t r) const {
    return {map.place_of(WarpId(0), RegId(r)), WarpId(0), RegId(r)};
  }
  RowDrive write(std::uint32_t r, const LaneVec& values, LaneMask mask = kAllLanes,
                 LaneMask live = kAllLanes) {
    const RowDrive drive = format->write_drive(reg(r), values, mask, live);
    format->write(reg(r), values, mask, live, drive.note);
    return drive;
  }
  LaneVec value(std::uint32_t r) const {
    LaneVec values;
    format->read(reg(r), format->read_drive(reg(r)).sub_banks, values);
    return values;
  }
  RowDrive read(std::uint32_t r) const { return format->read_drive(reg(r)); }
};

TEST(SubBanked, SidesByTheRegistersNumberOrTheCompiler) {
  OneBank number(R"({"type":"sub-banked","alignment":"register"})");
  EXPECT_EQ(number.write(2, all(1)).sub_banks, 0b0001);
  EXPECT_EQ(number.write(3, all(1)).sub_banks, 0b1000);
  EXPECT_EQ(number.value(3), all(1));
  std::vector<isa::RegisterHint> hints(8);
  hints[2].left = true;
  OneBank compiler(R"({"type":"sub-banked","alignment":"compiler"})", hints);
  EXPECT_EQ(compiler.write(2, all(0x1234)).sub_banks, 0b1100);
  EXPECT_EQ(compiler.write(3, all(1)).sub_banks, 0b0001);
  EXPECT_EQ(compiler.value(2), all(0x1234));
}

std::vector<isa::RegisterHint> pair_of_2_and_5() {
  std::vector<isa::RegisterHint> hints(8);
  hints[2].partner = 5;
  hints[5].partner = 2;
  return hints;
}

TEST(Packed, APairLiesInOneRowWhileBothAreNarrow) {
  OneBank bank(R"("packed")", pair_of_2_and_5());
  EXPECT_EQ(bank.read(2).sub_banks, kAllSubBanks) << "nothing is held: poison";
  EXPECT_EQ(bank.value(2), all(kPoison));
  EXPECT_EQ(bank.write(2, all(0x1234)).row, 2u);
  const RowDrive joined = bank.write(5, all(0xffffff80));
  EXPECT_EQ(joined.row, 2u);
  EXPECT_EQ(joined.sub_banks, 0b1000) << "at the left";
  EXPECT_EQ(bank.read(2).row, bank.read(5).row);
  EXPECT_EQ(bank.read(2).sub_banks & bank.read(5).sub_banks, 0);
  EXPECT_EQ(bank.value(2), all(0x1234));
  EXPECT_EQ(bank.value(5), all(0xffffff80));
  EXPECT_TRUE(bank.format->flip_cell(bank.reg(2), 3, 42)) << "r5's, lane 5, bit 2";
  EXPECT_FALSE(bank.format->flip_cell(bank.reg(5), 3, 42)) << "nothing lies in r5's own row";
  EXPECT_EQ(bank.value(5)[5], 0xffffff84u);
  EXPECT_EQ(bank.value(2), all(0x1234));
}

TEST(Packed, WhatNoLongerFitsTakesTheFreeEntry) {
  OneBank bank(R"("packed")", pair_of_2_and_5());
  bank.write(2, all(0x1234));
  bank.write(5, all(7));
  const RowDrive wide = bank.write(2, all(0x123456));
  EXPECT_EQ(wide.row, 2u) << "three bytes and one fit";
  EXPECT_EQ(bank.write(2, all(0x12345678)).row, 5u);
  EXPECT_EQ(bank.value(2), all(0x12345678));
  EXPECT_EQ(bank.value(5), all(7));
  EXPECT_EQ(bank.read(5).row, 2u) << "what is not written does not move";
  EXPECT_EQ(bank.write(2, all(9)).row, 2u) << "and joins it again";
  EXPECT_EQ(bank.value(5), all(7));
}

// Format "packed": a partial write may move the register to another entry. In this case, an additional access
// must first read the lanes that the write does not change.
TEST(Packed, APartialWriteThatMovesReadsFirst) {
  OneBank bank(R"("packed")", pair_of_2_and_5());
  bank.write(2, lanes([](std::uint32_t i) { return 0x1200 + i; }));
  bank.write(5, all(0x4321));
  const RowDrive drive = bank.write(5, all(0x12345678), 1);
  EXPECT_TRUE(drive.read_first);
  EXPECT_EQ(drive.first_row, 2u);
  EXPECT_EQ(drive.first_sub_banks, 0b1100);
  EXPECT_EQ(drive.row, 5u);
  EXPECT_EQ(drive.sub_banks, kAllSubBanks);
  EXPECT_EQ(bank.value(5)[0], 0x12345678u);
  EXPECT_EQ(bank.value(5)[1], 0x4321u);
  EXPECT_EQ(bank.value(2)[9], 0x1209u);
  bank.format->poison(bank.reg(2), kAllLanes);
  EXPECT_EQ(bank.value(2), all(kPoison));
  EXPECT_EQ(bank.value(5)[1], 0x4321u);
}

TEST(Packed, RandomWritesOfAPairKeepBothValues) {
  for (const char* choice : {R"({"type":"packed"})", R"({"type":"packed","width":"signed"})"}) {
    OneBank bank(choice, pair_of_2_and_5());
    std::uint32_t seed = 1;
    const auto next = [&seed] { return seed = seed * 1664525u + 1013904223u, seed >> 8; };
    LaneVec held[8];
    for (const std::uint32_t r : {2u, 5u}) bank.write(r, held[r] = all(r));
    bool packed = false, apart = false;
    for (int step = 0; step < 4000; ++step) {
      const std::uint32_t r = next() % 2 ? 2 : 5;
      const std::uint32_t shift = 8 * (next() % 4), sign = next() % 2 ? 0 : ~0u;
      const LaneVec values = lanes([&](std::uint32_t) { return (next() << 8 ^ next()) >> shift ^ sign; });
      const LaneMask mask = next() % 3 ? kAllLanes : next() << 12 ^ next();
      bank.write(r, values, mask);
      merge_lanes(held[r], values, mask);
      ASSERT_EQ(bank.value(2), held[2]) << step;
      ASSERT_EQ(bank.value(5), held[5]) << step;
      (bank.read(2).row == bank.read(5).row ? packed : apart) = true;
    }
    EXPECT_TRUE(packed && apart);
  }
}

/// Writes and reads narrow, negative, mixed and divergent values of warp 0, on banks with one port. Returns
/// "" if all values are right. `opened`: number of sub-banks that the reads must open; 0: not checked.
std::string fault_of(const std::string& format, const std::string& arbiter, std::uint64_t opened = 31) {
  struct Check {
    StageDriver::Line* line;
    LaneVec expected;
    const char* what;
  };
  std::vector<Check> checks;
  StageRig rig(
      {}, R"({"count":2,"entries":128,"layout":"wid","format":)" + format + R"(,"arbiter":)" + arbiter + "}");
  Cycle at = 3;
  const auto write = [&](int reg, const LaneVec& values, LaneMask mask = kAllLanes, Cycle later = 4) {
    StageDriver::Line& line = rig.write(at, 0, reg, 0, mask);
    line.values = values;
    at += later;
  };
  const auto read = [&](int reg, const LaneVec& expected, const char* what, Cycle later = 4) {
    checks.push_back({&rig.read(at, 0, reg), expected, what});
    at += later;
  };
  read(9, all(kPoison), "a register that was never written");
  write(2, all(248));
  read(2, all(248), "248");
  write(3, all(0xff000005));
  read(3, all(0xff000005), "0xff000005");
  write(4, lanes([](std::uint32_t i) { return 0u - 1 - i; }));
  read(4, lanes([](std::uint32_t i) { return 0u - 1 - i; }), "negative ones");
  write(5, lanes([](std::uint32_t i) { return 0x1200 + i; }));
  read(5, lanes([](std::uint32_t i) { return 0x1200 + i; }), "an odd entry");
  LaneVec mixed = lanes([](std::uint32_t i) { return i; });
  write(6, mixed);
  write(6, lanes([](std::uint32_t i) { return 0x12300 + i; }), 0x0000ffff);
  merge_lanes(mixed, lanes([](std::uint32_t i) { return 0x12300 + i; }), 0x0000ffff);
  read(6, mixed, "a divergent write that widens");
  write(6, lanes([](std::uint32_t i) { return i == 0 ? 7 : 0x87654321; }), 1);
  mixed[0] = 7;
  read(6, mixed, "a divergent write that is narrow");
  write(8, all(1));
  for (int reg = 2; reg <= 6; ++reg)
    read(reg, reg == 6 ? mixed : checks[static_cast<std::size_t>(reg - 1)].expected, "a read of many", 0);
  write(8, all(0x12345678), kAllLanes, 0);
  read(8, all(0x12345678), "a read behind a write that waits", 0);
  try {
    rig.run();
  } catch (const InternalError& error) {
    return error.what();
  }
  for (const Check& check : checks)
    if (check.line->answered_at == kNever || !(check.line->values == check.expected)) return check.what;
  if (opened && rig.count("banks.read_sub_banks") != opened) return "other sub-banks than the values need";
  return "";
}

const std::string kCoalescing = R"({"type":"coalescing"})";

TEST(RowFaults, AreNoneInTheModel) {
  EXPECT_EQ(fault_of(R"("sub-banked")", kCoalescing), "");
  EXPECT_EQ(fault_of(R"("packed")", kCoalescing), "");
  EXPECT_EQ(fault_of(R"({"type":"sub-banked","width":"signed"})", kCoalescing, 0), "");
}

TEST(RowFaults, AreCaught) {
  int formats = 0, arbiters = 0;
  for (const auto& [name, entry] : Registry<EntryFormat>::instance().entries())
    if (name.starts_with("mutant-")) {
      EXPECT_NE(fault_of("\"" + name + "\"", kCoalescing), "") << name;
      ++formats;
    }
  for (const auto& [name, entry] : Registry<BankArbiter>::instance().entries())
    if (name.starts_with("mutant-")) {
      EXPECT_NE(fault_of(R"("sub-banked")", "\"" + name + "\""), "") << name;
      ++arbiters;
    }
  EXPECT_EQ(formats, 8);
  EXPECT_EQ(arbiters, 2);
}

}  // namespace
}  // namespace heddle

// Tests coalesced register accesses (Radaideh 2021): widths of values, sub-banked rows, partial writes, and
// accesses that are served together. The expected values come from worked examples A to F, which were
// computed by hand and by a separate script.

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "models/banks/i_bank_arbiter.h"
#include "models/banks/i_entry_format.h"
#include "models/banks/sub_bank_counters.h"
#include "models/banks/width_code.h"
#include "models/core/registry.h"
#include "models/ports/register_access.h"

namespace heddle {
namespace {

LaneVec lanes(const std::function<std::uint32_t(std::uint32_t)>& value) {
  LaneVec values;
  for (std::uint32_t i = 0; i < kLanes; ++i) values[static_cast<int>(i)] = value(i);
  return values;
}
const auto kOwn = [](std::uint32_t i) { return i; };

ConfigNode part(const std::string& type, const std::string& assignment) {
  ConfigNode node = ConfigNode::make_object();
  set_config(node, "type=" + type);
  set_config(node, assignment);
  return node;
}

std::unique_ptr<EntryFormat> sub_banked(const char* key = "width", const char* value = "uniform") {
  StatsRegistry stats;
  EntryFormat::Context context{{16}, StatsScope(stats, "format")};
  return Registry<EntryFormat>::instance().make(part("sub-banked", std::string(key) + "=" + value), context);
}
StoredRegister at(std::uint32_t entry) { return {{BankId(0), entry, true}, WarpId(0), RegId(entry)}; }

LaneVec value_of(const EntryFormat& format, std::uint32_t entry) {
  LaneVec values;
  format.read(at(entry), format.read_drive(at(entry)).sub_banks, values);
  return values;
}
std::uint8_t write(EntryFormat& format, std::uint32_t entry, const LaneVec& values, LaneMask mask = kAllLanes,
                   LaneMask live = kAllLanes) {
  const RowDrive drive = format.write_drive(at(entry), values, mask, live);
  format.write(at(entry), values, mask, live, drive.note);
  return drive.sub_banks;
}

TEST(Widths, OfAllLanes) {
  struct Row {
    std::function<std::uint32_t(std::uint32_t)> value;
    Width uniform;
    int extended;
  };
  const std::vector<Row> rows = {
      {kOwn, {1, false}, 1},
      {[](std::uint32_t i) { return 8 * i; }, {1, false}, 2},
      {[](std::uint32_t i) { return i - 16; }, {4, false}, 1},
      {[](std::uint32_t i) { return 0u - 1 - i; }, {1, true}, 1},
      {[](std::uint32_t i) { return 0x12345 + i; }, {3, false}, 3},
      {[](std::uint32_t i) { return 0xff000000 | i; }, {3, true}, 4},
      {[](std::uint32_t i) { return i == 0 ? 0x100u : 0u; }, {2, false}, 2},
  };
  for (std::size_t r = 0; r < rows.size(); ++r) {
    SCOPED_TRACE(r);
    const LaneVec values = lanes(rows[r].value);
    EXPECT_EQ(detect_width(values, kAllLanes, WidthRule::uniform), rows[r].uniform);
    EXPECT_EQ(detect_width(values, kAllLanes, WidthRule::extended), (Width{rows[r].extended, false}));
  }
}

TEST(Widths, CodesAreThreeBitsAndAllDifferent) {
  const std::vector<std::pair<Width, std::uint8_t>> codes = {
      {{1, false}, 0b000}, {{2, false}, 0b001}, {{3, false}, 0b011}, {{4, false}, 0b111},
      {{1, true}, 0b100},  {{2, true}, 0b101},  {{3, true}, 0b110}};
  for (const auto& [width, code] : codes) {
    EXPECT_EQ(width.code(), code);
    EXPECT_EQ(Width::of_code(code), width);
  }
}

TEST(Widths, OfActiveLanesAlone) {
  const LaneVec values = lanes([](std::uint32_t i) { return i < 16 ? i : 0x12345678u; });
  EXPECT_EQ(detect_width(values, 0x0000ffff, WidthRule::uniform), (Width{1, false}));
  EXPECT_EQ(detect_width(values, 0x0001ffff, WidthRule::uniform), (Width{4, false}));
}

TEST(SubBanked, EvenEntriesLieRightOddOnesLeft) {
  const std::uint32_t of_width[] = {0x01, 0x0123, 0x012345, 0x01234567};
  const std::uint8_t even[] = {0b0001, 0b0011, 0b0111, 0b1111}, odd[] = {0b1000, 0b1100, 0b1110, 0b1111};
  const auto format = sub_banked(), right = sub_banked("alignment", "right");
  for (int w = 0; w < 4; ++w) {
    const LaneVec values = lanes([&](std::uint32_t) { return of_width[w]; });
    EXPECT_EQ(write(*format, 6, values), even[w]);
    EXPECT_EQ(write(*format, 7, values), odd[w]);
    EXPECT_EQ(format->read_drive(at(6)).sub_banks, even[w]);
    EXPECT_EQ(format->read_drive(at(7)).sub_banks, odd[w]);
    EXPECT_EQ(write(*right, 7, values), even[w]);
  }
}

// The test flips one bit cell of sub-bank 3. In an odd entry, values of two bytes are left-aligned and use
// this sub-bank. The cell belongs to one lane, and this bit of the lane's value must change. In an even
// entry, such values are right-aligned and do not use the sub-bank, so no value may change.
TEST(SubBanked, AFlippedCellSpoilsItsLaneAlone) {
  const auto format = sub_banked();
  const LaneVec values = lanes([](std::uint32_t i) { return 0x1200 + i; });
  EXPECT_EQ(write(*format, 7, values), 0b1100);
  EXPECT_EQ(write(*format, 6, values), 0b0011);
  EXPECT_TRUE(format->flip_cell(at(7), 3, 42));
  EXPECT_FALSE(format->flip_cell(at(6), 3, 42));
  LaneVec spoiled = values;
  spoiled[5] = 0x1201;
  EXPECT_EQ(value_of(*format, 7), spoiled);
  EXPECT_EQ(value_of(*format, 6), values);
  EXPECT_TRUE(format->flip_bit(at(6), 20, 8));
  spoiled = values;
  spoiled[20] = 0x1314;
  EXPECT_EQ(value_of(*format, 6), spoiled) << "bit 8 of the high byte of lane 20";
  EXPECT_FALSE(format->flip_bit(at(6), 20, 16)) << "a byte that is not stored";
}

TEST(SubBanked, WhatIsNotOpenedIsNotDelivered) {
  const auto format = sub_banked();
  write(*format, 6, lanes([](std::uint32_t i) { return 0x1200 + i; }));
  LaneVec values;
  format->read(at(6), 0b0001, values);
  for (int lane = 0; lane < kLanes; ++lane) EXPECT_EQ(values[lane] & 0xff, static_cast<unsigned>(lane));
  for (int lane = 0; lane < kLanes; ++lane) EXPECT_NE(values[lane] >> 8, 0x12u);
}

TEST(SubBanked, PartialWritesWidenWithoutLoss) {
  const auto format = sub_banked();
  const auto set = [&] { return write(*format, 6, lanes(kOwn)); };
  EXPECT_EQ(set(), 0b0001);
  EXPECT_EQ(write(*format, 6, lanes([](std::uint32_t i) { return 0x12300 + i; }), 0x0000ffff), 0b0111);
  EXPECT_EQ(value_of(*format, 6)[3], 0x12303u);
  EXPECT_EQ(value_of(*format, 6)[20], 20u);
  set();
  EXPECT_EQ(write(*format, 6, lanes([](std::uint32_t) { return 0xfffffffe; }), 1), 0b1111);
  EXPECT_EQ(value_of(*format, 6)[0], 0xfffffffeu);
  EXPECT_EQ(value_of(*format, 6)[5], 5u);
  write(*format, 6, lanes([](std::uint32_t i) { return 0x12345 + i; }));
  EXPECT_EQ(write(*format, 6, lanes([](std::uint32_t) { return 7u; }), 1), 0b0111) << "it never narrows";
  EXPECT_EQ(value_of(*format, 6)[0], 7u);
  EXPECT_EQ(value_of(*format, 6)[1], 0x12346u);
  EXPECT_EQ(write(*format, 6, lanes(kOwn), 0x0000ffff, 0x0000ffff), 0b0001) << "all live lanes: complete";
}

TEST(SubBanked, FullPartialWritesFillTheRow) {
  const auto format = sub_banked("partial_writes", "full");
  write(*format, 6, lanes(kOwn));
  EXPECT_EQ(write(*format, 6, lanes([](std::uint32_t) { return 9u; }), 1), 0b1111);
  EXPECT_EQ(value_of(*format, 6)[0], 9u);
  EXPECT_EQ(value_of(*format, 6)[31], 31u);
}

// With the width rule `signed`, a narrow value is extended by the sign of its top stored byte. If a partial
// write makes the register wider, the kept lanes must be extended. Therefore, the top stored byte of the kept
// lanes must be read first.
TEST(SubBanked, SignedPromotionReadsTheSignsFirst) {
  const auto format = sub_banked("width", "signed");
  write(*format, 7, lanes([](std::uint32_t i) { return i - 16; }));
  const LaneVec wide = lanes([](std::uint32_t) { return 0x1234u; });
  const RowDrive drive = format->write_drive(at(7), wide, 1, kAllLanes);
  EXPECT_TRUE(drive.read_first);
  EXPECT_EQ(drive.first_sub_banks, 0b1000);
  EXPECT_EQ(write(*format, 7, wide, 1), 0b1100);
  EXPECT_EQ(value_of(*format, 7)[0], 0x1234u);
  EXPECT_EQ(value_of(*format, 7)[3], 0u - 13);
  EXPECT_EQ(value_of(*format, 7)[30], 14u);
}

std::unique_ptr<EntryFormat> byte_masked() {
  StatsRegistry stats;
  EntryFormat::Context context{{16}, StatsScope(stats, "format")};
  return Registry<EntryFormat>::instance().make(ConfigNode::make_string("byte-masked"), context);
}

// Format "byte-masked" omits bytes 1 to 3 if they are 0x00 in all lanes or 0xff in all lanes. For lanes
// 0x120000ii, bytes 1 and 2 are omitted. For lanes 0xff0000ii, byte 3 is omitted too.
TEST(ByteMasked, OpensTheBytesThatDiffer) {
  const auto format = byte_masked();
  const LaneVec outer = lanes([](std::uint32_t i) { return 0x12000000u | i; });
  const LaneVec ends = lanes([](std::uint32_t i) { return 0xff000000u | i; });
  const LaneVec inner = lanes([](std::uint32_t i) { return 0xff00cc00u | i; });
  EXPECT_EQ(write(*format, 6, outer), 0b1001);
  EXPECT_EQ(write(*format, 7, outer), 0b1001);
  EXPECT_EQ(value_of(*format, 6), outer);
  EXPECT_EQ(value_of(*format, 7), outer);
  EXPECT_EQ(write(*format, 6, ends), 0b0001);
  EXPECT_EQ(write(*format, 7, ends), 0b1000);
  EXPECT_EQ(value_of(*format, 7), ends);
  EXPECT_EQ(write(*format, 7, inner), 0b1100);
  EXPECT_EQ(value_of(*format, 7), inner);
  LaneVec shut;
  format->read(at(7), 0b1000, shut);
  EXPECT_NE(shut, inner) << "a sub-bank that is not opened";
}

TEST(ByteMasked, PartialWritesKeepTheOtherLanes) {
  const auto format = byte_masked();
  write(*format, 6, lanes([](std::uint32_t i) { return 0xff000000u | i; }));
  EXPECT_EQ(write(*format, 6, lanes([](std::uint32_t) { return 0x00430005u; }), 1), 0b1101)
      << "byte 2 is new, byte 3 differs";
  const LaneVec values = value_of(*format, 6);
  EXPECT_EQ(values[0], 0x00430005u);
  EXPECT_EQ(values[5], 0xff000005u);
  format->poison(at(6), 1u << 5);
  EXPECT_EQ(value_of(*format, 6)[5], kPoison);
  EXPECT_EQ(value_of(*format, 6)[7], 0xff000007u);
  EXPECT_TRUE(format->flip_bit(at(6), 7, 3));
  EXPECT_EQ(value_of(*format, 6)[7], 0xff00000fu);
}

struct Named {
  char name;
  WaitingAccess access;
};

// Returns a read of the entry `entry`, whose value needs `width` bytes per lane, and therefore as many
// sub-banks: from sub-bank 0 upwards in even entries, from sub-bank 3 downwards in odd entries.
Named reads(char name, std::uint32_t entry, int width, int collector) {
  WaitingAccess a;
  a.entry = a.row = entry;
  a.left = (entry & 1) != 0;
  a.sub_banks = sub_banks_of(width, a.left);
  a.source = static_cast<std::uint16_t>(collector);
  a.from = 10;
  return {name, a};
}
Named writes(char name, std::uint32_t entry, int width) {
  Named n = reads(name, entry, width, RegisterAccess::kResultBus);
  n.access.write = true;
  return n;
}

struct Machine {
  std::vector<std::vector<Named>> banks;
  bool sliced = true;
  bool separate_ports = false;
  int sub_banks = 0;

  std::map<Cycle, std::string> run(const ConfigNode& arbiter_node, SubBankCounters* counters = nullptr) {
    BankArbiter::Context context{static_cast<int>(banks.size()), 4};
    const auto arbiter = Registry<BankArbiter>::instance().make(arbiter_node, context);
    std::map<Cycle, std::string> cycles;
    for (Cycle now = 10; now < 40; ++now) {
      std::vector<std::vector<WaitingAccess>> queues;
      std::vector<BankQueueView> views;
      ArbiterView view;
      for (std::size_t b = 0; b < banks.size(); ++b) {
        queues.emplace_back();
        for (const Named& n : banks[b]) queues.back().push_back(n.access);
        if (!banks[b].empty()) view.waiting_banks |= std::uint64_t{1} << b;
      }
      for (const auto& queue : queues) views.emplace_back(queue);
      view.now = now;
      view.banks = views;
      view.separate_ports = separate_ports;
      view.operands_per_collector = 1;
      view.sliced_collectors = sliced;
      ServedAccesses served;
      arbiter->choose(view, served);
      for (ServedAccess& s : served) {
        const Named& access = banks[s.bank.value][s.position];
        cycles[now] += access.name;
        if (counters) sub_banks += counters->served(now, s, access.access, {});
      }
      for (std::size_t i = served.size(); i-- > 0;)
        banks[served[i].bank.value].erase(banks[served[i].bank.value].begin() +
                                          static_cast<std::ptrdiff_t>(served[i].position));
    }
    return cycles;
  }
};
using Cycles = std::map<Cycle, std::string>;
const ConfigNode kCoalescing = ConfigNode::make_string("coalescing");

Machine one_bank() {
  return {{{reads('a', 4, 1, 0), reads('b', 6, 1, 1), reads('c', 5, 2, 0), writes('d', 9, 1),
            writes('e', 8, 4), reads('f', 9, 1, 2)}}};
}

TEST(Coalescing, OneBank) {
  EXPECT_EQ(one_bank().run(kCoalescing), (Cycles{{10, "ac"}, {11, "bd"}, {12, "e"}, {13, "f"}}));
  EXPECT_EQ(one_bank().run(ConfigNode::make_string("one-per-bank")),
            (Cycles{{10, "a"}, {11, "b"}, {12, "c"}, {13, "d"}, {14, "e"}, {15, "f"}}));
}

// Example E: six accesses (four reads, two writes) are served in four cycles. The collectors receive the
// words of the four reads in three writes, because reads a and c go to the same collector in one cycle. The
// accesses open 10 of 24 sub-banks.
TEST(Coalescing, CountsOfOneBank) {
  StatsRegistry stats;
  SubBankCounters counters(StatsScope(stats, "banks"), {1, 4, false, true, false});
  Machine machine = one_bank();
  machine.run(kCoalescing, &counters);
  EXPECT_EQ(machine.sub_banks, 10);
  std::map<std::string, std::uint64_t> counted;
  for (const CounterInfo& info : stats.counters()) counted[std::string(info.name)] = info.counter->value();
  EXPECT_EQ(counted["accesses"], 4u);
  EXPECT_EQ(counted["collector_writes"], 3u);
  EXPECT_EQ(counted["pairs_read_read"], 1u);
  EXPECT_EQ(counted["pairs_read_write"], 1u);
}

// Reads a (1 byte wide) and b (2 bytes) are aligned to the same side of their rows, read c (4 bytes) to the
// other side. The parameter `fit` decides which of them are served together.
TEST(Coalescing, LimitsByWidthsAndBySides) {
  const Machine machine{{{reads('a', 4, 1, 0), reads('b', 6, 2, 1), reads('c', 9, 4, 2)}}};
  const auto with = [&](const char* fit) {
    return Machine(machine).run(part("coalescing", std::string("fit=") + fit));
  };
  EXPECT_EQ(with("sub-banks"), (Cycles{{10, "a"}, {11, "b"}, {12, "c"}}));
  EXPECT_EQ(with("widths"), (Cycles{{10, "ab"}, {11, "c"}}));
  EXPECT_EQ(with("sides"), (Cycles{{10, "ac"}, {11, "b"}}));
  EXPECT_EQ(with("any"), (Cycles{{10, "ab"}, {11, "c"}}));
}

// The rule `fit` also limits what a collector receives in one cycle. With `widths`, values of three and two
// bytes do not fit into its four byte slices together. With `sides`, it cannot receive two values with the
// same alignment.
TEST(Coalescing, LimitsBindCollectorsToo) {
  const Machine wide{{{reads('a', 4, 3, 0)}, {reads('b', 5, 2, 0)}}},
      alike{{{reads('a', 4, 1, 0)}, {reads('b', 6, 1, 0)}}};
  const auto with = [](Machine machine, const char* fit) {
    return machine.run(part("coalescing", std::string("fit=") + fit));
  };
  const Cycles together{{10, "ab"}}, apart{{10, "a"}, {11, "b"}};
  EXPECT_EQ(with(wide, "widths"), apart);
  EXPECT_EQ(with(wide, "sides"), together);
  EXPECT_EQ(with(alike, "widths"), together);
  EXPECT_EQ(with(alike, "sides"), apart);
}

TEST(Coalescing, SaysWhyAnAccessIsAlone) {
  StatsRegistry stats;
  SubBankCounters counters(StatsScope(stats, "banks"), {1, 4, false, true, false});
  Machine machine{{{reads('a', 4, 1, 0), reads('b', 6, 2, 1), reads('c', 9, 4, 2)}}};
  machine.run(kCoalescing, &counters);
  std::map<std::string, std::uint64_t> counted;
  for (const CounterInfo& info : stats.counters()) counted[std::string(info.name)] = info.counter->value();
  EXPECT_EQ(counted["unpaired_overlap"], 1u) << "a, for b";
  EXPECT_EQ(counted["unpaired_full"], 1u) << "b, for c";
}

TEST(Coalescing, KindsInstructionsWindow) {
  const auto kinds = [](const char* kind) {
    return part("coalescing", std::string("kinds=[\"") + kind + "\"]");
  };
  EXPECT_EQ(one_bank().run(kinds("read-read")),
            (Cycles{{10, "ac"}, {11, "b"}, {12, "d"}, {13, "e"}, {14, "f"}}));
  EXPECT_EQ(one_bank().run(kinds("read-write")),
            (Cycles{{10, "ad"}, {11, "b"}, {12, "c"}, {13, "e"}, {14, "f"}}));
  EXPECT_EQ(one_bank().run(part("coalescing", "window=2")).at(10), "a");
  const ConfigNode same = part("coalescing", "instructions=same");
  EXPECT_EQ(one_bank().run(same).at(10), "a");
  Machine owned = one_bank();
  int instruction = 0;
  owned.banks[0][0].access.owner = owned.banks[0][2].access.owner = &instruction;
  EXPECT_EQ(owned.run(same).at(10), "ac");
  EXPECT_THROW(one_bank().run(kinds("write-read")), std::exception);
}

TEST(Coalescing, CollectorsTakeSlicesFromSeveralBanks) {
  Machine machine{
      {{reads('0', 2, 1, 0)}, {reads('1', 3, 2, 0)}, {reads('2', 10, 1, 0)}, {reads('3', 1, 4, 1)}}};
  Machine whole = machine;
  whole.sliced = false;
  EXPECT_EQ(machine.run(kCoalescing), (Cycles{{10, "013"}, {11, "2"}}));
  EXPECT_EQ(whole.run(kCoalescing), (Cycles{{10, "03"}, {11, "1"}, {12, "2"}}));
}

TEST(Coalescing, APartnerNeverDelaysAnotherBank) {
  Machine machine{{{reads('2', 2, 1, 0), reads('5', 5, 1, 1)}, {reads('7', 7, 2, 1)}}};
  EXPECT_EQ(machine.run(kCoalescing), (Cycles{{10, "27"}, {11, "5"}}));
}

TEST(Coalescing, TwoPortsPairEachForItself) {
  Machine machine{{{reads('a', 2, 1, 0), writes('b', 4, 1), reads('c', 5, 1, 0), writes('d', 7, 1)}}};
  machine.separate_ports = true;
  EXPECT_EQ(machine.run(kCoalescing), (Cycles{{10, "abcd"}}));
}

TEST(NoConflicts, ServesEverythingButKeepsTheOrderOfAnEntry) {
  EXPECT_EQ(one_bank().run(ConfigNode::make_string("no-conflicts")), (Cycles{{10, "abcde"}, {11, "f"}}));
}

}  // namespace
}  // namespace heddle

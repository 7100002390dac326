// Compares the segments that the coalescer forms, and the passes over the shared memory banks, with values
// computed by hand.

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "models/memory/bank_conflicts.h"

namespace heddle::coalescer_test {
namespace {

AddressPatterns patterns;

WarpAddresses addresses_of(unsigned bytes, LaneMask mask,
                           const std::function<std::uint64_t(unsigned)>& address) {
  isa::Instruction instruction;
  instruction.memory.element_bytes = static_cast<std::uint8_t>(bytes > 8 ? 4 : bytes);
  instruction.memory.elements = static_cast<std::uint8_t>(bytes > 8 ? bytes / 4 : 1);
  LaneVec words[2];
  for (unsigned i = 0; i < 32; ++i) {
    words[0][static_cast<int>(i)] = static_cast<std::uint32_t>(address(i));
    words[1][static_cast<int>(i)] = static_cast<std::uint32_t>(address(i) >> 32);
  }
  isa::LaneOperands operands;
  operands.src[0][0] = &words[0];
  operands.src[0][1] = &words[1];
  WarpAddresses out;
  patterns.make(instruction, operands, mask, out);
  return out;
}

constexpr std::uint64_t kBase = 0x2'0000'0000;

TEST(Coalescer, Segments) {
  struct Row {
    unsigned bytes;
    LaneMask mask;
    std::uint64_t base, stride;
    unsigned segments;
  };
  const Row rows[] = {
      {4, kAllLanes, 0, 4, 1},     {4, kAllLanes, 4, 4, 2},     {4, kAllLanes, 0, 0, 1},
      {4, kAllLanes, 0, 8, 2},     {4, kAllLanes, 0, 16, 4},    {4, kAllLanes, 0, 128, 32},
      {4, kAllLanes, 64, 128, 32}, {8, kAllLanes, 0, 8, 2},     {8, kAllLanes, 64, 8, 3},
      {16, kAllLanes, 0, 16, 4},   {1, kAllLanes, 0, 1, 1},     {1, kAllLanes, 100, 1, 2},
      {2, kAllLanes, 0, 2, 1},     {4, 0x0000ffffu, 64, 4, 1},  {4, 0xffff0000u, 64, 4, 1},
      {4, 0x80000001u, 0, 128, 2}, {4, 0x00000010u, 0, 128, 1},
  };
  for (const Row& row : rows) {
    const WarpAddresses a =
        addresses_of(row.bytes, row.mask, [&](unsigned i) { return kBase + row.base + i * row.stride; });
    EXPECT_EQ(count_segments(a), row.segments)
        << row.bytes << " bytes, base " << row.base << ", stride " << row.stride;
  }
}

TEST(Coalescer, BackwardAndScattered) {
  EXPECT_EQ(count_segments(addresses_of(4, kAllLanes, [](unsigned i) { return kBase + 4 * (31 - i); })), 1u);
  EXPECT_EQ(count_segments(addresses_of(
                4, kAllLanes, [](unsigned i) { return kBase + (i % 2 ? 0x1'0000'0000 : 0) + i * 4; })),
            2u);
}

TEST(Coalescer, AddressesOf32BitsWrap) {
  isa::Instruction instruction;
  instruction.memory.offset = -8;
  LaneVec low;
  low.fill(4);
  isa::LaneOperands operands;
  operands.src[0][0] = &low;
  WarpAddresses out;
  patterns.make(instruction, operands, kAllLanes, out);
  EXPECT_EQ(out.at(0), 0xfffffffcu);
}

// The coalescer stores a summary of each address pattern, and reuses the summary when the same pattern begins
// at another address. The summary must be right even if the addresses cross the end of a memory window or
// wrap at 32 bits.
TEST(Coalescer, SummariesAreThoseOfTheAddresses) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 4000; ++round) {
    isa::Instruction instruction;
    const bool narrow = random() % 2;
    instruction.memory.space = narrow ? isa::Space::shared : isa::Space::global;
    instruction.memory.element_bytes = static_cast<std::uint8_t>(1u << random() % 4);
    instruction.memory.elements = 1;
    instruction.memory.offset = static_cast<int>(random() % 3) * 8 - 8;
    const unsigned bytes = instruction.memory.element_bytes;
    const std::uint64_t bases[] = {0, 40, 0xffffffc0u, 0x80000000u, 0x2'0000'0002u};
    const std::uint64_t base = bases[random() % 5], stride = random() % 3 * bytes;
    const LaneMask mask = random() % 2 ? kAllLanes : static_cast<LaneMask>(random()) | 8u;
    LaneVec words[2];
    for (int i = 0; i < kLanes; ++i) {
      const std::uint64_t lane = random() % 50 ? static_cast<unsigned>(i) * stride : random() % 4 << 30;
      words[0][i] = static_cast<std::uint32_t>(base + lane);
      words[1][i] = static_cast<std::uint32_t>((base + lane) >> 32);
    }
    isa::LaneOperands operands;
    operands.src[0][0] = &words[0];
    operands.src[0][1] = &words[1];
    WarpAddresses a;
    patterns.make(instruction, operands, mask, a);
    std::uint64_t low = ~std::uint64_t{0}, high = 0, bits = 0;
    bool consecutive = true, one_window = true;
    for (int i = 0; i < kLanes; ++i) {
      const int from = (mask >> i) & 1u ? i : std::countr_zero(mask);
      std::uint64_t at = (words[0][from] | std::uint64_t{words[1][from]} << 32) +
                         static_cast<std::uint64_t>(std::int64_t{instruction.memory.offset});
      if (narrow) at &= 0xffffffffu;
      ASSERT_EQ(a.at(i), at);
      low = std::min(low, at);
      high = std::max(high, at);
      bits |= at;
      consecutive &= at == a.at(0) + static_cast<unsigned>(i) * bytes;
      one_window &= at >> 32 == a.at(0) >> 32;
    }
    ASSERT_EQ(a.low, low);
    ASSERT_EQ(a.high, high);
    ASSERT_EQ(a.aligned, bits % bytes == 0);
    ASSERT_EQ(a.consecutive, consecutive);
    ASSERT_EQ(a.one_window, one_window);
  }
}

struct BankRow {
  unsigned bytes, stride;
  LaneMask mask;
  unsigned passes, words;
};

void check_rows(BankConflicts banks, std::initializer_list<BankRow> rows) {
  for (const BankRow& row : rows) {
    const WarpAddresses a =
        addresses_of(row.bytes, row.mask, [&](unsigned i) { return 0x0100'0000 + i * row.stride; });
    const BankUse use = banks.access(a, row.mask);
    EXPECT_EQ(use.passes, row.passes) << row.bytes << " bytes, stride " << row.stride;
    EXPECT_EQ(use.words, row.words) << row.bytes << " bytes, stride " << row.stride;
  }
}

TEST(BankConflicts, ThirtyTwoBanksOfFourBytes) {
  check_rows(BankConflicts(32, 4), {
                                       {4, 4, kAllLanes, 1, 32},
                                       {4, 0, kAllLanes, 1, 1},
                                       {4, 8, kAllLanes, 2, 32},
                                       {4, 12, kAllLanes, 1, 32},
                                       {4, 16, kAllLanes, 4, 32},
                                       {4, 64, kAllLanes, 16, 32},
                                       {4, 128, kAllLanes, 32, 32},
                                       {4, 132, kAllLanes, 1, 32},
                                       {4, 128, 0x0000000f, 4, 4},
                                       {1, 1, kAllLanes, 1, 8},
                                       {2, 2, kAllLanes, 1, 16},
                                       {8, 8, kAllLanes, 2, 64},
                                       {8, 16, kAllLanes, 4, 64},
                                       {8, 8, 0x0000ffff, 1, 32},
                                       {16, 16, kAllLanes, 4, 128},
                                       {16, 32, kAllLanes, 8, 128},
                                   });
}

TEST(BankConflicts, OtherShapes) {
  // The shared memory of Gebhart 2012 delivers 32 bytes per cycle, so a warp's access of 32 words without
  // conflicts takes four cycles.
  check_rows(BankConflicts(8, 4),
             {{4, 4, kAllLanes, 4, 32}, {4, 0, kAllLanes, 1, 1}, {4, 32, kAllLanes, 32, 32}});
  check_rows(BankConflicts(16, 4), {{4, 4, kAllLanes, 2, 32}});
  // With banks of 8 bytes, 64-bit data of a whole warp take one pass, and two lanes with 4-byte data share a
  // bank word.
  check_rows(BankConflicts(32, 8),
             {{8, 8, kAllLanes, 1, 32}, {4, 4, kAllLanes, 1, 16}, {16, 16, kAllLanes, 2, 64}});
}

TEST(BankConflicts, PartialBroadcast) {
  // Lanes 0 to 15 read word 0. Lanes 16 to 31 read word 32, which lies in the same bank.
  const WarpAddresses a =
      addresses_of(4, kAllLanes, [](unsigned i) { return 0x0100'0000 + (i < 16 ? 0 : 128); });
  EXPECT_EQ(BankConflicts(32, 4).access(a, kAllLanes).passes, 2u);
}

TEST(BankConflicts, RepeatedPatternsCountTheSame) {
  std::mt19937 random(4);
  for (const auto& [count, width] : {std::pair{32, 4}, {32, 8}, {12, 4}}) {
    BankConflicts seasoned(count, width);
    for (int round = 0; round < 3000; ++round) {
      const unsigned bytes = 1u << random() % 4, stride = bytes * (random() % 6), swap = random() % 3;
      const std::uint32_t base = 0x0100'0000 + random() % 64 * 8;
      const LaneMask mask = random() % 2 ? kAllLanes : static_cast<LaneMask>(random()) | 1u;
      const auto a = addresses_of(bytes, mask, [&](unsigned i) { return base + (i ^ swap) * stride; });
      const LaneMask lanes = random() % 4 ? mask : (mask & static_cast<LaneMask>(random())) | 1u;
      const BankUse use = seasoned.access(a, lanes), fresh = BankConflicts(count, width).access(a, lanes);
      ASSERT_EQ(use.passes, fresh.passes)
          << bytes << " bytes, stride " << stride << ", " << count << " banks";
      ASSERT_EQ(use.words, fresh.words) << bytes << " bytes, stride " << stride << ", " << count << " banks";
    }
  }
}

TEST(BankConflicts, AtomicsToOneAddressSerialise) {
  const BankConflicts banks(32, 4);
  const auto same = addresses_of(4, kAllLanes, [](unsigned) { return 0x0100'0000; });
  EXPECT_EQ(banks.atomic(same, kAllLanes).passes, 32u);
  EXPECT_EQ(banks.atomic(same, 0x7).passes, 3u);
  const auto apart = addresses_of(4, kAllLanes, [](unsigned i) { return 0x0100'0000 + 4 * i; });
  EXPECT_EQ(banks.atomic(apart, kAllLanes).passes, 1u);
  const auto pairs = addresses_of(4, kAllLanes, [](unsigned i) { return 0x0100'0000 + 4 * (i / 2); });
  EXPECT_EQ(banks.atomic(pairs, kAllLanes).passes, 2u);
}

}  // namespace
}  // namespace heddle::coalescer_test

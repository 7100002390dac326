// models/isa/rows.h declares operations on register rows. Each lane must give the declared result, with both
// implementations of the lane functions.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <random>

#include "models/isa/lanes/lane_sets.h"
#include "models/isa/rows.h"

namespace heddle::isa::test {
namespace {

constexpr int kRounds = 2000;

class Rows : public testing::TestWithParam<lanes::LaneSet> {
 protected:
  void SetUp() override {
    if (!lanes::host_supports(GetParam())) GTEST_SKIP() << "this host has no such instructions";
    rows = &lanes::row_operations_in(GetParam());
  }
  std::uint32_t word() {
    const auto value = static_cast<std::uint32_t>(random());
    return random() % 3 == 0 ? value % 64 : value;
  }
  LaneMask some_lanes() {
    return random() % 4 == 0 ? kAllLanes : static_cast<LaneMask>(random()) | 1u << random() % 32;
  }
  LaneVec row() {
    LaneVec values;
    for (auto& lane : values.lane) lane = word();
    return values;
  }
  static bool has(LaneMask lanes, int i) { return lanes >> i & 1u; }

  const RowOperations* rows = nullptr;
  std::mt19937_64 random{1};
};

TEST_P(Rows, MergeAndPermute) {
  for (int round = 0; round < kRounds; ++round) {
    const LaneMask lanes = some_lanes();
    const LaneVec from = row(), old = row();
    LaneVec merged = old, permuted;
    rows->merge(merged, from, lanes);
    std::array<std::uint8_t, kLanes> source;
    for (auto& s : source) s = static_cast<std::uint8_t>(random() % kLanes);
    rows->permute(permuted, from, source.data(), lanes);
    for (int i = 0; i < kLanes; ++i) {
      ASSERT_EQ(merged[i], has(lanes, i) ? from[i] : old[i]);
      ASSERT_EQ(permuted[i], has(lanes, i) ? from[source[static_cast<std::size_t>(i)]] : kPoison);
    }
  }
}

TEST_P(Rows, WordsOfMemory) {
  for (int round = 0; round < kRounds; ++round) {
    const LaneMask lanes = some_lanes();
    std::array<std::uint8_t, 1024> memory;
    for (auto& byte : memory) byte = static_cast<std::uint8_t>(random());
    const auto at = [&](std::size_t place) {
      std::uint32_t value;
      std::memcpy(&value, memory.data() + place, 4);
      return value;
    };
    const LaneVec old = row();
    const std::uint32_t base = word();
    LaneVec offset = row(), gathered = old;
    for (int i = 0; i < kLanes; ++i)
      if (has(lanes, i)) offset[i] = base + static_cast<std::uint32_t>(random() % (memory.size() - 3));
    rows->gather(memory.data(), offset, base, lanes, gathered);

    const auto first = static_cast<std::int32_t>(random() % 800),
               second = static_cast<std::int32_t>(random() % 800);
    const auto place_of = [&](int i) { return static_cast<std::size_t>((i < 16 ? first : second) + 4 * i); };
    LaneVec loaded = old;
    rows->load(memory.data(), first, second, lanes, loaded);
    for (int i = 0; i < kLanes; ++i) {
      ASSERT_EQ(gathered[i], has(lanes, i) ? at(offset[i] - base) : old[i]);
      ASSERT_EQ(loaded[i], has(lanes, i) ? at(place_of(i)) : old[i]);
    }
    auto expected = memory;
    for (int i = 0; i < kLanes; ++i)
      if (has(lanes, i)) std::memcpy(expected.data() + place_of(i), &old.lane[i], 4);
    rows->store(memory.data(), first, second, lanes, old);
    ASSERT_EQ(memory, expected);
  }
}

TEST_P(Rows, Addresses) {
  for (int round = 0; round < kRounds; ++round) {
    const LaneMask lanes = some_lanes();
    LaneVec low = row(), high = row();
    if (random() % 2)
      for (auto& lane : high.lane) lane = high[0];
    const bool wide = random() % 4 != 0;
    const auto offset = static_cast<std::int64_t>(random()) >> random() % 40;
    LaneVec low_sum, high_sum;
    const bool alike = rows->add_offset(low, wide ? &high : nullptr, offset, lanes, low_sum, high_sum);
    const int first = std::countr_zero(lanes);
    bool equal = true;
    std::array<std::uint64_t, kLanes> sums;
    for (int i = 0; i < kLanes; ++i) {
      const int from = has(lanes, i) ? i : first;
      const std::uint64_t address = (wide ? std::uint64_t{high[from]} << 32 : 0) | low[from];
      const std::uint64_t sum = address + static_cast<std::uint64_t>(offset);
      sums[static_cast<std::size_t>(i)] = sum;
      ASSERT_EQ(low_sum[i], static_cast<std::uint32_t>(sum));
      if (wide) ASSERT_EQ(high_sum[i], sum >> 32);
      equal = equal && sum >> 32 == sums[0] >> 32;
    }
    ASSERT_EQ(alike, !wide || equal);
  }
}

TEST_P(Rows, Distances) {
  for (int round = 0; round < kRounds; ++round) {
    const LaneMask lanes = some_lanes();
    const LaneVec words = row();
    const std::uint32_t base = words[std::countr_zero(lanes)];
    LaneVec distances;
    const RowSpread spread = rows->measure(words, base, lanes, distances);
    std::int32_t lowest = 0, highest = 0;
    std::uint32_t bits = 0;
    for (int i = 0; i < kLanes; ++i) {
      const std::uint32_t distance = has(lanes, i) ? words[i] - base : 0;
      ASSERT_EQ(distances[i], distance);
      lowest = std::min(lowest, static_cast<std::int32_t>(distance));
      highest = std::max(highest, static_cast<std::int32_t>(distance));
      bits |= distance;
    }
    ASSERT_EQ(spread.lowest, lowest);
    ASSERT_EQ(spread.highest, highest);
    ASSERT_EQ(spread.bits, bits);
    ASSERT_TRUE(rows->has_distances(words, base, distances, lanes));
    const auto other = static_cast<int>(random() % kLanes);
    distances[other] ^= 1u << random() % 32;
    ASSERT_EQ(rows->has_distances(words, base, distances, lanes), !has(lanes, other));
  }
}

TEST_P(Rows, Blocks) {
  for (int round = 0; round < kRounds; ++round) {
    const LaneVec words = row();
    const std::uint32_t add = word();
    const int shift = static_cast<int>(random() % 12);
    const std::uint32_t block = (words[static_cast<int>(random() % kLanes)] + add) >> shift;
    LaneMask inside = 0, changes = 1;
    for (int i = 0; i < kLanes; ++i) {
      const std::uint32_t own = (words[i] + add) >> shift;
      inside |= LaneMask{own == block} << i;
      if (i > 0) changes |= LaneMask{own != (words[i - 1] + add) >> shift} << i;
    }
    ASSERT_EQ(rows->in_block(words, add, shift, block), inside);
    ASSERT_EQ(rows->block_changes(words, add, shift), changes);
  }
}

TEST_P(Rows, BitsAndBytes) {
  for (int round = 0; round < kRounds; ++round) {
    const LaneMask lanes = some_lanes();
    const LaneVec words = row();
    const RowBits bits = rows->bits(words, lanes);
    std::uint32_t any = 0, all = ~0u;
    std::uint8_t planes[4][kLanes];
    std::uint8_t* const into[4] = {planes[0], planes[1], planes[2], planes[3]};
    const std::uint8_t* const from[4] = {planes[0], planes[1], planes[2], planes[3]};
    rows->split(words, into);
    LaneVec again;
    rows->interleave(from, again);
    for (int i = 0; i < kLanes; ++i) {
      if (has(lanes, i)) {
        any |= words[i];
        all &= words[i];
      }
      for (int byte = 0; byte < 4; ++byte) ASSERT_EQ(planes[byte][i], words[i] >> 8 * byte & 0xff);
    }
    ASSERT_EQ(bits.any, any);
    ASSERT_EQ(bits.all, all);
    ASSERT_EQ(again, words);
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, Rows, testing::Values(lanes::LaneSet::baseline, lanes::LaneSet::avx2),
                         [](const auto& set) {
                           return set.param == lanes::LaneSet::baseline ? "baseline" : "avx2";
                         });

}  // namespace
}  // namespace heddle::isa::test

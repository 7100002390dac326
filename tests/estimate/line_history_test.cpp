#include "testbench/estimate/line_history.h"

#include <gtest/gtest.h>

#include <array>

namespace heddle::estimate {
namespace {

constexpr std::uint64_t kLeast = LineHistory::kLeastInstructions;

void touch(LineHistory& history, std::uint64_t line) {
  std::array<std::uint64_t, kLanes> addresses;
  addresses.fill(line * LastLines::kLineBytes);
  history.accessed(addresses, false);
}

LineMarks one_after_the_other(std::size_t cache_lines, std::uint64_t instructions) {
  LineHistory history(cache_lines, {0, 128, 128}, 1);
  for (std::uint64_t cta = 0; cta < 128; ++cta) {
    touch(history, cta);
    history.cta_ended(instructions);
  }
  return history.take();
}

std::vector<std::uint64_t> lines_of(const LineMarks::Mark& mark) {
  std::vector<std::uint64_t> lines;
  for (const std::uint64_t address : mark.addresses) lines.push_back(address / LastLines::kLineBytes);
  return lines;
}

TEST(LineHistory, AMarkHasTheLinesOfTheCtasBeforeIt) {
  const LineMarks marks = one_after_the_other(2, kLeast);
  EXPECT_EQ(marks.before(0).cta, 0u);
  EXPECT_TRUE(marks.before(0).addresses.empty());
  EXPECT_EQ(marks.before(2).cta, 2u);
  EXPECT_EQ(lines_of(marks.before(2)), (std::vector<std::uint64_t>{0, 1}));
  EXPECT_EQ(marks.before(3).cta, 2u) << "the last mark before it";
  EXPECT_EQ(lines_of(marks.before(127)), (std::vector<std::uint64_t>{118, 119, 120, 121, 122, 123, 124, 125}))
      << "the last ones alone";
}

TEST(LineHistory, LanesInOnePieceAreNotedAsOne) {
  for (const bool writes : {false, true})
    for (std::int32_t step = -200; step <= 200; ++step)
      for (const std::uint64_t first : {8000u, 8060u, 8124u}) {
        LastLines some(64), every(64);
        const std::uint64_t piece = writes ? LastLines::kWriteBytes : LastLines::kReadBytes;
        std::vector<std::uint64_t> addresses, firsts;
        for (std::size_t i = 0; i < kLanes; ++i) {
          addresses.push_back(first + i * static_cast<std::uint64_t>(std::int64_t{step}));
          if (i == 0 || addresses[i] / piece != addresses[i - 1] / piece) firsts.push_back(addresses[i]);
        }
        every.accessed(addresses, writes);
        some.accessed(firsts, writes);
        ASSERT_EQ(some.addresses(), every.addresses()) << first << " + i * " << step;
      }
}

TEST(LineHistory, SectorsThatWereWrittenAreNoted) {
  LastLines lines(8);
  const auto touch_sector = [&lines](std::uint64_t address, bool writes) {
    std::array<std::uint64_t, kLanes> addresses;
    addresses.fill(address);
    lines.accessed(addresses, writes);
  };
  touch_sector(0, false);
  touch_sector(1280, false);
  touch_sector(40, true);
  touch_sector(127, true);
  EXPECT_EQ(lines.addresses(), (std::vector<std::uint64_t>{0 | 0b1010, 1280}));
}

// If the program accesses two lines in turn many times, these lines must not push all other lines out of the
// history.
TEST(LineHistory, LinesThatAreTouchedAgainAndAgainLeaveRoomForOthers) {
  LastLines lines(8);
  const auto touch_line = [&lines](std::uint64_t line) {
    std::array<std::uint64_t, kLanes> addresses;
    addresses.fill(line * LastLines::kLineBytes);
    lines.accessed(addresses, false);
  };
  for (std::uint64_t line = 0; line < 6; ++line) touch_line(line);
  for (int i = 0; i < 1000; ++i) {
    touch_line(100);
    touch_line(101);
  }
  touch_line(0);
  std::vector<std::uint64_t> found;
  for (const std::uint64_t address : lines.addresses()) found.push_back(address / LastLines::kLineBytes);
  EXPECT_EQ(found, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 100, 101, 0})) << "the oldest is noted anew";
}

TEST(LineHistory, ShortCtasAreExecutedAgain) {
  const LineMarks marks = one_after_the_other(2, kLeast / 16);
  EXPECT_EQ(marks.before(15).cta, 0u);
  EXPECT_EQ(marks.before(17).cta, 16u);
}

TEST(LineHistory, CtasThatRunTogetherBeginAsOthersEnd) {
  LineHistory history(4, {0, 128, 128}, 16);
  touch(history, 7);
  history.cta_ended(kLeast);
  const LineMarks marks = history.take();
  EXPECT_EQ(marks.before(15).cta, 0u);
  EXPECT_EQ(marks.before(16).cta, 16u) << "the first that begins later";
  EXPECT_EQ(lines_of(marks.before(16)), std::vector<std::uint64_t>{7});
}

TEST(LineHistory, APartTakesTheLinesOfThePartBeforeIt) {
  LineHistory first(1, {0, 64, 128}, 1), second(1, {64, 128, 128}, 1);
  for (std::uint64_t cta = 0; cta < 64; ++cta) {
    touch(first, cta);
    first.cta_ended(kLeast);
    touch(second, 64 + cta);
    second.cta_ended(kLeast);
  }
  LineMarks both = first.take();
  both.append(second.take(), LastLines::kept_of(1));
  const LineMarks whole = one_after_the_other(1, kLeast);
  EXPECT_EQ(both.at_end, whole.at_end);
  ASSERT_EQ(both.marks.size(), whole.marks.size());
  for (std::size_t i = 0; i < whole.marks.size(); ++i) {
    EXPECT_EQ(both.marks[i].cta, whole.marks[i].cta);
    EXPECT_EQ(both.marks[i].addresses, whole.marks[i].addresses);
  }
}

TEST(LineHistory, WithoutACacheThereIsNothingToKeep) {
  EXPECT_EQ(one_after_the_other(0, kLeast).before(100).cta, 0u);
}

}  // namespace
}  // namespace heddle::estimate

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>

#include "models/core/error.h"
#include "models/core/memory_image.h"

namespace heddle {
namespace {

TEST(MemoryImage, FindsWhatOneAllocationCovers) {
  MemoryImage image;
  image.allocate_at("b", 0x2000, 16);
  image.allocate_at("a", 0x1000, 16);
  EXPECT_NE(image.find(0x1000, 16), nullptr);
  EXPECT_NE(image.find(0x100f, 1), nullptr);
  EXPECT_EQ(image.find(0x100f, 2), nullptr);
  EXPECT_EQ(image.find(0x0fff, 1), nullptr);
  EXPECT_EQ(image.find(0x1800, 4), nullptr);
  EXPECT_EQ(image.find(~0ull - 1, 8), nullptr);
  ASSERT_EQ(image.allocations().size(), 2u);
  EXPECT_EQ(image.allocations()[0]->name, "a");
}

TEST(MemoryImage, RefusesOverlap) {
  MemoryImage image;
  image.allocate_at("a", 0x1000, 16);
  EXPECT_THROW(image.allocate_at("b", 0x100f, 1), Error);
  EXPECT_THROW(image.allocate_at("b", 0x0ff8, 16), Error);
  EXPECT_NO_THROW(image.allocate_at("b", 0x1010, 1));
}

TEST(MemoryImage, ErrorsNameTheNearestAllocation) {
  MemoryImage image;
  image.allocate_at("input", 0x1000, 16);
  try {
    image.at(0x1014, 4, "thread 3");
    FAIL() << "out of bounds";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("input"), std::string::npos) << message;
    EXPECT_NE(message.find("0x1014"), std::string::npos) << message;
  }
}

TEST(MemoryImage, CopiesAreDeep) {
  MemoryImage image;
  image.allocate_at("a", 0x1000, 4);
  MemoryImage copy = image;
  *copy.find(0x1000, 1) = 7;
  EXPECT_EQ(*image.find(0x1000, 1), 0);
  image.release(0x1000);
  EXPECT_EQ(image.find(0x1000, 1), nullptr);
  EXPECT_NE(copy.find(0x1000, 1), nullptr);
}

constexpr std::uint64_t kBase = 0x100000000, kBytes = 5 * PagedBytes::kChunkBytes + 12345;

// Compares the allocation at kBase in two memory images. Returns the numbers of the chunks that the images do
// not share.
std::vector<std::uint64_t> unshared(const MemoryImage& a, const MemoryImage& b) {
  std::vector<std::uint64_t> chunks;
  a.find_by_base(kBase)->data.for_unshared(
      b.find_by_base(kBase)->data,
      [&](std::uint64_t first, std::uint64_t) { chunks.push_back(first / PagedBytes::kChunkBytes); });
  return chunks;
}

std::uint8_t& byte(MemoryImage& image, std::uint64_t chunk) {
  return *image.at(kBase + chunk * PagedBytes::kChunkBytes + 77, 1, "test");
}

TEST(MemoryImage, CopiesKeepTheirOwnValues) {
  MemoryImage first;
  first.allocate_at("large", kBase, kBytes);
  first.allocate_at("small", 0x1000, 16);
  byte(first, 0) = 1;
  byte(first, 5) = 2;
  *first.at(0x1008, 1, "test") = 3;
  MemoryImage second = first, third;
  third = second;
  byte(second, 0) = 4;
  byte(third, 3) = 5;
  *third.at(0x1008, 1, "test") = 6;
  first = third;
  byte(third, 3) = 7;
  EXPECT_EQ(byte(first, 0), 1);
  EXPECT_EQ(byte(first, 3), 5);
  EXPECT_EQ(byte(first, 5), 2);
  EXPECT_EQ(*first.at(0x1008, 1, "test"), 6);
  EXPECT_EQ(byte(second, 0), 4);
  EXPECT_EQ(byte(second, 3), 0);
  EXPECT_EQ(*second.at(0x1008, 1, "test"), 3);
  EXPECT_EQ(byte(third, 3), 7);
  EXPECT_EQ(byte(third, 0), 1);
}

// Returns true if the operating system's page list (pagemap) shows that the page of a local variable exists.
// The function does not use PagedBytes, because a fault in PagedBytes could otherwise skip the test.
bool host_lists_pages() {
  const int pages = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  std::uint64_t entry = 0;
  const auto page = reinterpret_cast<std::uintptr_t>(&entry) / static_cast<std::uintptr_t>(::getpagesize());
  const ssize_t read = ::pread(pages, &entry, sizeof entry, static_cast<off_t>(page * sizeof entry));
  ::close(pages);
  return read == sizeof entry && entry >> 63 != 0;
}

TEST(MemoryImage, CopiesShareWhatNobodyWrites) {
  MemoryImage first;
  first.allocate_at("large", kBase, kBytes);
  byte(first, 2) = 1;
  MemoryImage second = first;
  if (!host_lists_pages()) GTEST_SKIP() << "this host has no list of a process's pages";
  EXPECT_TRUE(unshared(first, second).empty());
  EXPECT_EQ(byte(second, 2), 1);
  EXPECT_TRUE(unshared(first, second).empty());
  byte(first, 2) = 2;
  byte(second, 4) = 3;
  EXPECT_EQ(unshared(first, second), (std::vector<std::uint64_t>{2, 4}));
  const MemoryImage third = second;
  EXPECT_EQ(unshared(first, second), (std::vector<std::uint64_t>{2, 4}));
  EXPECT_TRUE(unshared(second, third).empty());
}

TEST(MemoryImage, SettlingKeepsValuesAndAddresses) {
  MemoryImage image;
  image.allocate_at("large", kBase, kBytes);
  std::uint8_t& last = byte(image, 5);
  for (std::uint8_t round = 1; round < 4; ++round) {
    last = round;
    image.settle();
    EXPECT_EQ(last, round);
    EXPECT_EQ(&last, &byte(image, 5));
  }
}

}  // namespace
}  // namespace heddle

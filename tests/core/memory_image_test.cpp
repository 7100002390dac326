#include <gtest/gtest.h>

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

}  // namespace
}  // namespace heddle

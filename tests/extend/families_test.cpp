// Every family has a plug-in in tests/extend, which tests the family's interface.

#include <gtest/gtest.h>

#include <algorithm>

#include "models/core/registry.h"

namespace heddle {
namespace {

TEST(Families, EachHasAToy) {
  const auto& families = Families::instance().by_place();
  EXPECT_GE(families.size(), 12u);
  for (const auto& [place, family] : families) {
    const std::vector<PartInfo> parts = family->parts();
    EXPECT_TRUE(std::any_of(parts.begin(), parts.end(),
                            [](const PartInfo& part) { return part.name.starts_with("toy-"); }))
        << family->name() << " (" << place << ") has no toy in tests/extend";
  }
}

}  // namespace
}  // namespace heddle

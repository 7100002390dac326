// For every family of parts, there must be a plug-in in tests/extend that tests the family's interface.

#include <gtest/gtest.h>

#include <algorithm>

#include "models/core/registry.h"
#include "power/arrays.h"

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

// A part should declare its storage arrays (models/core/part_arrays.h). The entry format toy-zeros declares
// its array, toy-short declares none. Every part of Heddle itself declares its arrays
// (tests/power/laws_test.cpp).
TEST(Families, APartThatDeclaresNoArraysIsFound) {
  const std::vector<std::string> found = power::find_undeclared_parts();
  const auto has = [&](const char* part) {
    return std::find(found.begin(), found.end(), part) != found.end();
  };
  EXPECT_TRUE(has("entry format: toy-short"));
  EXPECT_FALSE(has("entry format: toy-zeros"));
  // Only plug-ins of the tests (toy-*, test-*) may declare no arrays; Heddle's own parts must.
  for (const std::string& part : found)
    EXPECT_TRUE(part.find(": toy-") != std::string::npos || part.find(": test-") != std::string::npos)
        << part;
}

}  // namespace
}  // namespace heddle

// A program that was copied away from the files that come with it says that it misses them, and where it looked.

#include "testbench/run/data_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/core/error.h"

namespace heddle::run {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(DataFiles, WhatIsAllowedAreTheirNamesOrAFile) {
  EXPECT_EQ(names_or_file({"bfs", "fft"}), "bfs, fft, or a file");
  try {
    find_named("configs/gpu", "nix", "GPU preset", "--gpu");
    ADD_FAILURE() << "a preset \"nix\" was found";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("--gpu: unknown GPU preset \"nix\" (allowed: fermi-cmrc, "));
  }
}

TEST(DataFiles, ThoseThatDidNotComeAlongAreMissed) {
  EXPECT_TRUE(list_data("configs/nix", ".json").empty());
  const std::string none = names_or_file({});
  EXPECT_THAT(none, StartsWith("a file; those that come with Heddle are not in /"));
  EXPECT_THAT(none, HasSubstr("share/heddle or "));
}

}  // namespace
}  // namespace heddle::run

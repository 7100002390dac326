// A program that was copied without its data files must report the missing file and the searched folders.

#include "testbench/run/data_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/core/error.h"

namespace heddle::run {
namespace {

using ::testing::HasSubstr;

TEST(DataFiles, WhatIsAllowedAreTheirNamesOrAFile) {
  EXPECT_STREQ(
      unknown_file("--launch", "launch file", "ffft", {"bfs", "fft"}).what(),
      "--launch: unknown launch file \"ffft\", did you mean \"fft\"? (allowed: bfs, fft, or a file)");
  try {
    find_named("configs/gpu", "nix", "GPU preset", "--gpu");
    ADD_FAILURE() << "a preset \"nix\" was found";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("--gpu: unknown GPU preset \"nix\" (allowed: ampere-a6000, "));
  }
}

TEST(DataFiles, ThoseThatDidNotComeAlongAreMissed) {
  EXPECT_TRUE(list_data("configs/nix", ".json").empty());
  const std::string none = unknown_file("--gpu", "preset", "nix", {}).what();
  EXPECT_THAT(none, HasSubstr("(allowed: a file; those that come with Heddle are not in /"));
  EXPECT_THAT(none, HasSubstr("share/heddle or "));
}

}  // namespace
}  // namespace heddle::run

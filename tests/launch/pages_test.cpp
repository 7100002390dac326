// Tests the reading of runs of consecutive pages from a file of memory pages. If runs lie outside of the
// file, or the size of a buffer does not fit its runs, one error must report this.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "models/core/error.h"
#include "testbench/launch/pages.h"

namespace heddle::launch {
namespace {

using testing::HasSubstr;

class Pages : public testing::Test {
 protected:
  Pages() { std::ofstream(source_.file, std::ios::binary) << std::string(2 * kPageBytes, 'a'); }
  ~Pages() override { std::filesystem::remove(source_.file); }
  std::string error() const {
    try {
      read_pages(source_);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }

  PageSource source_{
      testing::TempDir() + "heddle_pages_" + std::to_string(::getpid()), {}, 8000, {}, "launch.json:3:9"};
};

TEST_F(Pages, RunsThatTheFileDoesNotHoldAreRefusedBeforeMemoryIsTaken) {
  const std::uint64_t most = ~std::uint64_t{0};
  for (const PageRun& run : {PageRun{1, 2}, PageRun{2, 1}, PageRun{0, most}, PageRun{most, 1},
                             PageRun{most, most}, PageRun{0, std::uint64_t{1} << 40}}) {
    source_.runs = {run};
    EXPECT_THAT(error(), HasSubstr("pages from page")) << run.first << " " << run.count;
  }
}

TEST_F(Pages, SizesThatTheRunsDoNotFillAreRefused) {
  source_.runs = {{0, 2}};
  for (const std::uint64_t bytes : {std::uint64_t{2 * kPageBytes + 1}, ~std::uint64_t{0}}) {
    source_.bytes = bytes;
    EXPECT_THAT(error(), HasSubstr("2 pages hold fewer than"));
  }
}

TEST_F(Pages, TwoRunsGiveTheirBytes) {
  source_.runs = {{1, 1}, {0, 1}};
  PagesHash hash;
  const std::string page(kPageBytes, 'a');
  for (int i = 0; i < 2; ++i)
    hash.add(key_of({reinterpret_cast<const std::uint8_t*>(page.data()), kPageBytes}));
  source_.hash = hash.text();
  EXPECT_EQ(read_pages(source_), std::vector<std::uint8_t>(8000, 'a'));
}

}  // namespace
}  // namespace heddle::launch

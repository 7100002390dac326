// Tests the stored results of untimed executions. A stored file must give the results of the execution that
// wrote it, and must not be used for any other execution.

#include "testbench/estimate/untimed_store.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "models/compiler/pipeline.h"
#include "testbench/estimate/packed_words.h"
#include "testbench/estimate/untimed_key.h"
#include "testbench/launch/launch_run.h"
#include "testbench/launch/program_provider.h"
#include "testbench/run/data_files.h"

namespace heddle::estimate {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCacheLines = 64;

class FirstLaunch : public launch::LaunchExecutor {
 public:
  explicit FirstLaunch(const char* name)
      : file_(launch::read_launch_file(run::find_launch(name))),
        programs_(file_, [](isa::Program parsed) { return compiler::compile(parsed, {}); }),
        run_(file_, programs_, memory_) {
    run_.prepare();
    run_.run(*this);
  }
  void launch(const isa::KernelLaunch& one, MemoryImage& memory) override {
    if (!launch_.program) {
      before_ = memory;
      launch_ = one;
    }
    reference::run_reference(one, memory, {});
  }
  const isa::KernelLaunch& launch() const { return launch_; }
  const MemoryImage& before() const { return before_; }

 private:
  launch::LaunchFile file_;
  MemoryImage memory_, before_;
  launch::PtxPrograms programs_;
  launch::LaunchRun run_;
  isa::KernelLaunch launch_;
};

const FirstLaunch& hotspot() {
  static const FirstLaunch first("hotspot");
  return first;
}

class UntimedStoreTest : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  std::vector<std::string> files() const {
    std::vector<std::string> all;
    if (!fs::exists(folder_)) return all;
    for (const auto& entry : fs::directory_iterator(folder_)) all.push_back(entry.path());
    return all;
  }
  std::string folder_ = testing::TempDir() + "untimed-" + std::to_string(::getpid());
  UntimedStore store_{folder_};
};

bool same(const MemoryImage& a, const MemoryImage& b) {
  return std::equal(a.allocations().begin(), a.allocations().end(), b.allocations().begin(),
                    b.allocations().end(),
                    [](const auto& x, const auto& y) { return x->base == y->base && x->data == y->data; });
}

void expect_same(const UntimedExecution& a, const UntimedExecution& b) {
  EXPECT_EQ(a.counts.counters, b.counts.counters);
  EXPECT_EQ(a.counts.by_cta, b.counts.by_cta);
  EXPECT_EQ(a.counts.segments_by_cta, b.counts.segments_by_cta);
  EXPECT_EQ(a.counts.result.issues, b.counts.result.issues);
  EXPECT_EQ(a.counts.result.global_segments, b.counts.result.global_segments);
  EXPECT_EQ(a.lines.at_end, b.lines.at_end);
  ASSERT_EQ(a.lines.marks.size(), b.lines.marks.size());
  for (std::size_t i = 0; i < a.lines.marks.size(); ++i) {
    EXPECT_EQ(a.lines.marks[i].cta, b.lines.marks[i].cta);
    EXPECT_EQ(a.lines.marks[i].addresses, b.lines.marks[i].addresses);
  }
}

TEST_F(UntimedStoreTest, WhatIsReadIsWhatWasExecuted) {
  MemoryImage executed = hotspot().before(), first = executed, second = executed;
  const UntimedExecution alone = UntimedStore("").execute(hotspot().launch(), executed, {}, kCacheLines);
  EXPECT_FALSE(same(executed, hotspot().before()));
  EXPECT_GT(alone.lines.marks.size(), 10u);
  expect_same(store_.execute(hotspot().launch(), first, {}, kCacheLines), alone);
  ASSERT_EQ(files().size(), 1u);
  // stops every execution, so that only stored results can be used
  reference::ReferenceOptions options;
  options.stop = [] { return true; };
  expect_same(store_.execute(hotspot().launch(), second, options, kCacheLines), alone);
  EXPECT_TRUE(same(first, executed));
  EXPECT_TRUE(same(second, executed));
}

TEST_F(UntimedStoreTest, ATornOrChangedFileIsNotBelieved) {
  MemoryImage first = hotspot().before(), second = first, third = first;
  const UntimedExecution made = store_.execute(hotspot().launch(), first, {}, kCacheLines);
  ASSERT_EQ(files().size(), 1u);
  const std::string file = files().front();
  {
    std::fstream changed(file, std::ios::in | std::ios::out | std::ios::binary);
    changed.seekp(100);
    changed.put('?');
    changed.put('!');
  }
  expect_same(store_.execute(hotspot().launch(), second, {}, kCacheLines), made);
  EXPECT_TRUE(same(second, first));
  fs::resize_file(file, 1000);
  expect_same(store_.execute(hotspot().launch(), third, {}, kCacheLines), made);
  EXPECT_TRUE(same(third, first));
}

TEST_F(UntimedStoreTest, AFewInstructionsAreExecutedAgain) {
  const FirstLaunch small("saxpy/small");
  MemoryImage memory = small.before();
  const UntimedExecution made = store_.execute(small.launch(), memory, {}, kCacheLines);
  EXPECT_LT(made.counts.result.warp_instructions, UntimedStore::kLeastInstructions);
  EXPECT_TRUE(files().empty());
}

TEST_F(UntimedStoreTest, MoreInstructionsThanTheLimitAreAnErrorAsEver) {
  MemoryImage first = hotspot().before(), second = first;
  store_.execute(hotspot().launch(), first, {});
  reference::ReferenceOptions options;
  options.max_warp_instructions = 1000;
  EXPECT_THROW(store_.execute(hotspot().launch(), second, options), reference::InstructionLimitError);
}

TEST(UntimedParts, ThreadsCountAndLeaveWhatOneDoes) {
  MemoryImage one = hotspot().before(), three = one;
  const UntimedExecution alone = execute_in_parts(hotspot().launch(), one, {}, 0, 1);
  const UntimedExecution parts = execute_in_parts(hotspot().launch(), three, {}, 0, 3);
  expect_same(alone, parts);
  EXPECT_TRUE(same(one, three));
  reference::ReferenceOptions options;
  options.stop = [] { return true; };
  EXPECT_THROW(execute_in_parts(hotspot().launch(), three, options, 0, 3), reference::StoppedError);
  options = {};
  options.max_warp_instructions = alone.counts.result.warp_instructions - 1;
  EXPECT_THROW(execute_in_parts(hotspot().launch(), three, options, 0, 3), reference::InstructionLimitError);
}

TEST(UntimedParts, CtasThatMeetInMemoryAreNotSeparate) {
  EXPECT_TRUE(has_separate_ctas(*hotspot().launch().program));
  for (const char* kernel : {"histogram/small", "threadfence_sum/small", "grid_reduction/small"})
    EXPECT_FALSE(has_separate_ctas(*FirstLaunch(kernel).launch().program)) << kernel;
}

// The key of a stored execution must depend on everything that affects the execution, but not on hints for
// hardware.
TEST(UntimedKey, SaysWhatIsExecuted) {
  const isa::KernelLaunch& launch = hotspot().launch();
  const std::string key = untimed_key(launch, hotspot().before(), {}, {kCacheLines});
  const auto key_of = [&](auto change) {
    isa::KernelLaunch other = launch;
    isa::Program program = *launch.program;
    change(other, program);
    other.program = std::make_shared<const isa::Program>(program);
    return untimed_key(other, hotspot().before(), {}, {kCacheLines});
  };
  EXPECT_EQ(key_of([](auto&, auto&) {}), key);
  EXPECT_EQ(key_of([](auto&, auto& p) { p.code[3].src[0].annotation.last_use ^= true; }), key);
  EXPECT_NE(key_of([](auto& l, auto&) { l.grid.x += 1; }), key);
  EXPECT_NE(key_of([](auto& l, auto&) { l.parameters[0] ^= 1; }), key);
  EXPECT_NE(key_of([](auto&, auto& p) { p.code[3].modifiers.ftz ^= true; }), key);
  EXPECT_NE(key_of([](auto&, auto& p) { p.code.pop_back(); }), key);
  reference::ReferenceOptions order;
  order.resident_ctas = 1;
  EXPECT_NE(untimed_key(launch, hotspot().before(), order, {kCacheLines}), key);
  MemoryImage memory = hotspot().before();
  memory.at(memory.allocations()[0]->base + 7, 1, "test")[0] ^= 0x80;
  EXPECT_NE(untimed_key(launch, memory, {}, {kCacheLines}), key);
}

TEST(PackedWords, AreReadAsTheyWereWritten) {
  PackedWriter writer;
  const std::vector<std::uint64_t> all = {0, 127, 128, ~std::uint64_t{0}, 5, std::uint64_t{1} << 63};
  writer.word(~std::uint64_t{0});
  writer.words(all);
  PackedReader reader(writer.all());
  std::uint64_t one = 0;
  std::vector<std::uint64_t> read;
  reader.word(one);
  reader.words(read);
  EXPECT_EQ(one, ~std::uint64_t{0});
  EXPECT_EQ(read, all);
  EXPECT_TRUE(reader.good());
  reader.word(one);
  EXPECT_FALSE(reader.good()) << "there is nothing more";
}

}  // namespace
}  // namespace heddle::estimate

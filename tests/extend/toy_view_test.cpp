// The recording of `heddle view` must show a stage that neither the recorder nor the page mentions by name:
// its counters, and its accesses.

#include <gtest/gtest.h>

#include "tests/view/recorded_run.h"

namespace heddle::view {
namespace {

TEST(ToyView, ShowsAToyStage) {
  ViewParameters window;
  window.to_cycle = 1000000;
  const RecordedRun run("vector_add", {R"(gpu.sm.register_file.stages=["toy-counter","banks"])"}, window);
  const std::string path = "partition0.stage0_toy_counter";
  ASSERT_TRUE(run.part(path));
  EXPECT_EQ(run.sum(path, "reads"), run.counters.at("sm0.partition0.toy_counter.reads"));
  std::uint64_t reads = 0;
  for (const RecordedCycle& cycle : run.recording.cycles)
    for (const PassedAccess& pass : cycle.passes)
      reads += run.recording.parts[pass.part].path == path && pass.command == RegisterCommand::read;
  EXPECT_EQ(reads, run.counters.at("sm0.partition0.toy_counter.reads"));
  EXPECT_GT(reads, 0u);
}

}  // namespace
}  // namespace heddle::view

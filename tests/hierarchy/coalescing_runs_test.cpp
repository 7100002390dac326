// Coalesced register accesses change when a register is read, never what: kernels give the bits of the untimed
// reference over formats, layouts and arbiters, and all counters conserve. HEDDLE_FULL runs the product of the kernels.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "testbench/launch/output_compare.h"
#include "testbench/run/run_session.h"
#include "testbench/run/scenario.h"
#include "tests/support/conservation.h"
#include "tests/support/simulation.h"

namespace heddle::hierarchy {
namespace {

const std::filesystem::path kKernels = "testbench/kernels";
constexpr const char* kNames[] = {"backprop",  "bfs",        "gaussian", "hotspot",
                                  "kmeans",    "lud",        "nn",       "pathfinder",
                                  "reduction", "matrix_mul", "fft",      "bitonic_sort"};
constexpr const char* kLayouts[] = {"wid", "wshift"};
constexpr const char* kFormats[] = {
    R"({"type":"sub-banked"})", R"({"type":"sub-banked","width":"signed"})",
    R"({"type":"sub-banked","partial_writes":"full","detect_cycles":1,"expand_cycles":1})",
    R"({"type":"sub-banked","width":"signed","alignment":"right","expand_cycles":2})", R"("whole")"};
constexpr const char* kArbiters[] = {
    R"("coalescing")", R"({"type":"coalescing","kinds":["read-read"],"instructions":"same"})",
    R"("no-conflicts")", R"({"type":"coalescing","fit":"any","window":3})", R"("one-per-bank")"};
constexpr const char* kPorts[] = {"sliced", "whole"};

std::vector<std::string> settings(const char* layout, const char* format, const char* arbiter,
                                  const char* port) {
  const std::string file = "gpu.sm.register_file.";
  return {file + "banks.layout=" + layout, file + "banks.format=" + format, file + "banks.arbiter=" + arbiter,
          file + "collector_port=" + port};
}

void expect_same(const std::string& kernel, const std::vector<std::string>& sets) {
  SCOPED_TRACE(kernel + ": " + testing::PrintToString(sets));
  run::ScenarioRequest request;
  request.gpu = "fermi-cmrc";
  request.launch = (kKernels / kernel / "small.json").string();
  request.sets = sets;
  request.sets.insert(request.sets.end(), {"watch.check=on", "gpu.sms=2"});
  const testing_support::Simulation simulation;
  run::RunSession session(run::read_scenario(request));
  const run::RunResult& result = session.run();
  ASSERT_TRUE(result.checked) << result.unchecked_reason;
  EXPECT_TRUE(result.equal) << launch::report_differences(result.comparisons);
  EXPECT_EQ(testing_support::conservation_violations(session.gpu(), session.stats()), "");
}

TEST(Coalescing, KernelsComputeTheSame) {
  const bool full = std::getenv("HEDDLE_FULL") != nullptr;
  for (std::size_t k = 0; k < std::size(kNames); ++k)
    for (std::size_t l = 0; l < std::size(kLayouts); ++l)
      for (std::size_t f = 0; f < std::size(kFormats); ++f)
        for (std::size_t a = 0; a < std::size(kArbiters); ++a)
          if (full || (f == (k + l) % std::size(kFormats) &&
                       a % std::size(kArbiters) == (k / 2) % std::size(kArbiters)))
            expect_same(kNames[k], settings(kLayouts[l], kFormats[f], kArbiters[a], kPorts[(k + f + a) % 2]));
}

}  // namespace
}  // namespace heddle::hierarchy

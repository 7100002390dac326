// It must be possible to build a GPU from every preset. The build fails in three cases: a latency is shorter
// than the pipeline around the unit, the number of sets of a cache is not a whole number, or a named part
// does not exist.

#include <gtest/gtest.h>

#include "models/gpu/gpu.h"
#include "tests/presets/preset_file.h"

namespace heddle::presets {
namespace {

void build(const GpuParameters& parameters) {
  MemoryImage image;
  StatsRegistry stats;
  Gpu gpu(testing::UnitTest::GetInstance()->current_test_info()->name(), parameters, image, stats,
          Gpu::Options{});
  ASSERT_EQ(gpu.sms().size(), static_cast<std::size_t>(parameters.sms));
  const SmResources sm = gpu.sm(0).capacity();
  EXPECT_EQ(sm.threads, parameters.sm.max_threads);
  std::uint32_t entries = 0;
  for (const std::uint32_t registers : sm.partition_registers) entries += registers;
  EXPECT_TRUE(entries == 1024 || entries == 2048) << entries << " warp-wide registers";
}

TEST(BuildsAGpu, FermiGebhart) { build(parameters_of("fermi-gebhart")); }
TEST(BuildsAGpu, FermiGtx480) { build(parameters_of("fermi-gtx480")); }
TEST(BuildsAGpu, FermiCmrc) { build(parameters_of("fermi-cmrc")); }
TEST(BuildsAGpu, FermiVirtualization) { build(parameters_of("fermi-virtualization")); }
TEST(BuildsAGpu, FermiGpgpusim) { build(parameters_of("fermi-gpgpusim")); }
TEST(BuildsAGpu, KeplerGtx780) { build(parameters_of("kepler-gtx780")); }
TEST(BuildsAGpu, MaxwellGtx980) { build(parameters_of("maxwell-gtx980")); }

TEST(BuildsAGpu, RefusesALatencyShorterThanThePipeline) {
  GpuParameters parameters = parameters_of("maxwell-gtx980");
  parameters.sm.units.int_add.latency_cycles = 1;
  EXPECT_THROW(build(parameters), Error);
}

}  // namespace
}  // namespace heddle::presets

// Tests faults of matrix instructions in whole runs. A fault exchanges two lanes of a fragment, or makes a
// register cache lose the third word of each register group. With each fault, the outputs must differ from
// those of the untimed reference.

#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "models/core/registry.h"
#include "models/exec/execution_unit.h"
#include "models/gpu/gpu.h"
#include "models/stages/register_cache.h"
#include "testbench/run/run_session.h"
#include "testbench/run/scenario.h"
#include "tests/support/kernel_list.h"
#include "tests/support/simulation.h"

namespace heddle::hierarchy {
namespace {

struct LosingParameters : RegisterCacheParameters {
  bool loses = true;
  void fields(FieldVisitor& v) {
    RegisterCacheParameters::fields(v);
    v.field("loses", loses, "writes 0 in place of the third word of a result of several words");
  }
};

class LosingCache : public RegisterCache {
 public:
  LosingCache(const LosingParameters& p, Context& c) : RegisterCache(p, c), loses_(p.loses) {}

 protected:
  Answer take(RegisterAccess& access) override {
    if (loses_ && access.command == RegisterCommand::write && access.operand->word == 2)
      access.values = &zeros_;
    return RegisterCache::take(access);
  }

 private:
  bool loses_;
  LaneVec zeros_{};
};

const Registration<RegisterStage, LosingCache, LosingParameters> matrix_mutants_test_entry{
    "test-losing-cache", "for tests"};

bool runs_right(const std::string& kernel, const std::vector<std::string>& sets,
                const std::function<void(isa::LaneOperands&)>& fault = {}) {
  const testing_support::Simulation simulation;
  run::ScenarioRequest request;
  request.gpu = "maxwell-gtx980";
  request.launch = testing_support::small_launch(kernel);
  request.with = testing_support::techniques_of(kernel);
  request.sets = {"gpu.sms=1", "watch.check=on", "power.technologies=[]", R"(gpu.sm.scheduler="two-level")"};
  request.sets.insert(request.sets.end(), sets.begin(), sets.end());
  run::RunHooks hooks;
  hooks.on_built = [&](Gpu& gpu) {
    ProbeList list;
    gpu.sm(0).probes(ProbeScope(list, "sm0"));
    for (const ProbeList::Part& part : list.parts)
      for (ProbePoint* point : part.points)
        if (Probe<UnitPoint>* unit = point->as<UnitPoint>(); unit && fault)
          unit->attach([&fault](const UnitProbeView& view, isa::LaneOperands* operands) {
            if (view.item.instruction->unit == isa::UnitClass::matrix) fault(*operands);
          });
  };
  run::RunSession session(run::read_scenario(request), hooks);
  return session.run().equal;
}

const char* const kKernels[] = {"mma_gemm", "s8_gemm", "flash_attention"};

TEST(MatrixMutants, AThirdWordLostInACache) {
  const std::string stage = R"(gpu.sm.register_file.stages=[{"type":"test-losing-cache","loses":)";
  for (const char* kernel : kKernels) {
    EXPECT_TRUE(runs_right(kernel, {stage + R"(false},"banks"])"})) << kernel;
    EXPECT_FALSE(runs_right(kernel, {stage + R"(true},"banks"])"})) << kernel;
  }
}

TEST(MatrixMutants, LanesOfAFragmentExchanged) {
  for (const char* kernel : kKernels) {
    EXPECT_TRUE(runs_right(kernel, {}, [](isa::LaneOperands&) {})) << kernel;
    EXPECT_FALSE(runs_right(kernel, {}, [](isa::LaneOperands& operands) {
      LaneVec& word = *operands.dst[0][0];
      std::swap(word[0], word[1]);
    })) << kernel;
  }
}

}  // namespace
}  // namespace heddle::hierarchy

// The Verilog of the GATES scheduler (type counters and priority logic) must agree with the model: under
// random counts, with every setting, and across cycles in which the scheduler is not called.

#include <gtest/gtest.h>

#include <random>

#include "models/scheduler/gates_priority.h"
#include "tests/cosim/attach_next_to.h"

namespace heddle::cosim {
namespace {

struct Beside {
  Beside(const GatesPriorityParameters& parameters, Mode mode)
      : probe(parameters), model(make_gates_priority(parameters)), rtl(attach_next_to(probe, mode)) {}
  GatesOutputs step(const GatesInputs& in) {
    GatesOutputs out = model->step(in);
    probe.answered(in, out);
    return out;
  }
  Probe<GatesPoint> probe;
  std::unique_ptr<GatesPriority> model;
  std::unique_ptr<BlockInstance> rtl;
};

GatesInputs next_inputs(const GatesInputs& before, std::mt19937_64& random) {
  GatesInputs in = before;
  in.now += random() % 10 == 0 ? 1 + random() % 30 : 1;
  in.slots = static_cast<int>(random() % 5);
  const auto count = [&] { return random() % 3 ? static_cast<int>(random() % 4) : 0; };
  for (int& n : in.active) n = random() % 20 == 0 ? static_cast<int>(random() % 65) : count();
  in.ready = {static_cast<int>(random() % static_cast<unsigned>(in.active[0] + 1)),
              static_cast<int>(random() % static_cast<unsigned>(in.active[1] + 1)), count(), count()};
  for (bool& awake : in.awake) awake = random() % 4 != 0;
  for (bool& dark : in.blackout) dark = random() % 3 == 0;
  return in;
}

class GatesLockstep : public testing::TestWithParam<std::tuple<bool, int, bool>> {
 protected:
  GatesPriorityParameters parameters{std::get<0>(GetParam()), std::get<1>(GetParam()),
                                     std::get<2>(GetParam())};
};

TEST_P(GatesLockstep, AgreesInEveryCycle) {
  Beside lockstep(parameters, Mode::lockstep);
  std::mt19937_64 random(3);
  GatesInputs in;
  int switches = 0, given = 0;
  isa::UnitClass before = isa::UnitClass::int_;
  for (int i = 0; i < 6000; ++i) {
    in = next_inputs(in, random);
    GatesOutputs out;
    ASSERT_NO_THROW(out = lockstep.step(in)) << "step " << i;
    switches += out.highest != before;
    given += out.count;
    before = out.highest;
  }
  EXPECT_GT(switches, 500);
  EXPECT_GT(given, 4000);
}

TEST_P(GatesLockstep, DrivesAsTheModelDoes) {
  Beside drive(parameters, Mode::drive);
  const auto model = make_gates_priority(parameters);
  std::mt19937_64 random(4);
  GatesInputs in;
  for (int i = 0; i < 3000; ++i) {
    in = next_inputs(in, random);
    GatesOutputs driven{isa::UnitClass::fp, {isa::UnitClass::sfu}, 1};
    drive.probe.answered(in, driven);
    ASSERT_EQ(driven, model->step(in)) << "step " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(, GatesLockstep,
                         testing::Combine(testing::Bool(), testing::Values(0, 1, 2, 7, 100),
                                          testing::Bool()));

}  // namespace
}  // namespace heddle::cosim

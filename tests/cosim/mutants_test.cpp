// Blocks with one fault each: lockstep stops the run, and says where and what.

#include <gtest/gtest.h>

#include "mutants.inc"
#include "testbench/cosim/rtl_verilated.h"
#include "tests/cosim/cosim_run.h"

namespace heddle::cosim {
namespace {

/// Puts other blocks in place of the Verilated ones of rtl/ for as long as it lives.
class Exchanged {
 public:
  explicit Exchanged(const RtlMakers& makers) { rtl_makers() = makers; }
  ~Exchanged() { rtl_makers() = before_; }
  Exchanged(const Exchanged&) = delete;
  Exchanged& operator=(const Exchanged&) = delete;

 private:
  RtlMakers before_ = rtl_makers();
};

template <class Verilated>
std::unique_ptr<RtlGating> make_gating(int domains) {
  if (domains != 2) return nullptr;
  return std::make_unique<VerilatedGating<Verilated>>();
}
template <class Verilated>
std::unique_ptr<RtlGates> make_gates() {
  return std::make_unique<VerilatedGates<Verilated>>();
}

struct Mutant {
  const char* name;
  RtlMakers makers;
  friend void PrintTo(const Mutant& m, std::ostream* out) { *out << m.name; }
};

std::vector<Mutant> mutants() {
  const RtlMakers sound = rtl_makers();
  std::vector<Mutant> all;
#define HEDDLE_GATING(name, Verilated) all.push_back({#name, {make_gating<Verilated>, sound.gates}});
#define HEDDLE_GATES(name, Verilated) all.push_back({#name, {sound.gating, make_gates<Verilated>}});
  HEDDLE_MUTANTS(HEDDLE_GATING, HEDDLE_GATES)
#undef HEDDLE_GATING
#undef HEDDLE_GATES
  return all;
}

std::string error_of_run(const std::string& mode) {
  try {
    run_beside("bfs", "fermi-gtx480", R"({"type":"adaptive","epoch_cycles":100,"threshold":0})", mode,
               {kGatesDualIssue, "gpu.sm.schedulers_per_partition=1", "gpu.sm.issue_width=2"});
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

class Mutants : public testing::TestWithParam<Mutant> {};

TEST_P(Mutants, AreCaughtWithinARun) {
  ASSERT_EQ(error_of_run("lockstep"), "");
  const Exchanged exchanged(GetParam().makers);
  const std::string error = error_of_run("lockstep");
  ASSERT_NE(error, "") << "the fault went unnoticed";
  RecordProperty("error", error);
  EXPECT_EQ(error.substr(0, 4), "sm0.") << "the instance";
  for (const char* part : {": co-simulation: cycle ", " in the model and ", " in the RTL"})
    EXPECT_NE(error.find(part), std::string::npos) << error;
}

INSTANTIATE_TEST_SUITE_P(, Mutants, testing::ValuesIn(mutants()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace heddle::cosim

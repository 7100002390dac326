// A straight-line program must access each level of the register hierarchy as often as the compiler predicts
// from its annotations. In the test, ports have no limits. Accesses of private units and of shared units are
// counted separately.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "models/compiler/predict_accesses.h"
#include "testbench/run/run_session.h"
#include "testbench/run/scenario.h"
#include "tests/fuzz/fuzz_run.h"
#include "tests/support/dice.h"
#include "tests/support/simulation.h"

namespace heddle::hierarchy {
namespace {

constexpr std::uint64_t kWarps = 3;

// Makes random straight-line code: 32-bit and 64-bit arithmetic, special functions, and loads and stores of
// global and shared memory.
fuzz::RandomProgram straight_line(fuzz::Dice& dice, int length) {
  std::string body;
  const auto r = [&] { return dice.pick(12); };
  const auto rd = [&] { return 4 + dice.pick(4); };
  for (int i = 0; i < length; ++i) {
    switch (dice.pick(9)) {
      case 0:
        body += fmt::format("mul.wide.u32 %rd{}, %r{}, %r{};\n", rd(), r(), r());
        break;
      case 1:
        body += fmt::format("add.u64 %rd{}, %rd{}, %rd{};\n", rd(), rd(), rd());
        break;
      case 2:
        body += fmt::format("cvt.u32.u64 %r{}, %rd{};\n", r(), rd());
        break;
      case 3:
        body += fmt::format("sin.approx.f32 %r{0}, %r{0};\n", r());
        break;
      case 4:
        body += fmt::format("st.shared.u32 [%r15], %r{};\nld.shared.u32 %r{}, [%r15];\n", r(), r());
        break;
      case 5:
        body += fmt::format("ld.global.u32 %r{}, [%rd1+{}];\n", r(), 4 * dice.pick(4));
        break;
      default:
        body += fmt::format("mad.lo.u32 %r{}, %r{}, %r{}, %r{};\n", r(), r(), r(), r());
    }
  }
  fuzz::RandomProgram program;
  program.ptx =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out) {\n"
      ".reg .b32 %r<16>;\n.reg .b64 %rd<8>;\n.shared .align 4 .b8 tile[1024];\n"
      "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r0, %tid.x;\n"
      "mul.wide.u32 %rd3, %r0, 16;\nadd.u64 %rd1, %rd1, %rd3;\nadd.u64 %rd2, %rd2, %rd3;\n"
      "mov.u32 %r14, tile;\nmad.lo.u32 %r15, %r0, 4, %r14;\n";
  for (int i = 1; i < 12; ++i) program.ptx += fmt::format("mad.lo.u32 %r{}, %r0, {}, {};\n", i, i, 3 * i + 1);
  for (int i = 4; i < 8; ++i) program.ptx += fmt::format("mul.wide.u32 %rd{}, %r0, {};\n", i, i);
  program.ptx += body;
  for (int i = 1; i < 12; ++i) program.ptx += fmt::format("xor.b32 %r0, %r0, %r{};\n", i);
  program.ptx += "st.global.u32 [%rd2], %r0;\nst.global.u64 [%rd2+8], %rd4;\nret;\n}\n";
  program.launch_json = fmt::format(
      R"({{"ptx": "program.ptx", "buffers": {{
      "in": {{"type": "u32", "count": 4096, "init": {{"kind": "uniform", "low": 0, "high": 1000, "seed": 5}}}},
      "out": {{"type": "u32", "count": 4096, "init": {{"kind": "zeros"}}}}}},
      "steps": [{{"kernel": "k", "grid": [1], "block": [{}], "args": [{{"buffer": "in"}}, {{"buffer": "out"}}]}}]}})",
      32 * kWarps);
  return program;
}

struct Counted {
  compiler::LevelAccesses predicted;
  std::map<std::string, std::uint64_t> counters;
};

Counted run(const fuzz::RandomProgram& program, const std::string& stages, const std::string& passes) {
  fuzz::FuzzCase fuzz;
  fuzz.program = program;
  fuzz.setting.preset = "fermi-gebhart";
  fuzz.setting.sets = {"gpu.sms=1", "compiler.passes=[" + passes + "]",
                       "gpu.sm.register_file.stages=" + stages,
                       R"(gpu.sm.scheduler={"type":"two-level","active_warps":2})", "watch.check=on"};
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "heddle-reference-counts";
  fuzz::keep_case(fuzz, folder.string());
  run::ScenarioRequest request;
  request.scenario = (folder / "scenario.json").string();
  const testing_support::Simulation simulation;
  run::RunSession session(run::read_scenario(request));
  EXPECT_TRUE(session.run().equal) << program.ptx;
  Counted counted;
  for (std::uint64_t w = 0; w < kWarps; ++w)
    counted.predicted += compiler::predict_accesses(*session.programs().front().second);
  for (const CounterInfo& info : session.stats().counters())
    counted.counters[info.full_name()] = info.counter->value();
  return counted;
}

void expect_predicted(const Counted& c) {
  const auto of = [&](const std::string& name) { return c.counters.at("sm0.partition0." + name); };
  const char* const levels[] = {"", "operand", "last_result"};
  for (const std::size_t level : {1, 2}) {
    const std::string name = std::string("operand_file.") + levels[level];
    EXPECT_EQ(of(name + "_private_reads"), c.predicted.reads[level][0]);
    EXPECT_EQ(of(name + "_shared_reads"), c.predicted.reads[level][1]);
    EXPECT_EQ(of(name + "_private_writes") + of(name + "_shared_writes") + of(name + "_fills"),
              c.predicted.written(static_cast<int>(level)));
  }
  EXPECT_EQ(of("banks.reads"), c.predicted.read(isa::kMainLevel));
  EXPECT_EQ(of("banks.writes"), c.predicted.written(isa::kMainLevel));
  EXPECT_EQ(of("operand_file.port_wait_cycles"), 0u);
}

TEST(ReferenceCounts, TheTimedRunAccessesWhatTheCompilerPredicts) {
  struct Option {
    const char *stage, *passes;
  };
  const Option options[] = {
      {R"("entries":3)", R"("strands",{"type":"operand-file","entries":3})"},
      {R"("entries":1,"last_result":"unified")",
       R"("strands",{"type":"operand-file","entries":1,"last_result":"unified"})"},
      {R"("entries":5,"last_result":"split")",
       R"("strands",{"type":"operand-file","entries":5,"last_result":"split"})"},
      {R"("entries":2)", R"({"type":"strands","rule":"bailey"},{"type":"scratchpad","entries":2})"},
  };
  fuzz::Dice dice(7);
  for (const Option& option : options)
    for (int n = 0; n < 5; ++n) {
      const fuzz::RandomProgram program = straight_line(dice, 20 + 15 * n);
      const std::string stages = fmt::format(
          R"([{{"type":"operand-file","read_ports":0,"write_ports":0,{}}},"banks"])", option.stage);
      SCOPED_TRACE(stages);
      const Counted counted = run(program, stages, option.passes);
      EXPECT_GT(counted.predicted.read(isa::kOperandLevel) + counted.predicted.read(isa::kLastResultLevel),
                0u);
      expect_predicted(counted);
    }
}

}  // namespace
}  // namespace heddle::hierarchy

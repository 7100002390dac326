// Register stages above the banks must not change a kernel's results. Each stage must lengthen a read by
// exactly the latency that it declares.

#include <gtest/gtest.h>

#include "models/core/error.h"
#include "models/core/registry.h"
#include "models/ports/register_stage.h"
#include "tests/regfile/test_delay_stage.h"
#include "tests/timing/timed_kernel.h"

namespace heddle::timing {
namespace {

const std::string kKernel =
    "ld.param.u64 %rd0, [buffer];\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %rd1, %r0, 4;\nadd.u64 %rd2, %rd0, "
    "%rd1;\n"
    "ld.global.u32 %r1, [%rd2];\nand.b32 %r2, %r0, 7;\nmov.u32 %r3, 0;\nLOOP:\n"
    "mad.lo.u32 %r3, %r3, %r1, %r2;\nmad.lo.u32 %r1, %r3, %r3, %r0;\nsetp.ne.u32 %p0, %r2, 0;\n"
    "sub.u32 %r2, %r2, 1;\n@%p0 bra LOOP;\nmov.u32 %r4, tile;\nmad.lo.u32 %r5, %r0, 4, %r4;\n"
    "st.shared.u32 [%r5], %r3;\nbar.sync 0;\nxor.b32 %r6, %r0, 33;\nmad.lo.u32 %r7, %r6, 4, %r4;\n"
    "ld.shared.u32 %r8, [%r7];\n@%p0 add.u32 %r8, %r8, 1;\nadd.u32 %r9, %r8, %r3;\nst.global.u32 [%rd2+512], "
    "%r9;";

Machine stacked(const std::string& preset, const std::string& stages) {
  Machine machine = on(preset, 128).with("sm.scheduler=gto").with("sm.register_file.stages=" + stages);
  for (std::size_t i = 0; i < machine.buffer.size(); ++i)
    machine.buffer[i] = static_cast<std::uint32_t>(i * 2654435761u);
  return machine;
}

TEST(Stacking, KernelsGiveTheSameBits) {
  ASSERT_STREQ(test_delay_stage(), "test-delay");
  for (const char* preset : {"fermi-gtx480", "fermi-gebhart", "maxwell-gtx980"}) {
    const Measured plain = measure(stacked(preset, R"(["banks"])"), kKernel);
    EXPECT_NE(plain.buffer[128], stacked(preset, "[]").buffer[128]);
    for (
        const char* stages :
        {R"(["test-delay", "banks"])", R"(["test-delay", "test-delay", "banks"])",
         R"([{"type": "test-delay", "queue_entries": 1}, {"type": "test-delay", "added_cycles": 0}, "banks"])"}) {
      const Measured m = measure(stacked(preset, stages), kKernel);
      EXPECT_EQ(m.buffer, plain.buffer) << preset << " " << stages;
      EXPECT_EQ(m.count("sm0.issue.issued"), plain.count("sm0.issue.issued"));
      EXPECT_GT(m.cycles, plain.cycles);
      EXPECT_EQ(m.count("sm0.partition0.register_port.reads"), m.count("sm0.partition0.banks.reads"));
    }
  }
}

TEST(Stacking, SmallQueuesGiveTheSameBits) {
  for (const char* preset : {"fermi-gtx480", "fermi-gebhart"}) {
    const Machine machine = stacked(preset, R"(["banks"])");
    const Measured plain = measure(machine, kKernel);
    const Measured tight = measure(machine.with("sm.register_file.banks.queue_entries=1"), kKernel);
    EXPECT_EQ(tight.buffer, plain.buffer);
    EXPECT_GT(tight.count("sm0.partition0.banks.refusals"), 0u);
  }
}

TEST(Stacking, LatenciesAddUp) {
  const std::string body = repeated(10, "add.u32 %r0, %r0, 1;");
  const auto cycles = [&](const char* preset, const std::string& stages) {
    return measure(on(preset).with("sm.register_file.stages=" + stages), body).cycles;
  };
  const auto delay = [](int n) {
    return R"({"type": "test-delay", "added_cycles": )" + std::to_string(n) + "}, ";
  };
  EXPECT_EQ(cycles("fermi-gtx480", "[" + delay(0) + "\"banks\"]"), 5u + 10 * 9);
  EXPECT_EQ(cycles("fermi-gtx480", "[" + delay(3) + "\"banks\"]"), 5u + 10 * 12);
  EXPECT_EQ(cycles("fermi-gebhart", "[" + delay(3) + delay(2) + "\"banks\"]"), 5u + 10 * 13);
}

// Each addition of a dependent chain must take longer by the cycles of the register cache's tag check, unless
// the pipeline hides the tag check. Each miss must add the miss cycles.
TEST(Stacking, ACacheCostsAChainWhatItSays) {
  const std::string body = repeated(10, "add.u32 %r0, %r0, 1;");
  const auto cycles = [&](const std::string& options) {
    return measure(
               on("fermi-gtx480")
                   .with(R"(sm.register_file.stages=[{"type":"register-cache")" + options + "},\"banks\"]"),
               body)
        .cycles;
  };
  EXPECT_EQ(cycles(""), 5u + 10 * 9);
  EXPECT_EQ(cycles(R"(,"miss_cycles":1)"), 5u + 10 * 9 + 1) << "the first add finds nothing";
  EXPECT_EQ(cycles(R"(,"tag_check_cycles":2)"), 5u + 10 * 11);
}

// The only active warp issues a load and then gives up its active slot, after the stages have been flushed.
// If the path has only banks, the warp gives up the slot 4 cycles after the load's issue. An operand file
// adds one cycle. A register cache adds two cycles, and one more for each further group of `read_ports` dirty
// lines.
TEST(Stacking, DeschedulingWaitsForTheFlush) {
  const auto handed_on = [](const std::string& stages, int dirty) {
    // Besides the `dirty` registers, the register pair of the load's address is dirty. The additions to this
    // pair take so long that all other results have been written when the load issues.
    const std::string body = repeated(dirty, "mov.u32 %r1@, 1;") + "ld.param.u64 %rd0, [buffer];\n" +
                             repeated(3, "add.u64 %rd0, %rd0, 0;") +
                             "ld.global.u32 %r0, [%rd0];\nadd.u32 %r1, %r0, 1;";
    const Measured m = measure(on("fermi-gebhart", 64)
                                   .with("sm.register_file.collector_operands_per_cycle=3")
                                   .with(R"(sm.scheduler={"type":"two-level","active_warps":1})")
                                   .with("sm.register_file.stages=" + stages),
                               body);
    return m.of_warp(1)[0] - m.of_warp(0).at(static_cast<std::size_t>(dirty) + 4);
  };
  const std::string cache = R"([{"type":"register-cache","read_ports":2},"banks"])";
  EXPECT_EQ(handed_on(R"(["banks"])", 0), 4u);
  EXPECT_EQ(handed_on(R"(["operand-file","banks"])", 0), 5u);
  EXPECT_EQ(handed_on(cache, 0), 6u);
  EXPECT_EQ(handed_on(cache, 2), 7u);
  EXPECT_EQ(handed_on(cache, 4), 8u);
  EXPECT_EQ(handed_on(R"([{"type":"register-cache","flush_on_deschedule":false},"banks"])", 0), 4u);
}

TEST(Stacking, WhatCannotStandIsNamed) {
  const auto message = [](const std::string& stages) -> std::string {
    try {
      measure(on("fermi-gtx480").with("sm.register_file.stages=" + stages), "mov.u32 %r0, 1;");
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(message("[]").find("no stages"), std::string::npos);
  EXPECT_NE(message(R"(["banks", "banks"])").find("nothing can stand below \"banks\""), std::string::npos);
  EXPECT_NE(message(R"(["test-delay"])").find("cannot be the last stage"), std::string::npos);
  EXPECT_NE(message(R"(["register-cache", "operand-file", "banks"])").find("would miss accesses"),
            std::string::npos);
  EXPECT_NE(message(R"(["operand-file", "operand-file", "banks"])").find("would miss accesses"),
            std::string::npos);
  EXPECT_NE(message(R"([{"type": "register-cache", "entries": 6, "ways": 4}, "banks"])").find("4 ways of 6"),
            std::string::npos);
  for (const auto& [name, entry] : Registry<RegisterStage>::instance().entries())
    EXPECT_NE(message(R"(["tape"])").find(name), std::string::npos) << name;
}

}  // namespace
}  // namespace heddle::timing

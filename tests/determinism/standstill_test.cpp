// A run that cannot end must report why: a barrier that is never complete, or an endless loop.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "models/core/error.h"
#include "tests/determinism/small_run.h"

namespace heddle::small_run {
namespace {

std::string complaint(const Request& request) {
  try {
    run_timed(request);
    return "no error";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Standstill, BarriersThatNoOtherWarpReaches) {
  Request request;
  request.threads = 64;
  request.body =
      ".reg .b32 %r<4>; .reg .pred %p1;\nmov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32;\n@%p1 bra FIRST;\n"
      "bar.sync 1, 64;\nbra END;\nFIRST:\nbar.sync 2, 64;\nEND:\nret;";
  for (const char* preset : {"fermi-gebhart", "maxwell-gtx980"}) {
    request.preset = preset;
    request.sets = {"watch.deadlock_cycles=2000"};
    const std::string text = complaint(request);
    EXPECT_NE(text.find("kernel k"), std::string::npos) << text;
    EXPECT_NE(text.find("barrier"), std::string::npos) << text;
    EXPECT_NE(text.find("warp 1"), std::string::npos) << text;
  }
}

TEST(Standstill, AnEndlessLoopMeetsTheCycleLimit) {
  Request request;
  request.body = ".reg .b32 %r<4>;\nmov.u32 %r1, 0;\nL: add.u32 %r1, %r1, 1;\nbra L;\nret;";
  request.sets = {"watch.max_cycles=5000", "watch.deadlock_cycles=2000"};
  const std::string text = complaint(request);
  EXPECT_NE(text.find("5000 cycles"), std::string::npos) << text;
  EXPECT_NE(text.find("kernel k"), std::string::npos) << text;
}

// Only thread 2 executes, in lane 0 if folded, otherwise in lane 2. A gated lane stays off for at least 25
// cycles and takes 3 cycles to wake. With shorter phases of folding, the needed lane would never be awake in
// time, so such phases must be refused.
TEST(Standstill, PhasesOfFoldingThatGatingOutlastsAreRefused) {
  Request request;
  request.body =
      ".reg .b32 %r<5>; .reg .b64 %rd<3>; .reg .pred %p<3>;\nmov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 2;\n"
      "@%p1 bra END;\nmov.u32 %r2, 0; mov.u32 %r3, 7;\n"
      "L: mad.lo.u32 %r3, %r3, 5, %r2; add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 200;\n@%p2 bra L;\n"
      "ld.param.u64 %rd1, [out]; st.global.u32 [%rd1+8], %r3;\nEND:\nret;";
  const auto phases = [&](int cycles, const char* wake_on, const char* granularity) {
    request.sets = {
        fmt::format(R"(gpu.sm.folding.policy={{"type":"phased","phase_cycles":{},"aggressive_percent":50,)"
                    R"("conservative_percent":50,"adaptive":false}})",
                    cycles),
        R"(gpu.sm.gating.int.policy={"type":"eager","base":"naive-blackout"})",
        "gpu.sm.gating.int.break_even_cycles=24",
        "gpu.sm.gating.int.wake_up_cycles=3",
        fmt::format("gpu.sm.gating.int.wake_on={}", wake_on),
        fmt::format("gpu.sm.gating.int.granularity={}", granularity),
        "watch.deadlock_cycles=2000"};
  };
  phases(56, "demand", "lane");
  const std::string text = complaint(request);
  EXPECT_NE(text.find("gpu.sm.folding.policy"), std::string::npos) << text;
  EXPECT_NE(text.find("change every 28 cycles"), std::string::npos) << text;
  EXPECT_NE(text.find("at least 29 cycles"), std::string::npos) << text;
  phases(58, "demand", "lane");
  EXPECT_EQ(run_timed(request).out, run_reference(request));
  phases(20, "issue", "lane");
  EXPECT_EQ(run_timed(request).out, run_reference(request));
  phases(20, "demand", "unit");
  EXPECT_EQ(run_timed(request).out, run_reference(request));
}

}  // namespace
}  // namespace heddle::small_run

// A run that cannot end says so by name: a barrier that is never met, and an endless loop.

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

TEST(Standstill, BarriersThatNobodyElseMeets) {
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

}  // namespace
}  // namespace heddle::small_run

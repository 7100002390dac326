// Tests that faulty asynchronous copies end with an error: copies with faults in the PTX text, and copies
// whose operands have wrong values in a run.

#include "tests/async_copies/copy_fixture.h"

namespace heddle::async_copies {
namespace {

class CopyErrors : public Copies {
 protected:
  std::string text_error(const std::string& body) {
    try {
      use_copies(body);
    } catch (const Error& e) {
      return e.what();
    }
    return {};
  }
};

TEST_F(CopyErrors, InTheText) {
  const auto expect = [&](const std::string& body, const std::string& text) {
    const std::string error = text_error(body);
    EXPECT_NE(error.find(text), std::string::npos) << body << ": " << error;
    EXPECT_EQ(error.find("m.ptx:"), 0u) << error;
  };
  expect("cp.async.cg.shared.global [%r9], [%d3], 8;", "cp.async.cg of 8 bytes");
  expect("cp.async.cg.shared.global [%r9], [%d3], 4;", "cp.async.cg of 4 bytes");
  expect("cp.async.ca.shared.global [%r9], [%d3], 12;", "cp.async.ca of 12 bytes");
  expect("cp.async.ca.shared.global [%r9], [%d3], %r1;", "needs a constant as copy size");
  expect("cp.async.ca.shared.global [%r9], [%d3], 8, 9;", "the source size 9");
  expect("cp.async.wait_group %r1;", "needs a constant as number of groups");
  expect("cp.async.bulk.wait_group 0;", "bulk copies (cp.async.bulk)");
  expect("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d3], [%r9], 16;", "bulk copies");
  expect("mbarrier.arrive.expect_tx.shared.b64 %d5, [%r9], 16;", "transaction counts of mbarriers");
  expect("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r9], 16;", "transaction counts of mbarriers");
  expect("mbarrier.arrive.shared::cluster.b64 _, [%r9];", "clusters");
  expect("fence.mbarrier_init.release.cluster;", "proxy fences");
}

TEST_F(CopyErrors, InTheValues) {
  use_copies(" add.u32 %r1, %r90, 1; cp.async.ca.shared.global [%r9], [%d3], 16, %r1;");
  expect_error("the source size 17 is larger than the copy size 16");
  use_copies(" cp.async.cg.shared.global [%r9+8], [%d3], 16;");
  expect_error("misaligned");
  use_copies(" cp.async.ca.shared.global [%r9], [%d3+2], 4;");
  expect_error("misaligned");
  use_copies(" cp.async.cg.shared.global [%r9+16384], [%d3], 16;");
  expect_error("out of bounds");
  use_copies(" cp.async.cg.shared.global [%r9], [%d3+1048576], 16;");
  expect_error("out of bounds");
  use_copies(" mov.u32 %r1, 5; cp.async.cg.shared.global [%r9], [%d3+1048576], 16, %r1;");
  expect_error("out of bounds");
  use_copies(" mov.u32 %r1, 5; cp.async.cg.shared.global [%r9], [%d3+4], 16, %r1;");
  expect_error("misaligned");
}

}  // namespace
}  // namespace heddle::async_copies

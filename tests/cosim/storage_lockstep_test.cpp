// Tests the RTL of register caches and scratchpads (Bailey 2018, Gebhart 2012): tags, valid and dirty lanes,
// replacement, and the warp that owns each part of the storage. The RTL runs in lockstep with the model, or
// in place of the model. Also tests the RTL of the masks of the entry format byte-masked (Radaideh 2021,
// IV-B5).

#include <gtest/gtest.h>

#include "tests/cosim/storage_parts.h"

namespace heddle::cosim {
namespace {

void expect_clean(const std::string& kernel, const std::string& gpu, const std::vector<std::string>& blocks,
                  const std::vector<std::string>& sets) {
  SCOPED_TRACE(kernel);
  RunOutcome lockstep;
  ASSERT_NO_THROW(lockstep = run_beside(kernel, gpu, R"("none")", "lockstep", sets));
  for (const std::string& name : blocks)
    EXPECT_NE(lockstep.notes[0].find(name), std::string::npos) << name << " in " << lockstep.notes[0];
  const RunOutcome model = run_beside(kernel, gpu, R"("none")", "off", sets);
  EXPECT_EQ(lockstep.counters, model.counters);
  EXPECT_EQ(run_beside(kernel, gpu, R"("none")", "drive", sets).counters, model.counters);
}

const std::vector<std::string> kStorage = {"sets of register caches", "parts of storage by warp"};

TEST(StorageBlocks, OfTheHybrid) { expect_clean("bfs", "fermi-gtx480", kStorage, hybrid_parts()); }
TEST(StorageBlocks, OfPrivateCaches) { expect_clean("nw", "fermi-gtx480", kStorage, private_cache_parts()); }
TEST(StorageBlocks, OfMasksOfBytes) {
  expect_clean("bfs", "fermi-cmrc", {"byte masks of what is written", "expansions by byte masks"},
               kByteMasks);
}

}  // namespace
}  // namespace heddle::cosim

// Tests the RTL of base-delta compression (Lee 2015), of operand windows (Esfeden 2020) and of register
// intervals (Sadrosadati 2018). The RTL runs in lockstep with the model, or in place of the model. One test
// uses the Verilog without the model: it checks which compression codes example values get.

#include <gtest/gtest.h>

#include <bit>

#include "testbench/cosim/rtl_model.h"
#include "tests/cosim/guest_parts.h"
#include "tests/guests/delta_examples.h"

namespace heddle::cosim {
namespace {

using delta_examples::Example;

void expect_same(const std::string& kernel, const std::vector<std::string>& blocks,
                 const std::vector<std::string>& sets) {
  SCOPED_TRACE(kernel);
  RunOutcome lockstep;
  ASSERT_NO_THROW(lockstep = run_beside(kernel, "fermi-gtx480", R"("none")", "lockstep", sets));
  for (const std::string& name : blocks)
    EXPECT_NE(lockstep.notes[0].find(name), std::string::npos) << name << " in " << lockstep.notes[0];
  const RunOutcome model = run_beside(kernel, "fermi-gtx480", R"("none")", "off", sets);
  EXPECT_EQ(lockstep.counters, model.counters);
  EXPECT_EQ(run_beside(kernel, "fermi-gtx480", R"("none")", "drive", sets).counters, model.counters);
}

TEST(GuestBlocks, OfBasesAndDifferences) {
  const std::vector<std::string> blocks = {"codes of differences of what is written",
                                           "values of what is read, by base and differences",
                                           "places of bases and differences in rows"};
  std::vector<std::string> below_a_window = delta_parts(8);
  for (const std::string& part : window_parts(12)) below_a_window.push_back(part);
  expect_same("bfs", blocks, below_a_window);
  expect_same("hotspot", blocks, delta_parts(4));
}

TEST(GuestBlocks, OfWindows) {
  expect_same("bfs", {"windows of the last instructions"}, window_parts(6));
  expect_same("nw", {"windows of the last instructions"}, window_parts(12));
}

TEST(GuestBlocks, OfIntervals) { expect_same("bfs", {"moves of warps between intervals"}, interval_parts()); }

std::unique_ptr<RtlModel> block(const std::string& module, const RtlParameters& parameters = {}) {
  return RtlModels::instance().find(module, parameters)->make();
}

// An entry must not leave the operand window while an announced instruction still has to read the entry.
// Small kernels do not need this rule, so this test drives the RTL block without a GPU.
TEST(WindowBlock, AnEntryWaitsForItsReader) {
  const auto window = block("window_match", {{"ENTRIES", 6}});
  const auto set = [&window](const char* port, std::uint64_t value) {
    Port& to = window->port(port);
    to.put_field(0, to.width(), value);
  };
  const auto edge = [&] {
    for (const std::uint64_t level : {1, 0}) {
      set("clk", level);
      window->eval();
    }
  };
  set("rst", 1);
  edge();
  set("rst", 0);
  set("instructions", 3);
  set("result", 7);
  set("take", 1);
  edge();
  set("take", 0);
  set("sources", 7);
  set("look", 1);
  set("announce", 1);
  edge();
  set("announce", 0);
  set("advance", 1);
  edge();
  edge();
  set("pending", 1);
  set("oldest", 3);
  window->eval();
  EXPECT_EQ(window->port("leave").field(0, 6), 0u) << "its reader lacks operands";
  set("oldest", 2);
  window->eval();
  EXPECT_EQ(window->port("leave").field(0, 6), 1u)
      << "its reader has operands, a younger instruction lacks some";
  set("pending", 0);
  window->eval();
  EXPECT_EQ(window->port("leave").field(0, 6), 1u);
}

class DeltaBlocks : public testing::Test {
 protected:
  /// Compresses the values with delta_detect, whose outputs place() passes to delta_place. Returns the code.
  std::uint64_t detect(const LaneVec& values, LaneMask live) {
    put_elements(detect_->port("values"), values);
    detect_->port("live").put_field(0, 32, live);
    detect_->eval();
    return detect_->port("code").field(0, 2);
  }
  /// Places the compressed values in a row. Returns the number of sub-banks that hold them. `words`: receives
  /// the row; words that this compression code does not use are poison.
  int place(int sub_banks, const LaneVec& values, LaneVec& words) {
    const auto model = block("delta_place", {{"SUB_BANKS", sub_banks}});
    const std::uint64_t code = detect_->port("code").field(0, 2);
    model->port("code").put_field(0, 2, code);
    model->port("base").put_field(0, 32, detect_->port("base").field(0, 32));
    put_elements(model->port("differences"), elements_of(detect_->port("differences"), kLanes));
    put_elements(model->port("values"), values);
    model->eval();
    const int used = code == 3 ? kLanes : 1 + 8 * static_cast<int>(code);
    for (int word = 0; word < kLanes; ++word)
      words[word] =
          word < used ? static_cast<std::uint32_t>(model->port("row").field(32 * word, 32)) : kPoison;
    return std::popcount(model->port("sub_banks").field(0, sub_banks));
  }
  LaneVec expand(const LaneVec& words) {
    const auto model = block("delta_expand");
    put_elements(model->port("row"), words);
    model->port("code").put_field(0, 2, detect_->port("code").field(0, 2));
    model->eval();
    return elements_of(model->port("values"), kLanes).as<LaneVec>();
  }

  std::unique_ptr<RtlModel> detect_ = block("delta_detect");
};

TEST_F(DeltaBlocks, CodesOfExampleValues) {
  const int codes[] = {-1, 0, -1, 1, -1, 2, -1, -1, 3};  // expected code, by the number of 16-byte sub-banks
                                                         // that the example fills
  for (const Example& example : delta_examples::examples()) {
    SCOPED_TRACE(example.what);
    LaneVec words;
    EXPECT_EQ(static_cast<int>(detect(example.values, kAllLanes)), codes[example.of_eight]);
    EXPECT_EQ(place(8, example.values, words), example.of_eight);
    EXPECT_EQ(place(4, example.values, words), example.of_four);
    EXPECT_EQ(expand(words), example.values);
  }
}

TEST_F(DeltaBlocks, LanesThatDoNotLiveAreNotJudged) {
  const LaneVec values = delta_examples::lanes([](std::uint32_t i) { return i < 16 ? kPoison : i; });
  EXPECT_EQ(detect(values, kAllLanes), 3u) << "all lanes judged";
  EXPECT_EQ(detect(values, 0xffff0000), 1u);
  LaneVec words;
  EXPECT_EQ(place(8, values, words), 3);
  const LaneVec seen = expand(words);
  for (int lane = 16; lane < kLanes; ++lane) EXPECT_EQ(seen[lane], values[lane]);
  EXPECT_EQ(detect(values, 0), 0u) << "no lane";
}

}  // namespace
}  // namespace heddle::cosim

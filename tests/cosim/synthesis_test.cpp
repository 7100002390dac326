// Tests the steps of `heddle rtl` (synthesis of RTL blocks). Tests that need Yosys and Icarus Verilog are
// skipped if these programs are missing (scripts/setup --rtl).

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "models/core/error.h"
#include "models/scheduler/gates_priority.h"
#include "testbench/synthesis/netlist_replay.h"
#include "testbench/synthesis/tool.h"
#include "tests/cosim/attach_next_to.h"

namespace heddle::synthesis {
namespace {

class Synthesis : public testing::Test {
 protected:
  Synthesis() { std::filesystem::create_directories(folder); }
  ~Synthesis() override { std::filesystem::remove_all(folder); }
  std::string folder = testing::TempDir() + "heddle_synthesis_" + std::to_string(::getpid());
};

bool has_tools() {
  return std::system("for tool in yosys sta iverilog; do command -v $tool >/dev/null || exit 1; done") == 0 &&
         std::filesystem::exists("/usr/share/qflow/tech/osu018/osu018_stdcells.lib");
}

constexpr const char* kLibrary =
    "library (toy) {\n  cell (INV) {\n    area : 16;\n    pin(Y) { direction : output; }\n  }\n"
    "  cell (\"FLOP\") {\n    area : 0;\n    ff (A, B) { clocked_on : \"CLK\"; }\n  }\n}\n";

TEST_F(Synthesis, TakesAreasFromTheOutlinesOfCells) {
  write_text(folder + "/toy.lib", kLibrary);
  write_text(folder + "/toy.lef",
             "MACRO INV\n  SIZE 1.6 BY 10.0 ;\nEND INV\nMACRO FLOP\n  SIZE 9.6 BY 10 ;\nEND FLOP\n");
  const Liberty library(folder + "/toy.lib");
  ASSERT_EQ(library.corrections().size(), 1u);
  EXPECT_EQ(library.corrections()[0].cell, "FLOP");
  EXPECT_EQ(library.corrections()[0].stated_um2, 0);
  EXPECT_EQ(library.cells().at("FLOP").area_um2, 96);
  EXPECT_TRUE(library.cells().at("FLOP").sequential);
  EXPECT_FALSE(library.cells().at("INV").sequential);
  library.write(folder + "/corrected.lib");
  const Liberty corrected(folder + "/corrected.lib");
  EXPECT_EQ(corrected.cells().at("FLOP").area_um2, 96);
  EXPECT_EQ(corrected.cells().at("INV").area_um2, 16);
}

TEST_F(Synthesis, LeavesALibraryWithoutOutlinesAlone) {
  write_text(folder + "/toy.lib", kLibrary);
  EXPECT_TRUE(Liberty(folder + "/toy.lib").corrections().empty());
  write_text(folder + "/empty.lib", "library (empty) {}\n");
  EXPECT_THROW(Liberty(folder + "/empty.lib"), Error);
}

TEST_F(Synthesis, SaysWhichToolIsMissingOrFails) {
  EXPECT_THROW(run_tool(folder, "log", "no-such-program", {}), Error);
  EXPECT_THROW(run_tool(folder, "log", "false", {}), Error);
  EXPECT_EQ(run_tool(folder, "log", "echo", {"a b"}), "a b\n");
}

TEST_F(Synthesis, RefusesFilesThatAreNoRecordings) {
  EXPECT_THROW(read_stimuli(folder), Error);
  write_text(folder + "/x.stimuli", "nonsense\n");
  EXPECT_THROW(read_stimuli(folder), Error);
}

TEST_F(Synthesis, ReplaysARecordingOnTheNetlist) {
  if (!has_tools()) GTEST_SKIP() << "scripts/setup --rtl installs yosys, sta, iverilog and the OSU library";
  const std::string recordings = folder + "/run";
  std::filesystem::create_directories(recordings);
  const std::string file = recordings + "/sm0.scheduler0.stimuli";
  {
    const GatesPriorityParameters parameters;
    Probe<GatesPoint> probe(parameters);
    const auto gates = cosim::attach_next_to(probe, cosim::Mode::drive, "sm0.scheduler0");
    gates->record(file, 1000);
    GatesInputs in;
    for (in.now = 1; in.now < 400; ++in.now) {
      in.slots = 2;
      in.active = {static_cast<int>(in.now * 7 % 5), static_cast<int>(in.now * 3 % 4)};
      in.ready = {in.active[0], in.active[1] / 2, static_cast<int>(in.now % 2), 1};
      in.awake = {in.now % 3 != 0, true, true, in.now % 5 != 0};
      in.blackout = {in.now % 6 == 0, false};
      GatesOutputs out;
      probe.answered(in, out);
    }
    gates->finish_record();
  }
  const Liberty library("/usr/share/qflow/tech/osu018/osu018_stdcells.lib");
  const SynthesisFlow flow(library, "rtl", folder + "/flow");
  EXPECT_NEAR(flow.fo4_ns(), 0.099, 0.002);
  EXPECT_EQ(flow.nand2_um2(), 24);
  const Block block{"gates_unit", "gates_unit", {}, ""};
  const BlockResult result = flow.run(block);
  EXPECT_TRUE(result.equivalent);
  EXPECT_EQ(result.flip_flops, 38)
      << "six counters of six bits, the highest type, one bit of the switching limit";
  EXPECT_GT(result.path_ns, 1);
  EXPECT_LT(result.path_ns, 3);

  const ReplayResult same = replay(flow, block, read_stimuli(recordings).at(0));
  EXPECT_EQ(same.instance, "run/sm0.scheduler0");
  EXPECT_EQ(same.cycles, 399);
  EXPECT_EQ(same.differences, 0) << same.first;

  std::string text = read_text(file);
  text[text.size() - 2] = text[text.size() - 2] == '0' ? '1' : '0';
  write_text(file, text);
  const ReplayResult spoiled = replay(flow, block, read_stimuli(recordings).at(0));
  EXPECT_EQ(spoiled.differences, 1);
  EXPECT_NE(spoiled.first.find("slot_type is "), std::string::npos) << spoiled.first;
}

// If two ports have the same drivers, Yosys writes `assign {...} = {...}`, which OpenSTA cannot read. The
// test uses such ports. The longest path must still be found; it ends at the gate that drives the ports.
TEST_F(Synthesis, TimesPortsThatShareDrivers) {
  if (!has_tools()) GTEST_SKIP() << "scripts/setup --rtl installs yosys, sta, iverilog and the OSU library";
  const std::string rtl = folder + "/rtl";
  std::filesystem::create_directories(rtl);
  write_text(rtl + "/shared.v",
             "module shared(input [3:0] a, input b, output [3:0] x, output [5:0] y);\n"
             "  assign x = a ^ {4{b}};\n  assign y = {x[0], x[2], 1'b0, x[3:1]};\nendmodule\n");
  const Liberty library("/usr/share/qflow/tech/osu018/osu018_stdcells.lib");
  const SynthesisFlow flow(library, rtl, folder + "/flow");
  const BlockResult result = flow.run({"shared", "shared", {}, ""});
  EXPECT_TRUE(result.equivalent);
  EXPECT_EQ(result.flip_flops, 0);
  EXPECT_GT(result.path_ns, 0.05);
  EXPECT_LT(result.path_ns, 0.6);
}

}  // namespace
}  // namespace heddle::synthesis

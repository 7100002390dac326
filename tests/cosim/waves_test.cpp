// The waveforms of a co-simulated run must contain the RTL's registers. The RTL's power states must change in
// the same cycles as the model's.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "testbench/output/run_outputs.h"
#include "tests/cosim/cosim_run.h"
#include "tests/output/vcd_file.h"

namespace heddle::cosim {
namespace {

std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  EXPECT_TRUE(in) << file;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(Waves, ShowTheRtlBesideTheModel) {
  const std::string folder = testing::TempDir() + "heddle_cosim_waves_" + std::to_string(::getpid());
  run::RunParameters parameters = cosim_parameters("reduction", "fermi-gtx480", R"("coordinated-blackout")",
                                                   "lockstep", {kGatesDualIssue});
  parameters.output.folder = folder;
  parameters.output.npy = false;
  parameters.output.vcd.enabled = true;
  {
    const testing_support::Simulation simulation;
    RunOutputs outputs(parameters.output);
    std::unique_ptr<run::RunSession> session;
    run::RunHooks hooks;
    hooks.on_built = [&](Gpu&) { outputs.attach(*session); };
    session = std::make_unique<run::RunSession>(parameters, hooks);
    session->run();
    outputs.finish(*session);
  }
  const output::VcdFile waves = output::read_vcd(text_of(folder + "/waves.vcd"));
  EXPECT_TRUE(waves.in_order);
  for (const auto& [model, rtl] :
       {std::pair{"sm0.partition0.int0.power", "sm0.rtl.partition0.int.cluster0.power"},
        std::pair{"sm0.partition0.fp1.power", "sm0.rtl.partition0.fp.cluster1.power"},
        std::pair{"sm0.load_store.power", "sm0.rtl.ldst.cluster0.power"}}) {
    ASSERT_EQ(waves.signals.count(model) + waves.signals.count(rtl), 2u) << model << " and " << rtl;
    EXPECT_EQ(waves.signals.at(model).changes, waves.signals.at(rtl).changes) << model;
  }
  EXPECT_TRUE(waves.signals.at("sm0.partition0.int0.power").toggles());
  EXPECT_TRUE(waves.signals.at("sm0.rtl.scheduler0.int_rdy").toggles());
  EXPECT_TRUE(waves.signals.count("sm0.rtl.partition0.int.idle_detect"));

  const std::string save = text_of(folder + "/waves.gtkw");
  EXPECT_NE(save.find("power_state.filter\n+{partition0 int0 power} sm0.partition0.int0.power[1:0]"),
            std::string::npos);
  EXPECT_NE(save.find("-sm0 power states\n"), std::string::npos);
  EXPECT_NE(save.find("-sm0 RTL\n"), std::string::npos);
  std::istringstream words(text_of(folder + "/power_state.filter"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(words, line);) lines.push_back(line.substr(line.rfind('?') + 1));
  EXPECT_EQ(lines, (std::vector<std::string>{"on", "uncompensated", "compensated", "waking up"}));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace heddle::cosim

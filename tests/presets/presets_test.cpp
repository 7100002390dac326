// Every preset must load, and give a source for each value. Its values must equal those in the tables of the
// preset's paper; these were copied into this test by hand.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "models/core/registry.h"
#include "tests/presets/preset_file.h"

namespace heddle::presets {
namespace {

class EveryPreset : public testing::TestWithParam<std::string> {};

TEST_P(EveryPreset, NamesItself) {
  const GpuParameters gpu = parameters_of(GetParam());
  EXPECT_EQ(gpu.name, GetParam());
  EXPECT_FALSE(gpu.description.empty());
}

TEST_P(EveryPreset, GivesEveryValueAnOrigin) {
  EXPECT_EQ(without_origin(tree_of(GetParam())), std::vector<std::string>{});
}

TEST_P(EveryPreset, LeavesNoParameterToAnUncitedDefault) {
  EXPECT_EQ(left_to_defaults(tree_of(GetParam())), std::vector<std::string>{});
}

void expect_paper_named(const ConfigNode& node, const std::string& path) {
  const ConfigNode* source = node.find("source");
  if (source && node.find("value")) {
    const std::string& text = source->text;
    const std::array papers{"Gebhart 2012", "Jeon 2015",   "Radaideh 2021", "Abdel-Majeed 2016",
                            "Bailey 2018",  "Huerta 2025", "Mesa NAK"};
    EXPECT_TRUE(std::any_of(papers.begin(), papers.end(),
                            [&](const char* paper) { return text.starts_with(paper + std::string(", ")); }))
        << path << " names no paper: " << text;
  }
  for (const auto& [key, member] : node.members) expect_paper_named(member, path + "." + key);
}

TEST_P(EveryPreset, CallsOnlyPapersASource) { expect_paper_named(tree_of(GetParam()), ""); }

TEST_P(EveryPreset, HoldsWholeBanksAndEnoughRegisters) {
  const GpuParameters gpu = parameters_of(GetParam());
  const SmParameters& sm = gpu.sm;
  const std::vector<int> depths = sm.register_file.banks.depths();
  EXPECT_EQ(depths.size(), static_cast<std::size_t>(sm.register_file.banks.count));
  const int entries = sm.partitions * std::accumulate(depths.begin(), depths.end(), 0);
  EXPECT_GE(entries / sm.max_warps, 21)
      << "Gebhart 2012, 2.1 counts 21 registers a thread in Fermi at full occupancy";
  EXPECT_GE(entries, 8 * sm.max_registers_per_thread) << "a CTA of 256 threads fits at the register limit";
  EXPECT_EQ(sm.max_threads, sm.max_warps * 32);
  EXPECT_EQ(sm.max_warps % sm.schedulers(), 0);
}

TEST_P(EveryPreset, HasL1SetsThatAreAPowerOfTwo) {
  const L1Parameters l1 = parameters_of(GetParam()).sm.load_store.l1;
  if (!l1.enabled) return;
  const int sets = l1.bytes / (l1.line_bytes * l1.ways);
  EXPECT_EQ(sets * l1.line_bytes * l1.ways, l1.bytes);
  EXPECT_EQ(sets & (sets - 1), 0);
}

INSTANTIATE_TEST_SUITE_P(Presets, EveryPreset, testing::ValuesIn(names()), [](const auto& preset) {
  std::string id = preset.param;
  for (char& c : id)
    if (c == '-') c = '_';
  return id;
});

TEST(PresetOrigins, ThePlainValueIsFound) {
  ConfigNode tree = tree_of("fermi-gtx480");
  set_config(tree, "sm.max_warps=48");
  EXPECT_EQ(without_origin(tree), std::vector<std::string>{"sm.max_warps"});
}

TEST(PresetOrigins, TheMissingParameterIsFound) {
  ConfigNode tree = tree_of("fermi-gtx480");
  auto& scheduler = tree.find("sm")->find("scheduler")->members;
  std::erase_if(scheduler, [](const auto& member) { return member.first == "active_warps"; });
  std::erase_if(tree.members, [](const auto& member) { return member.first == "sms"; });
  EXPECT_EQ(left_to_defaults(tree), (std::vector<std::string>{"sms", "sm.scheduler.active_warps"}));
}

TEST(PresetOrigins, WhatIsOffIsLeftAloneAndWhatIsOnIsNot) {
  ConfigNode tree = tree_of("fermi-gtx480");
  set_config(tree, "sm.register_file.banks.lane_gating=active-mask");
  set_config(tree, "sm.folding.lane_shift=pack");
  set_config(tree, "sm.gating.int.policy=conventional");
  set_config(tree, "sm.register_file.banks.format=whole");
  EXPECT_EQ(left_to_defaults(tree),
            (std::vector<std::string>{
                "sm.register_file.banks.segment_lanes", "sm.gating.int.idle_detect_cycles",
                "sm.gating.int.break_even_cycles", "sm.gating.int.wake_up_cycles", "sm.gating.int.wake_on",
                "sm.gating.int.granularity", "sm.gating.int.idle_from", "sm.gating.demand",
                "sm.folding.split", "sm.folding.extra_cycles", "sm.folding.holds_port"}));
}

TEST(PresetOverrides, APresetIsLaidOnTheOneThatItIsLike) {
  const GpuParameters base = parameters_of("fermi-gtx480"), cmrc = parameters_of("fermi-cmrc");
  EXPECT_EQ(cmrc.sm.front_end.ibuffer_entries, base.sm.front_end.ibuffer_entries);
  EXPECT_EQ(cmrc.sm.register_file.banks.count, 4);
  EXPECT_EQ(choice_name(cmrc.sm.scheduler), "gto");
  EXPECT_FALSE(choice_parameters(cmrc.sm.scheduler).find("active_warps")) << "a part is replaced whole";
}

TEST(PresetOverrides, AnActiveSetIsChangedWithoutNamingThePolicyAgain) {
  ConfigNode tree = tree_of("fermi-gtx480");
  set_config(tree, "sm.scheduler.active_warps=3");
  GpuParameters gpu;
  read_fields(tree, gpu);
  EXPECT_EQ(choice_name(gpu.sm.scheduler), "two-level");
  EXPECT_EQ(choice_parameters(gpu.sm.scheduler).find("active_warps")->integer, 3);
}

}  // namespace
}  // namespace heddle::presets

#include "tests/fuzz/random_setting.h"

#include <fmt/format.h>

#include <algorithm>

#include "testbench/run/scenario.h"
#include "tests/fuzz/dice.h"

namespace heddle::fuzz {
namespace {

class SettingMaker {
 public:
  explicit SettingMaker(std::uint64_t seed) : dice_(seed ^ 0x5e771465u) {}

  RandomSetting make() {
    static const std::vector<std::string> presets = {"fermi-gebhart", "fermi-gtx480",
                                                     "fermi-cmrc",    "fermi-virtualization",
                                                     "kepler-gtx780", "maxwell-gtx980"};
    setting_.preset = dice_.choose(presets);
    set("gpu.sms", dice_.choose({1, 1, 1, 2, 3}));
    scheduler();
    compiler();
    sometimes(30, "gpu.sm.issue_width", dice_.choose({1, 2}));
    sometimes(20, "gpu.sm.schedulers_per_partition", dice_.choose({1, 2, 4}));
    sometimes(15, "gpu.sm.max_ctas", dice_.choose({1, 2, 3}));
    front_end();
    register_file();
    units();
    load_store();
    memory();
    watch();
    gating();
    lanes();
    return setting_;
  }

 private:
  template <class T>
  void set(const std::string& key, const T& value) {
    setting_.sets.push_back(fmt::format("{}={}", key, value));
  }
  template <class T>
  void sometimes(int percent, const std::string& key, const T& value) {
    if (dice_.chance(percent)) set(key, value);
  }

  void scheduler() {
    switch (dice_.pick(6)) {
      case 0:
        return;
      case 5:
        return set("gpu.sm.scheduler", fmt::format(R"({{"type":"gates","active_warps":{},"pair_issue":{}}})",
                                                   dice_.choose({1, 2, 8}), dice_.chance(50)));
      case 1:
        return set("gpu.sm.scheduler", dice_.choose({"\"lrr\"", "\"gto\""}));
      case 2:
        return set("gpu.sm.scheduler",
                   fmt::format(R"({{"type":"fetch-group","group_warps":{}}})", dice_.choose({1, 2, 4, 8})));
      default:
        return set("gpu.sm.scheduler", fmt::format(R"({{"type":"two-level","active_warps":{},"inner":"{}"}})",
                                                   dice_.choose({1, 2, 4, 8}),
                                                   dice_.choose({"round-robin", "greedy", "greedy-oldest"})));
    }
  }

  void compiler() {
    set("compiler.max_registers", dice_.choose({63, 63, 32, 20, 16}));
    sometimes(30, "compiler.predicates", dice_.choose({4, 5, 7, 16}));
    if (dice_.chance(30)) return set("compiler.passes", "[]");
    if (dice_.chance(60)) return;
    std::string passes;
    for (const char* pass : {"fold-parameters", "fold-conversions", "propagate-copies", "simplify-predicates",
                             "propagate-copies", "remove-dead-code", "clean-branches"})
      if (dice_.chance(50)) passes += fmt::format("{}\"{}\"", passes.empty() ? "" : ",", pass);
    set("compiler.passes", "[" + passes + "]");
  }

  void front_end() {
    sometimes(20, "gpu.sm.front_end.warps_per_cycle", dice_.choose({1, 2, 4}));
    sometimes(20, "gpu.sm.front_end.instructions_per_fetch", dice_.choose({1, 2, 4}));
    sometimes(20, "gpu.sm.front_end.ibuffer_entries", dice_.choose({1, 2, 4, 8}));
    sometimes(15, "gpu.sm.front_end.latency_cycles", dice_.choose({1, 3, 6}));
    sometimes(25, "gpu.sm.front_end.stages",
              fmt::format(
                  R"([{{"type":"instruction-cache","bytes":{},"line_bytes":64,"ways":2,"miss_cycles":{}}}])",
                  dice_.choose({256, 1024, 4096}), dice_.choose({1, 20, 100})));
  }

  void register_file() {
    sometimes(25, "gpu.sm.register_file.collectors", dice_.choose({1, 2, 4, 16}));
    sometimes(25, "gpu.sm.register_file.collector_operands_per_cycle", dice_.choose({1, 2, 3}));
    sometimes(25, "gpu.sm.register_file.dispatches_per_cycle", dice_.choose({0, 1, 2}));
    sometimes(25, "gpu.sm.register_file.result_bus_width", dice_.choose({1, 2, 4}));
    sometimes(30, "gpu.sm.register_file.banks.ports", dice_.choose({"\"1rw\"", "\"1r1w\""}));
    sometimes(30, "gpu.sm.register_file.banks.layout", dice_.choose({"\"wid\"", "\"wshift\""}));
    sometimes(20, "gpu.sm.register_file.banks.queue_entries", dice_.choose({1, 2, 4, 64}));
    if (!dice_.chance(25)) return;
    const int banks = dice_.choose({1, 2, 4, 7, 16});
    set("gpu.sm.register_file.banks.count", banks);
    set("gpu.sm.register_file.banks.uneven_entries", "[]");
    set("gpu.sm.register_file.banks.entries", 1024 / banks + 1);
  }

  void units() {
    sometimes(20, "gpu.sm.units.clusters", dice_.choose({1, 2, 3}));
    sometimes(20, "gpu.sm.units.shared_dispatch_port", dice_.chance(50));
    sometimes(20, "gpu.sm.units.sfu_units", dice_.choose({1, 2}));
    sometimes(15, "gpu.sm.units.int_add.interval_cycles", dice_.choose({1, 2, 5}));
  }

  void gating() {
    for (const char* unit : {"int", "fp", "sfu", "ldst"}) {
      if (!dice_.chance(35)) continue;
      const std::string path = fmt::format("gpu.sm.gating.{}.", unit);
      set(path + "policy",
          dice_.choose({R"("conventional")", R"("naive-blackout")", R"("coordinated-blackout")",
                        R"({"type":"adaptive","base":"naive-blackout","epoch_cycles":100})"}));
      sometimes(50, path + "break_even_cycles", dice_.choose({1, 9, 24}));
      sometimes(50, path + "wake_up_cycles", dice_.choose({1, 3, 9}));
    }
  }

  // Coordinated blackout does not serve halves.
  void lanes() {
    for (const char* unit : {"int", "fp"}) {
      const std::string path = fmt::format("gpu.sm.gating.{}.", unit);
      const std::string coordinated = path + R"(policy="coordinated-blackout")";
      if (std::find(setting_.sets.begin(), setting_.sets.end(), coordinated) == setting_.sets.end())
        sometimes(30, path + "granularity", R"("half")");
    }
  }

  void load_store() {
    sometimes(20, "gpu.sm.load_store.lanes_per_cycle", dice_.choose({1, 8, 16, 32}));
    sometimes(20, "gpu.sm.load_store.input_queue_instructions", dice_.choose({1, 2, 4}));
    sometimes(20, "gpu.sm.load_store.output_queue_instructions", dice_.choose({1, 2, 4}));
    sometimes(20, "gpu.sm.load_store.global_queue_instructions", dice_.choose({1, 2, 8}));
    sometimes(20, "gpu.sm.load_store.memory_queue_requests", dice_.choose({1, 2, 8}));
    sometimes(20, "gpu.sm.load_store.outstanding_requests", dice_.choose({1, 4, 32}));
    sometimes(20, "gpu.sm.load_store.sector_bytes", dice_.choose({4, 16, 32, 128}));
    sometimes(20, "gpu.sm.load_store.shared.banks", dice_.choose({1, 8, 16, 32}));
    sometimes(20, "gpu.sm.load_store.shared.bank_width_bytes", dice_.choose({4, 8}));
    if (!dice_.chance(50)) return;
    set("gpu.sm.load_store.l1.enabled", dice_.chance(85));
    set("gpu.sm.load_store.l1.caches_global", dice_.chance(70));
    set("gpu.sm.load_store.l1.caches_local", dice_.chance(70));
    set("gpu.sm.load_store.l1.caches_non_coherent", dice_.chance(70));
    const int ways = dice_.choose({1, 2, 4});
    set("gpu.sm.load_store.l1.ways", ways);
    set("gpu.sm.load_store.l1.bytes", ways * 128 * dice_.choose({1, 2, 8, 32}));
    set("gpu.sm.load_store.l1.mshrs", dice_.choose({1, 2, 32}));
    set("gpu.sm.load_store.l1.mshr_merges", dice_.choose({1, 2, 8}));
  }

  void memory() {
    sometimes(20, "gpu.atomics.lines", dice_.choose({1, 2, 16}));
    sometimes(20, "gpu.atomics.input_queue_requests", dice_.choose({2, 4}));
    if (dice_.chance(30))
      return set(
          "gpu.memory",
          fmt::format(
              R"({{"type":"fixed-latency","latency_cycles":{},"bytes_per_cycle_per_sm":{},"bytes_per_cycle":{}}})",
              dice_.choose({100, 400, 1000}), dice_.choose({0, 4, 32}), dice_.choose({0, 8, 64})));
    if (!dice_.chance(60)) return;
    const int slices = dice_.choose({1, 2, 4});
    const int ways = dice_.choose({1, 2, 8});
    set("gpu.memory",
        fmt::format(
            R"({{"type":"cached","l2":{{"slices":{},"bytes":{},"ways":{},"interleave_bytes":{},"latency_cycles":{},"bytes_per_cycle":{},"queue_requests":{},"mshrs":{},"mshr_merges":{}}},"dram":{{"channels":{},"latency_cycles":{},"bytes_per_cycle":{},"queue_requests":{}}}}})",
            slices, slices * ways * 128 * dice_.choose({1, 4, 64}), ways, dice_.choose({128, 256, 1024}),
            dice_.choose({90, 200}), dice_.choose({0, 8, 64}), dice_.choose({2, 8}), dice_.choose({1, 2, 32}),
            dice_.choose({1, 2, 16}), 1, dice_.choose({1, 100, 300}), dice_.choose({0, 8, 64}),
            dice_.choose({1, 2, 32})));
  }

  void watch() {
    set("watch.interval_cycles", dice_.choose({113, 500, 5000}));
    set("watch.deadlock_cycles", 1'000'000);  // one request under way at a time makes a store take long
    set("watch.max_cycles", 20'000'000);
    sometimes(15, "watch.shuffle_seed", dice_.choose({1, 2, 3, 4, 5}));
    sometimes(4, "watch.every_cycle", "true");
  }

  Dice dice_;
  RandomSetting setting_;
};

}  // namespace

RandomSetting random_setting(std::uint64_t seed) { return SettingMaker(seed).make(); }

run::RunParameters RandomSetting::parameters() const {
  run::ScenarioRequest request;
  request.gpu = preset;
  request.launch = "launch.json";
  request.sets = sets;
  return run::read_scenario(request);
}

}  // namespace heddle::fuzz

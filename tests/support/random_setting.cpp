#include "tests/support/random_setting.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "models/compiler/pipeline.h"
#include "models/core/registry.h"
#include "testbench/run/data_files.h"
#include "testbench/run/scenario.h"
#include "tests/support/dice.h"
#include "tests/support/part_order.h"
#include "tests/support/random_parts.h"

namespace heddle::fuzz {
namespace {

constexpr const char* kStages = "gpu.sm.register_file.stages";
constexpr const char* kPasses = "compiler.passes";

bool belongs_to_tests(const std::string& part) {
  return part.starts_with("toy-") || part.starts_with("test-");
}

// Returns true for parts that work only together, on a machine whose compiler sets control bits. Such a
// machine refuses most other parts of the register file, so it has its own random tests (tests/timing).
bool needs_control_bits(const std::string& place, const std::string& part) {
  static const std::set<std::string> parts{"gpu.sm.register_file.operands: read-window",
                                           "gpu.sm.constraints: consumer-scoreboard",
                                           "gpu.sm.constraints: dependence-counters",
                                           "gpu.sm.constraints: latch-free",
                                           "gpu.sm.constraints: stall-count",
                                           "compiler.passes: register-banks"};
  return parts.count(place + ": " + part) != 0;
}

// A parameter whose value is one part of a family, or a list of parts.
struct Place {
  std::string path;
  bool list = false;
  const Family* family = nullptr;
};

const std::vector<Place>& places() {
  static std::vector<Place> found;
  if (!found.empty()) return found;
  for (const FieldInfo& field : describe_fields<run::RunParameters>())
    for (const bool list : {false, true}) {
      const std::string prefix = list ? "list of " : "choice of ";
      if (!field.type.starts_with(prefix)) continue;
      if (const Family* family = Families::instance().named(field.type.substr(prefix.size())))
        found.push_back({field.path, list, family});
    }
  return found;
}

std::vector<PartInfo> parts_to_draw(const Family& family) {
  std::vector<PartInfo> parts = family.parts();
  std::erase_if(parts, [&family](const PartInfo& part) {
    return belongs_to_tests(part.name) || needs_control_bits(family.place(), part.name);
  });
  return parts;
}

// Chooses one of n items for this seed, and returns its index. Each item occurs once in every block of n
// successive seeds; the order of the items changes from block to block.
std::size_t dealt(const std::string& pack, std::uint64_t seed, std::size_t n) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : pack) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  Dice dice(hash ^ ((seed - 1) / n));
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  for (std::size_t i = n; i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(dice.pick(static_cast<int>(i)))]);
  return order[(seed - 1) % n];
}

class SettingMaker {
 public:
  explicit SettingMaker(std::uint64_t seed) : seed_(seed), dice_(seed ^ 0x5e771465u) {}

  RandomSetting make() {
    setting_.preset = dice_.choose(drawable_presets());
    set("gpu.sms", dice_.choose({1, 1, 1, 2, 3}));
    parts();
    compiler();
    sometimes(30, "gpu.sm.issue_width", dice_.choose({1, 2}));
    sometimes(20, "gpu.sm.schedulers_per_partition", dice_.choose({1, 2, 4}));
    sometimes(15, "gpu.sm.max_ctas", dice_.choose({1, 2, 3}));
    front_end();
    register_file();
    units();
    load_store();
    atomics();
    watch();
    gating();
    models();
    folding();
    for (const std::string& wanted : wanted_) setting_.sets.push_back(wanted);
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

  // Chooses all parts before their parameters, because the rules for parameters may depend on other parts.
  void parts() {
    struct Chosen {
      const Place* place;
      PartInfo part;
    };
    const std::vector<Place>& all = places();
    std::vector<Chosen> chosen;
    for (const Place& place : all)
      for (PartInfo& part : chosen_parts(place)) {
        names_.push_back(place.family->place() + ": " + part.name);
        chosen.push_back({&place, std::move(part)});
      }
    std::map<std::string, std::vector<std::string>> texts;
    for (const Chosen& one : chosen) {
      PartDraw draw(dice_, one.part.name, names_);
      draw_part(draw, *one.place->family, one.part);
      texts[one.place->path].push_back(draw.json());
      for (const std::string& pass : draw.passes()) passes_.push_back(pass);
      for (const std::string& wanted : draw.sets()) wanted_.push_back(wanted);
    }
    for (const Place& place : all) {
      const std::vector<std::string>& drawn = texts[place.path];
      if (place.path == kPasses)
        passes_.insert(passes_.begin(), drawn.begin(), drawn.end());
      else if (place.path == kStages)
        set(place.path, testing_support::stage_list(drawn));
      else if (place.list)
        set(place.path, fmt::format("[{}]", fmt::join(drawn, ",")));
      else
        set(place.path, drawn.front());
    }
  }

  // Chooses the parts for a parameter. If the parameter is a list, returns the default parts of the list, and
  // each other part with a probability of 40 %. Otherwise returns one part.
  std::vector<PartInfo> chosen_parts(const Place& place) {
    const std::vector<PartInfo> all = parts_to_draw(*place.family);
    if (!place.list) return {all[dealt(place.path, seed_, all.size())]};
    std::vector<PartInfo> chosen;
    const std::string kept = defaults_of(place.path);
    for (const PartInfo& part : all) {
      if (on_request(place.family->place(), part.name)) continue;
      int times = place.path == kStages ? copies(part.name) : -1;
      if (times < 0) {
        const bool by_default = ("," + kept + ",").find("," + part.name + ",") != std::string::npos;
        if (place.path == kPasses && by_default) continue;
        times = by_default || dice_.chance(40);
      }
      for (; times > 0; --times) chosen.push_back(part);
    }
    return chosen;
  }

  static std::string defaults_of(const std::string& path) {
    for (const FieldInfo& field : describe_fields<run::RunParameters>()) {
      if (field.path != path) continue;
      std::string text = field.default_value;
      std::erase_if(text, [](char c) { return c == '[' || c == ']' || c == ' ' || c == '"'; });
      return text;
    }
    return {};
  }

  // Returns how many stages of the type `stage` this setting has above the banks. The seed chooses one of six
  // combinations: no or one operand file, with no, one or two register caches. Returns a negative number for
  // other types.
  int copies(const std::string& stage) const {
    const std::size_t stack = dealt("stacks", seed_, 6);
    if (stage == "banks") return 0;
    if (stage == "operand-file") return stack >= 3;
    if (stage == "register-cache") return static_cast<int>(stack % 3);
    return -1;
  }

  void compiler() {
    set("compiler.max_registers", dice_.choose({63, 63, 32, 20, 16}));
    sometimes(30, "compiler.predicates", dice_.choose({4, 5, 7, 16}));
    std::vector<std::string> list;
    const int clean_ups = dice_.choose({100, 100, 60, 60, 0});
    for (const ConfigNode& pass : compiler::default_passes())
      if (dice_.chance(clean_ups)) list.push_back("\"" + choice_name(pass) + "\"");
    if (!passes_.empty()) list.push_back(testing_support::in_order("passes", passes_));
    set(kPasses, fmt::format("[{}]", fmt::join(list, ",")));
  }

  void front_end() {
    sometimes(20, "gpu.sm.front_end.warps_per_cycle", dice_.choose({1, 2, 4}));
    sometimes(20, "gpu.sm.front_end.instructions_per_fetch", dice_.choose({1, 2, 4}));
    sometimes(20, "gpu.sm.front_end.ibuffer_entries", dice_.choose({1, 2, 4, 8}));
    sometimes(15, "gpu.sm.front_end.latency_cycles", dice_.choose({1, 3, 6}));
  }

  void register_file() {
    sometimes(25, "gpu.sm.register_file.collectors", dice_.choose({1, 2, 4, 16}));
    sometimes(25, "gpu.sm.register_file.collector_operands_per_cycle", dice_.choose({1, 2, 3}));
    sometimes(25, "gpu.sm.register_file.dispatches_per_cycle", dice_.choose({0, 1, 2}));
    sometimes(25, "gpu.sm.register_file.result_bus_width", dice_.choose({1, 2, 4}));
    sometimes(30, "gpu.sm.register_file.banks.ports", dice_.choose({"\"1rw\"", "\"1r1w\""}));
    sometimes(30, "gpu.sm.register_file.banks.layout", dice_.choose({"\"wid\"", "\"wshift\""}));
    sometimes(20, "gpu.sm.register_file.banks.layout_group", dice_.choose({2, 4}));
    sometimes(20, "gpu.sm.register_file.banks.queue_entries", dice_.choose({1, 2, 4, 64}));
    row_parts();
    if (!dice_.chance(25)) return;
    const int banks = dice_.choose({1, 2, 4, 7, 16});
    set("gpu.sm.register_file.banks.count", banks);
    set("gpu.sm.register_file.banks.uneven_entries", "[]");
    set("gpu.sm.register_file.banks.entries", 1024 / banks + 1);
  }

  // Chooses lane gating of rows, and fast and slow rows. Lane gating is possible only if a row stores a
  // register lane by lane.
  void row_parts() {
    const std::string banks = "gpu.sm.register_file.banks.";
    const bool whole = std::any_of(setting_.sets.begin(), setting_.sets.end(), [&](const std::string& set) {
      const std::string format = banks + "format=";
      return set.starts_with(format) &&
             choice_name(parse_config_text(set.substr(format.size()), format)) == "whole";
    });
    if (whole && dice_.chance(50)) {
      set(banks + "lane_gating", dice_.choose({"\"active-mask\"", "\"active\""}));
      set(banks + "segment_lanes", dice_.choose({1, 4, 8, 32}));
    }
    if (!dice_.chance(50)) return;
    set(banks + "partition.kind", dice_.choose({"\"fast-slow\"", "\"fast-slow\"", "\"all-slow\""}));
    set(banks + "partition.fast_registers", dice_.choose({2, 4, 8}));
    set(banks + "partition.slow_cycles", dice_.choose({2, 3, 5}));
    set(banks + "partition.busy", dice_.choose({"\"whole-access\"", "\"one-cycle\""}));
    set(banks + "partition.mode", dice_.choose({"\"adaptive\"", "\"high\"", "\"low\""}));
    set(banks + "partition.low_below_issues", dice_.choose({5, 30, 85}));
  }

  void units() {
    sometimes(20, "gpu.sm.units.clusters", dice_.choose({1, 2, 3}));
    sometimes(20, "gpu.sm.units.shared_dispatch_port", dice_.chance(50));
    sometimes(20, "gpu.sm.units.sfu_units", dice_.choose({1, 2}));
    sometimes(15, "gpu.sm.units.int_add.interval_cycles", dice_.choose({1, 2, 5}));
  }

  void folding() {
    sometimes(40, "gpu.sm.folding.lane_shift", R"("pack")");
    sometimes(30, "gpu.sm.folding.split", R"("rank")");
    sometimes(20, "gpu.sm.folding.extra_cycles", dice_.choose({0, 1, 5}));
    sometimes(20, "gpu.sm.folding.holds_port", "false");
  }

  // Coordinated blackout does not support gated lanes.
  void gating() {
    for (const char* unit : {"int", "fp", "sfu", "ldst"}) {
      const std::string path = fmt::format("gpu.sm.gating.{}.", unit);
      sometimes(30, path + "break_even_cycles", dice_.choose({1, 9, 24}));
      sometimes(30, path + "wake_up_cycles", dice_.choose({1, 3, 9}));
      sometimes(40, path + "wake_on", R"("issue")");
      const bool lanes = unit == std::string("int") || unit == std::string("fp");
      const bool coordinated =
          std::any_of(setting_.sets.begin(), setting_.sets.end(), [&](const std::string& set) {
            return set.starts_with(path + "policy=") && set.find("coordinated") != std::string::npos;
          });
      if (lanes && !coordinated)
        sometimes(60, path + "granularity", dice_.choose({R"("half")", R"("quad-half")", R"("lane")"}));
    }
  }

  void models() {
    sometimes(20, "gpu.sm.register_file.collectors",
              dice_.choose({R"({"sp":1,"sfu":1,"mem":1})", R"({"sp":6,"sfu":8,"mem":2})"}));
    sometimes(30, "gpu.sm.gating.demand", "would-issue");
    sometimes(30, "gpu.sm.gating.int.idle_from", "own-time");
    sometimes(30, "gpu.sm.gating.fp.idle_from", "own-time");
    sometimes(20, "gpu.sm.load_store.shared.replay_cycles", dice_.choose({1, 2, 18}));
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

  void atomics() {
    sometimes(20, "gpu.atomics.lines", dice_.choose({1, 2, 16}));
    sometimes(20, "gpu.atomics.input_queue_requests", dice_.choose({2, 4}));
  }

  void watch() {
    set("watch.interval_cycles", dice_.choose({113, 500, 5000}));
    // Set a long deadlock limit: stores take long if only one request may be outstanding.
    set("watch.deadlock_cycles", 1'000'000);
    set("watch.max_cycles", 20'000'000);
    sometimes(15, "watch.shuffle_seed", dice_.choose({1, 2, 3, 4, 5}));
    sometimes(4, "watch.every_cycle", "true");
    if (Dice(seed_ ^ 0x74687264u).chance(25))
      // The choice of threads uses its own sequence of random numbers, so that all other choices stay the
      // same.
      set("watch.threads", 2);
  }

  const std::uint64_t seed_;
  Dice dice_;
  RandomSetting setting_;
  std::vector<std::string> names_, passes_, wanted_;
};

const ConfigNode* at_path(const ConfigNode& root, const std::string& path) {
  const ConfigNode* node = &root;
  for (std::size_t begin = 0; node && begin < path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    node = node->find(std::string_view(path).substr(begin, end - begin));
    begin = end + 1;
  }
  return node;
}

}  // namespace

const std::vector<std::string>& drawable_presets() {
  static std::vector<std::string> found;
  if (!found.empty()) return found;
  for (const std::string& name : run::list_data("configs/gpu", ".json")) {
    const run::RunParameters parameters = RandomSetting{name, {}}.parameters();
    if (!needs_control_bits("gpu.sm.register_file.operands",
                            choice_name(parameters.gpu.sm.register_file.operands)))
      found.push_back(name);
  }
  return found;
}

RandomSetting random_setting(std::uint64_t seed) { return SettingMaker(seed).make(); }

std::set<std::string> drawable_parts() {
  std::set<std::string> all;
  for (const auto& [place, family] : Families::instance().by_place())
    for (const PartInfo& part : parts_to_draw(*family)) all.insert(place + ": " + part.name);
  return all;
}

std::set<std::string> parts_of(run::RunParameters parameters) {
  const ConfigNode tree = run::dump_scenario(std::move(parameters));
  std::set<std::string> found;
  for (const Place& place : places()) {
    const ConfigNode* node = at_path(tree, place.path);
    if (!node) continue;
    for (const ConfigNode& part : place.list ? node->items : std::vector<ConfigNode>{*node})
      found.insert(place.family->place() + ": " + choice_name(part));
  }
  return found;
}

std::uint64_t enough_settings() {
  std::size_t most = 5;
  for (const Place& place : places())
    if (!place.list) most = std::max(most, parts_to_draw(*place.family).size());
  return kSettingsPerPart * most;
}

run::RunParameters RandomSetting::parameters() const {
  run::ScenarioRequest request;
  request.gpu = preset;
  request.launch = "launch.json";
  request.sets = sets;
  return run::read_scenario(request);
}

}  // namespace heddle::fuzz

#include "tests/kernels/cover.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "models/core/registry.h"
#include "testbench/run/data_files.h"
#include "testbench/run/scenario.h"
#include "tests/support/dice.h"
#include "tests/support/kernel_list.h"
#include "tests/support/part_order.h"
#include "tests/support/random_setting.h"

namespace heddle::kernel_runs {
namespace {

const std::string kFile = "gpu.sm.register_file.";
const std::string kOverSiblings = R"({"type":"adaptive","base":"coordinated-blackout"})";

Value setting(const std::string& path, const std::string& value) {
  return {value, {path + "=" + value}, {}, {}, {}};
}

Axis part_axis(const std::string& name, const std::string& path, const std::vector<std::string>& values) {
  Axis axis{name, {}};
  std::set<std::string> named;
  for (const std::string& value : values) {
    axis.values.push_back(setting(path, value));
    named.insert(choice_name(parse_config_text(value, name)));
  }
  for (const std::string& part : fuzz::drawable_parts())
    if (part.starts_with(path + ": ") && !named.count(part.substr(path.size() + 2)))
      axis.values.push_back(setting(path, "\"" + part.substr(path.size() + 2) + "\""));
  return axis;
}

Axis gating_axis() {
  Axis axis = part_axis("gating", "gpu.sm.gating",
                        {R"("none")", kOverSiblings, R"({"type":"adaptive","base":"naive-blackout"})"});
  for (Value& value : axis.values) {
    value.sets.clear();
    for (const char* unit : {"int", "fp", "sfu", "ldst"})
      value.sets.push_back(fmt::format("gpu.sm.gating.{}.policy={}", unit, value.name));
    if (value.name != kOverSiblings && value.name.find("coordinated") == std::string::npos) continue;
    for (const char* unit :
         // Coordinated gating policies switch only whole pipelines. Their settings therefore reset the
         // granularity that lanes_axis() has set.
         {"int", "fp"})
      value.sets.push_back(fmt::format("gpu.sm.gating.{}.granularity=unit", unit));
  }
  return axis;
}

// Returns the axis (property that varies between runs) of lanes: the granularity of gating within a pipeline,
// and the rule that moves a partial warp's threads to other lanes. This axis must come before the axis of
// gating policies, because a gating policy may reset the granularity.
Axis lanes_axis() {
  Axis axis{"lanes", {{"pipelines", {}, {}, {}, {}}}};
  for (const char* granularity : {"half", "quad-half", "lane"})
    axis.values.push_back(
        {granularity,
         {fmt::format("gpu.sm.gating.int.granularity={}", granularity),
          fmt::format("gpu.sm.gating.fp.granularity={}", granularity), "gpu.sm.folding.lane_shift=pack"},
         {},
         {},
         {}});
  axis.values.back().sets.push_back("gpu.sm.folding.split=rank");
  return axis;
}

// Returns the axis of lane gating in register rows. Its values decide which segments of a row's word line an
// access drives. This axis must come before the axis of entry formats, which may switch lane gating off.
Axis row_lanes_axis() {
  Axis axis{"lanes of rows", {{"all", {}, {}, {}, {}}}};
  for (const char* gating : {"active-mask", "active"})
    for (const char* lanes : {"1", "4", "8", "32"})
      if (gating == std::string("active-mask") || lanes == std::string("8"))
        axis.values.push_back(
            {fmt::format("{}, {}", gating, lanes),
             {kFile + "banks.lane_gating=" + gating, kFile + "banks.segment_lanes=" + lanes},
             {},
             {},
             {}});
  return axis;
}

// Returns the axis (property that varies between runs) of entry formats. Only the format `whole` stores a
// register lane by lane, so all other formats switch lane gating of rows off.
Axis format_axis() {
  Axis axis =
      part_axis("format", kFile + "banks.format",
                {R"("whole")", R"("sub-banked")", R"({"type":"sub-banked","width":"signed"})",
                 R"({"type":"sub-banked","partial_writes":"full","detect_cycles":1,"expand_cycles":1})",
                 R"({"type":"sub-banked","width":"signed","alignment":"right","expand_cycles":2})"});
  for (Value& value : axis.values)
    if (value.name.find("\"whole\"") == std::string::npos)
      value.sets.push_back(kFile + "banks.lane_gating=none");
  return axis;
}

Axis speeds_axis() {
  const std::string partition = kFile + "banks.partition.";
  const std::string fast_slow = partition + "kind=fast-slow";
  const std::string ranked = R"({"type":"swapping","profile":"static-then-pilot","remap":"migrate"})";
  return {"speeds of rows",
          {{"one", {}, {}, {}, {}},
           {"all slow", {partition + "kind=all-slow", partition + "slow_cycles=5"}, {}, {}, {}},
           {"no pilot", {fast_slow, partition + "mode=low", partition + "busy=one-cycle"}, {}, {}, {}},
           {"pilots, new warps", {fast_slow}, {R"({"type":"swapping","remap":"new-warps"})"}, {}, {}},
           {"pilots, epochs",
            {fast_slow, partition + "mode=adaptive"},
            {R"({"type":"swapping","remap":"migrate"})"},
            {},
            {}},
           {"ranks, then pilots", {fast_slow}, {ranked}, {}, {R"("register-ranks")"}}}};
}

Axis preset_axis() {
  Axis axis{"preset", {}};
  for (const std::string& name : fuzz::drawable_presets()) axis.values.push_back({name, {}, {}, {}, {}});
  return axis;
}

// Returns every combination of register stages that Gebhart 2012 and Bailey 2018 name, with the options of
// the stages.
Axis stack_axis() {
  using Parts = std::vector<std::string>;
  const Parts hints = {R"("long-latency-marks")", R"("liveness-hints")", R"("shared-use-marks")"};
  const auto with_hints = [&hints](Parts passes) {
    passes.insert(passes.end(), hints.begin(), hints.end());
    return passes;
  };
  const Parts split = {R"("strands")",
                       R"({"type":"operand-file","entries":3,"last_result":"split","pairs":"anywhere"})"};
  const Parts bailey = {R"({"type":"strands","rule":"bailey"})", R"({"type":"scratchpad","entries":2})"};
  const std::string shared =
      R"({"type":"register-cache","entries":16,"capacity":"shared","ways":2,"replacement":"lru",)"
      R"("flush_on_deschedule":false,"miss_cycles":1,"read_ports":6,"write_ports":2})";
  const std::string l0 = R"({"type":"register-cache","entries":1,"shared_units":"closed"})";
  const std::string l1 = R"({"type":"register-cache","entries":6})";
  const std::string file = R"({"type":"operand-file","entries":2,"read_ports":6,"write_ports":2})";
  const std::string beside =
      R"({"type":"operand-file","entries":2,"read_ports":6,"write_ports":2,"transfers":"past-caches"})";
  const std::string split_file = R"({"type":"operand-file","last_result":"split"})";
  return {
      "stack",
      {{"banks", {}, {}, {}, {}},
       {"hardware, two levels", {}, {l1}, {}, {}},
       {"hardware, two levels, hints", {}, {l1}, {}, hints},
       {"hardware, three levels, hints", {}, {l0, l1}, {}, hints},
       {"one entry, direct, sources too",
        {},
        {R"({"type":"register-cache","entries":1,"ways":1,"allocate":"results-and-sources"})"},
        {},
        hints},
       {"software, two levels",
        {},
        {R"("operand-file")", R"("read-distances")"},
        {},
        {R"("strands")", R"({"type":"operand-file","entries":3})"}},
       {"software, split last result", {}, {split_file}, {}, split},
       {"shared cache", {}, {shared}, {}, hints},
       {"hybrid", {}, {file, shared}, {}, with_hints(bailey)},
       {"hybrid, beside", {}, {beside, shared}, {}, with_hints(bailey)},
       {"software, never flushed",
        {},
        {R"({"type":"operand-file","flush_on_deschedule":false})"},
        {},
        {R"({"type":"strands","long_latency":false,"backward_branches":false})",
         R"({"type":"operand-file","entries":3})"}},
       {"four stages", {}, {split_file, l0, l1}, {}, with_hints(split)},
       {"operand window", {}, {R"({"type":"operand-window","hints":"window"})"}, {}, {R"("window-hints")"}},
       {"intervals",
        {},
        {R"({"type":"interval-file","registers":24})"},
        {},
        {R"({"type":"register-intervals","registers":24})"}}}};
}

std::string flags_pass(const char* divergence, bool empty_pir) {
  return fmt::format(R"({{"type":"release-flags","divergence":"{}","empty_pir":{}}})", divergence, empty_pir);
}
std::string flags_cache(int entries) {
  return fmt::format(R"({{"type":"release-flag-cache","entries":{}}})", entries);
}

Axis renaming_axis() {
  const std::vector<std::string> guarded = {
      R"(gpu.sm.constraints=["scoreboard","collector-free","unit-gated","register-throttle"])"};
  const std::string off = R"({"type":"renaming","gating":{"policy":"conventional","wake_up_cycles":10})";
  return {
      "renaming",
      {{"none", {}, {}, {}, {}},
       {"guarded", guarded, {R"("renaming")"}, {}, {}},
       {"subarrays off, some exempt",
        {guarded.front(),
         R"(gpu.admission=["warps","ctas","registers","shared-memory","physical-registers"])"},
        {off + "}"},
        {},
        {R"("exempt-registers")"},
        {off + R"(,"bank_full":"next-bank"})"}},
       {"at the write, next bank, collectors shared",
        {R"(gpu.sm.constraints=["scoreboard","collector-free",{"type":"collector-share","most":6},"unit-gated"])"},
        {R"({"type":"renaming","allocate":"write","bank_full":"next-bank","packing":"round-robin"})"},
        {},
        {}},
       {"hardware alone",
        {},
        {R"({"type":"renaming","release":"redefinition","bank_full":"next-bank"})"},
        {},
        {}}}};
}

std::vector<Axis> make_axes() {
  return {
      preset_axis(),
      part_axis("scheduler", "gpu.sm.scheduler",
                {R"("lrr")", R"("gto")", R"({"type":"two-level","active_warps":8,"inner":"round-robin"})",
                 R"({"type":"two-level","active_warps":4,"inner":"greedy"})",
                 R"({"type":"fetch-group","group_warps":8})", R"({"type":"gates","active_warps":8})"}),
      {"registers", {setting("compiler.max_registers", "63"), setting("compiler.max_registers", "16")}},
      {"clean-ups",
       {{"clean-ups", {}, {}, {}, {}},
        {"as written", {}, {}, {}, {R"("allocate-registers")", R"("reconvergence")"}}}},
      lanes_axis(),
      gating_axis(),
      row_lanes_axis(),
      format_axis(),
      part_axis("arbiter", kFile + "banks.arbiter",
                {R"("one-per-bank")", R"("coalescing")",
                 R"({"type":"coalescing","kinds":["read-read"],"instructions":"same"})",
                 R"({"type":"coalescing","fit":"any","window":3})"}),
      {"sides and pairs",
       {{"by entry", {}, {}, {}, {}},
        {"by the compiler",
         {},
         {R"("rename-table")"},
         {},
         {R"("register-sides")", R"("register-pairs")", R"("hint-words")"}}}},
      speeds_axis(),
      part_axis("folding", "gpu.sm.folding.policy", {R"("none")"}),
      part_axis("register power", kFile + "banks.power",
                {R"("always-on")", R"("tri-modal")",
                 R"({"type":"tri-modal","wake_up_cycles":1,"look_ahead_cycles":2,"outputs":"at-write"})",
                 R"({"type":"tri-modal","wake_up_cycles":10,"unallocated":"drowsy"})"}),
      {"addresses", {setting("address_size", "launch"), setting("address_size", "32-bit")}},
      {"order of instructions",
       {{"as written there", {}, {}, {}, {}},
        {"loads together, operands swapped", {}, {}, {}, {R"("schedule-loads")", R"("swap-operands")"}},
        {"loops unrolled", {}, {}, {}, {R"("unroll-loops")"}},
        {"by latency, with control bits", {}, {}, {}, {R"("schedule-latencies")", R"("control-bits")"}}}},
      {"collectors",
       {setting(kFile + "collectors", "16"), setting(kFile + "collectors", R"({"sp":6,"sfu":8,"mem":2})")}},
      {"demand",
       {setting("gpu.sm.gating.demand", "could-issue"), setting("gpu.sm.gating.demand", "would-issue")}},
      {"idle from",
       {{"end", {}, {}, {}, {}},
        {"own time",
         {"gpu.sm.gating.int.idle_from=own-time", "gpu.sm.gating.fp.idle_from=own-time"},
         {},
         {},
         {}}}},
      {"wake on",
       {{"demand", {}, {}, {}, {}},
        {"issue",
         {"gpu.sm.gating.int.wake_on=issue", "gpu.sm.gating.fp.wake_on=issue",
          "gpu.sm.gating.sfu.wake_on=issue", "gpu.sm.gating.ldst.wake_on=issue"},
         {},
         {},
         {}}}},
      {"layout", {setting(kFile + "banks.layout", "wid"), setting(kFile + "banks.layout", "wshift")}},
      {"port", {setting(kFile + "collector_port", "whole"), setting(kFile + "collector_port", "sliced")}},
      stack_axis(),
      {"release flags",
       {{"none", {}, {}, {}, {}},
        {"without a cache", {}, {}, {}, {flags_pass("reconvergence", true)}},
        {"ten entries", {}, {}, {flags_cache(10)}, {flags_pass("reconvergence", true)}},
        {"exact", {}, {}, {flags_cache(5)}, {flags_pass("exact", false)}}}},
      {"instruction cache",
       {{"none", {}, {}, {}, {}}, {"small", {}, {}, {R"({"type":"instruction-cache","bytes":1024})"}, {}}}},
      renaming_axis(),
      part_axis("memory", "gpu.memory", {R"("fixed-latency")", R"("cached")"}),
  };
}

Row turned(std::size_t kernel, std::size_t values, fuzz::Dice& dice) {
  Row order(kRowsPerKernel);
  for (std::size_t r = 0; r < kRowsPerKernel; ++r) order[r] = (kernel * kRowsPerKernel + r) % values;
  for (std::size_t i = kRowsPerKernel; i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(dice.pick(static_cast<int>(i)))]);
  return order;
}

}  // namespace

const std::vector<Axis>& axes() {
  static const std::vector<Axis> made = make_axes();
  return made;
}

namespace {

// Pairs of values that some row contains. A row has one value per axis, so the two values of a pair belong
// to different axes. Each value of each axis has a number of its own.
class Pairs {
 public:
  Pairs() {
    for (const Axis& axis : axes()) firsts_.push_back(values_), values_ += axis.values.size();
    met_.resize(values_ * values_);
    for (const Axis& axis : axes())
      for (const Axis& other : axes()) left_.push_back(axis.values.size() * other.values.size());
  }
  /// Returns the pairs of a value in `column`, the rows' values of `axis`, with a value in an earlier axis that
  /// have not occurred yet. Each pair is returned once.
  std::set<std::size_t> unmet(std::size_t axis, const Row& column, const std::vector<Row>& earlier) const {
    std::set<std::size_t> pairs;
    for (std::size_t b = 0; b < axis; ++b) {
      if (left_[axis * axes().size() + b] == 0) continue;  // saves time: holds for most axes after 20 kernels
      for (std::size_t r = 0; r < kRowsPerKernel; ++r)
        if (const std::size_t pair = (firsts_[axis] + column[r]) * values_ + firsts_[b] + earlier[b][r];
            !met_[pair])
          pairs.insert(pair);
    }
    return pairs;
  }
  void meet(std::size_t axis, const std::set<std::size_t>& pairs) {
    for (const std::size_t pair : pairs) {
      met_[pair] = true;
      const auto after = std::upper_bound(firsts_.begin(), firsts_.end(), pair % values_);
      --left_[axis * axes().size() + static_cast<std::size_t>(after - firsts_.begin()) - 1];
    }
  }

  /// Marks the pairs of values in a row. Returns true if one of them had not occurred before.
  bool meet(const Row& row) {
    bool is_new = false;
    for (std::size_t a = 0; a < row.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        char& met = met_[(firsts_[a] + row[a]) * values_ + firsts_[b] + row[b]];
        is_new |= !met;
        met = true;
      }
    return is_new;
  }

 private:
  std::vector<std::size_t> firsts_;
  std::size_t values_ = 0;
  std::vector<char> met_;
  std::vector<std::size_t> left_;  // for each pair of axes: pairs of their values that have not occurred
};

}  // namespace

// Builds each kernel's rows axis by axis. For each axis, tries twenty random orders of its values and keeps
// the order that adds the most pairs that have not occurred before.
std::vector<std::vector<Row>> pairwise_rows(std::size_t kernels) {
  std::vector<std::vector<Row>> all;
  Pairs met;
  fuzz::Dice dice(1);
  for (std::size_t k = 0; k < kernels; ++k) {
    std::vector<Row> columns;
    for (std::size_t a = 0; a < axes().size(); ++a) {
      Row best;
      std::set<std::size_t> best_pairs;
      for (int attempt = 0; attempt < 20; ++attempt) {
        const Row column = turned(k, axes()[a].values.size(), dice);
        const std::set<std::size_t> pairs = met.unmet(a, column, columns);
        if (best.empty() || pairs.size() > best_pairs.size()) best = column, best_pairs = pairs;
      }
      met.meet(a, best_pairs);
      columns.push_back(std::move(best));
    }
    std::vector<Row> rows(kRowsPerKernel);
    for (const Row& column : columns)
      for (std::size_t r = 0; r < kRowsPerKernel; ++r) rows[r].push_back(column[r]);
    all.push_back(std::move(rows));
  }
  return all;
}

std::vector<std::vector<Row>> default_rows(std::size_t kernels) {
  std::vector<std::vector<Row>> all = pairwise_rows(kernels);
  Pairs met;
  for (std::vector<Row>& rows : all) {
    std::vector<Row> chosen, rest;
    for (Row& row : rows) (met.meet(row) ? chosen : rest).push_back(std::move(row));
    for (; chosen.size() < kLeastRows; rest.pop_back()) chosen.push_back(std::move(rest.back()));
    rows = std::move(chosen);
  }
  return all;
}

std::vector<Row> all_rows(std::size_t kernel) {
  std::size_t count = 1;
  for (std::size_t a = 0; a < kProductAxes; ++a) count *= axes()[a].values.size();
  std::vector<Row> rows;
  fuzz::Dice dice(kernel + 1);
  for (std::size_t n = 0; n < count; ++n) {
    Row row;
    std::size_t rest = n;
    for (std::size_t a = 0; a < axes().size(); ++a) {
      const std::size_t values = axes()[a].values.size();
      row.push_back(a < kProductAxes ? rest % values
                                     : static_cast<std::size_t>(dice.pick(static_cast<int>(values))));
      rest /= a < kProductAxes ? values : 1;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Row row_of(const std::vector<std::string>& names) {
  Row row;
  for (const Axis& axis : axes()) {
    const auto named = std::find_if(axis.values.begin(), axis.values.end(), [&names](const Value& value) {
      return std::find(names.begin(), names.end(), value.name) != names.end();
    });
    row.push_back(named == axis.values.end() ? 0 : static_cast<std::size_t>(named - axis.values.begin()));
  }
  return row;
}

run::RunParameters parameters_of(const Row& row, const std::string& launch) {
  run::ScenarioRequest request;
  request.launch = launch;
  request.with =
      testing_support::techniques_of(std::filesystem::path(launch).parent_path().filename().string());
  request.sets = {"watch.check=on", "watch.interval_cycles=5000", "watch.max_cycles=50000000"};
  bool clean_ups = true;
  std::vector<std::string> stages, front_end_stages, passes;
  const auto append = [](std::vector<std::string>& to, const std::vector<std::string>& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  bool one_bank = false;
  for (std::size_t a = 0; a < axes().size(); ++a)
    one_bank |= axes()[a].name == "layout" && axes()[a].values[row[a]].name == "wid";
  for (std::size_t a = 0; a < axes().size(); ++a) {
    const Value& value = axes()[a].values[row[a]];
    if (axes()[a].name == "preset") request.gpu = value.name;
    if (value.name == "as written") clean_ups = false;
    append(request.sets, value.sets);
    // Matrix units get the gating policy of the SFUs.
    for (const std::string& set : value.sets)
      if (const std::string sfu = "gpu.sm.gating.sfu."; set.starts_with(sfu) && !request.with.empty())
        request.sets.push_back("gpu.sm.gating.matrix." + set.substr(sfu.size()));
    append(stages, one_bank && !value.stages_of_one_bank.empty() ? value.stages_of_one_bank : value.stages);
    append(front_end_stages, value.front_end_stages);
    append(passes, value.passes);
  }
  request.sets.push_back("compiler.passes=" + testing_support::pass_list(clean_ups, passes));
  request.sets.push_back(kFile + "stages=" + testing_support::stage_list(stages));
  request.sets.push_back("gpu.sm.front_end.stages=[" +
                         testing_support::in_order("front_end_stages", front_end_stages) + "]");
  return run::read_scenario(request);
}

std::string text_of(const Row& row) {
  std::string text;
  for (std::size_t a = 0; a < axes().size(); ++a)
    text += fmt::format("{}{}: {}", a == 0 ? "" : "; ", axes()[a].name, axes()[a].values[row[a]].name);
  return text;
}

}  // namespace heddle::kernel_runs

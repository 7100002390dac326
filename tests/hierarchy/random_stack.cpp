#include "tests/hierarchy/random_stack.h"

#include <fmt/format.h>

#include "models/compiler/pipeline.h"
#include "models/core/registry.h"

namespace heddle::hierarchy {
namespace {

using fuzz::Dice;

const char* text(bool b) { return b ? "true" : "false"; }

std::string cache(Dice& dice) {
  const bool shared = dice.chance(40);
  const int ways = dice.choose({0, 0, 1, 2});
  const int entries =
      std::max(1, ways) * dice.choose({1, 2, 3, 4, 6}) * (shared ? dice.choose({1, 2, 4}) : 1);
  return fmt::format(
      R"({{"type":"register-cache","entries":{},"capacity":"{}","ways":{},"replacement":"{}","allocate":"{}",)"
      R"("bypass_long_latency":{},"liveness_hints":{},"flush_on_deschedule":{},"shared_units":"{}",)"
      R"("tag_check_cycles":{},"miss_cycles":{},"read_ports":{},"write_ports":{},"banks":{},)"
      R"("queue_entries":{},"per_scheduler":{}}})",
      entries, shared ? "shared" : "private", ways, dice.choose({"fifo", "lru"}),
      dice.choose({"results", "results-and-sources"}), text(dice.chance(70)), text(dice.chance(70)),
      text(dice.chance(60)), dice.choose({"open", "open", "closed"}), dice.choose({0, 0, 1, 3}),
      dice.choose({0, 1, 2}), dice.choose({0, 1, 3, 6}), dice.choose({0, 1, 2}), dice.choose({1, 1, 2, 4}),
      dice.choose({1, 2, 16}), text(dice.chance(60)));
}

struct File {
  std::string stage, passes;
};

File file(Dice& dice) {
  const int entries = dice.choose({1, 2, 3, 4, 6, 8});
  const std::string last = dice.choose({"none", "unified", "split"});
  const bool shared = dice.chance(25);
  const bool kept = dice.chance(10);  // the limit study's never flush (000, 8.3)
  File made;
  made.stage = fmt::format(
      R"({{"type":"operand-file","entries":{},"last_result":"{}","last_result_shared":{},"transfers":"{}",)"
      R"("flush_on_deschedule":{},"read_ports":{},"write_ports":{},"queue_entries":{},"per_scheduler":{}}})",
      entries + dice.choose({0, 0, 1}), last, text(shared),
      dice.choose({"through-caches", "through-caches", "past-caches"}), text(!kept),
      dice.choose({0, 1, 3, 6}), dice.choose({0, 1, 2}), dice.choose({1, 2, 16}), text(dice.chance(50)));
  if (dice.chance(5)) return made;
  if (last == "none" && dice.chance(40)) {
    made.passes = fmt::format(
        R"({{"type":"strands","rule":"bailey"}},{{"type":"scratchpad","entries":{},"live_out":{},)"
        R"("read_allocations":{},"reduce_ranges":{}}})",
        entries, text(dice.chance(75)), text(dice.chance(75)), text(dice.chance(75)));
    return made;
  }
  made.passes = fmt::format(
      R"({{"type":"strands","rule":"{}","backward_branches":{},"long_latency":{}}},{{"type":"operand-file","entries":{},)"
      R"("partial_range":{},"read_operands":{},"forward_branches":{},"last_result":"{}",)"
      R"("last_result_shared":{},"writes":"{}"}})",
      dice.choose({"gebhart", "gebhart", "bailey"}), text(dice.chance(85)), text(!kept), entries,
      text(dice.chance(70)), text(dice.chance(70)), text(dice.chance(80)), last, text(shared),
      dice.choose({"any", "any", "one-level", "last-result-and-main"}));
  return made;
}

std::string hints(Dice& dice, std::string passes) {
  for (const char* pass : {"\"long-latency-marks\"", "\"liveness-hints\"", "\"shared-use-marks\""})
    if (dice.chance(75)) passes += (passes.empty() ? "" : ",") + std::string(pass);
  return passes;
}

}  // namespace

Stack random_stack(int kind, Dice& dice) {
  const auto stack = [](const std::string& name, const std::string& stages, const std::string& passes) {
    return Stack{name, "[" + stages + ",\"banks\"]", passes};
  };
  switch (kind % kStackKinds) {
    case 0:
      return stack("cache", cache(dice), hints(dice, ""));
    case 1: {
      const File f = file(dice);
      return stack("file", f.stage, hints(dice, f.passes));
    }
    case 2:
      return stack("cache over cache", cache(dice) + "," + cache(dice), hints(dice, ""));
    case 3: {
      const File f = file(dice);
      return stack("file over cache over cache", f.stage + "," + cache(dice) + "," + cache(dice),
                   hints(dice, f.passes));
    }
    default: {
      const File f = file(dice);
      return stack("file over cache", f.stage + "," + cache(dice), hints(dice, f.passes));
    }
  }
}

std::string passes_setting(const Stack& stack, bool clean_ups) {
  std::string list;
  if (clean_ups)
    for (const ConfigNode& pass : compiler::default_passes())
      list += fmt::format("{}\"{}\"", list.empty() ? "" : ",", choice_name(pass));
  if (!stack.passes.empty()) list += (list.empty() ? "" : ",") + stack.passes;
  return "compiler.passes=[" + list + "]";
}

std::string stages_setting(const Stack& stack) { return "gpu.sm.register_file.stages=" + stack.stages; }

fuzz::FuzzCase make_case(std::uint64_t seed) {
  fuzz::FuzzCase fuzz = fuzz::make_case(seed);
  Dice dice(seed ^ 0x57ac0000u);
  const Stack stack = random_stack(static_cast<int>(seed), dice);
  fuzz.setting.sets.push_back(passes_setting(stack, dice.chance(80)));
  fuzz.setting.sets.push_back(stages_setting(stack));
  // More SMs and slow memories show nothing more of a stack, and take their time.
  for (const std::string& set :
       {std::string("gpu.sms=1"), std::string("gpu.sm.load_store.outstanding_requests=32"),
        fmt::format(R"(gpu.memory={{"type":"fixed-latency","latency_cycles":{}}})",
                    dice.choose({50, 100, 400}))})
    fuzz.setting.sets.push_back(set);
  if (dice.chance(60))
    fuzz.setting.sets.push_back(
        fmt::format(R"(gpu.sm.scheduler={{"type":"two-level","active_warps":{},"inner":"{}"}})",
                    dice.choose({1, 2, 4, 8}), dice.choose({"round-robin", "greedy", "greedy-oldest"})));
  return fuzz;
}

std::vector<Stack> named_stacks() {
  const std::string hints = R"("long-latency-marks","liveness-hints","shared-use-marks")";
  const std::string orf = R"("strands",{"type":"operand-file","entries":3})";
  const std::string split = R"("strands",{"type":"operand-file","entries":3,"last_result":"split"})";
  const std::string bailey = R"({"type":"strands","rule":"bailey"},{"type":"scratchpad","entries":2})";
  const std::string shared =
      R"({"type":"register-cache","entries":16,"capacity":"shared","ways":2,"replacement":"lru",)"
      R"("flush_on_deschedule":false,"miss_cycles":1,"read_ports":6,"write_ports":2})";
  const std::string l0 = R"({"type":"register-cache","entries":1,"shared_units":"closed"})";
  const std::string l1 = R"({"type":"register-cache","entries":6})";
  const std::string scratchpad = R"({"type":"operand-file","entries":2,"read_ports":6,"write_ports":2)";
  return {
      {"hardware, two levels", "[" + l1 + R"(,"banks"])", ""},
      {"hardware, two levels, hints", "[" + l1 + R"(,"banks"])", hints},
      {"hardware, three levels, hints", "[" + l0 + "," + l1 + R"(,"banks"])", hints},
      {"one entry, direct, sources too",
       R"([{"type":"register-cache","entries":1,"ways":1,"allocate":"results-and-sources"},"banks"])", hints},
      {"software, two levels", R"(["operand-file","banks"])", orf},
      {"software, split last result", R"([{"type":"operand-file","last_result":"split"},"banks"])", split},
      {"shared cache", "[" + shared + R"(,"banks"])", hints},
      {"hybrid", "[" + scratchpad + "}," + shared + R"(,"banks"])", bailey + "," + hints},
      {"hybrid, beside", "[" + scratchpad + R"(,"transfers":"past-caches"},)" + shared + R"(,"banks"])",
       bailey + "," + hints},
      {"software, never flushed", R"([{"type":"operand-file","flush_on_deschedule":false},"banks"])",
       R"({"type":"strands","long_latency":false,"backward_branches":false},{"type":"operand-file","entries":3})"},
      {"four stages", R"([{"type":"operand-file","last_result":"split"},)" + l0 + "," + l1 + R"(,"banks"])",
       split + "," + hints},
  };
}

}  // namespace heddle::hierarchy

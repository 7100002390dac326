#include "tests/hierarchy/named_stacks.h"

#include <fmt/format.h>

#include "models/compiler/pipeline.h"
#include "models/core/registry.h"

namespace heddle::hierarchy {
std::string passes_setting(const Stack& stack, bool clean_ups) {
  std::string list;
  if (clean_ups)
    for (const ConfigNode& pass : compiler::default_passes())
      list += fmt::format("{}\"{}\"", list.empty() ? "" : ",", choice_name(pass));
  if (!stack.passes.empty()) list += (list.empty() ? "" : ",") + stack.passes;
  return "compiler.passes=[" + list + "]";
}

std::string stages_setting(const Stack& stack) { return "gpu.sm.register_file.stages=" + stack.stages; }

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

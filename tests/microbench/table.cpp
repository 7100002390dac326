#include "tests/microbench/table.h"

#include <fmt/format.h>

#include "models/core/config_node.h"
#include "models/core/error.h"
#include "tests/microbench/measurements.h"

namespace heddle::microbench {
namespace {

std::string number(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

const std::string& text_of(const ConfigNode& figure, const char* key) {
  const ConfigNode* node = figure.find(key);
  if (!node || !node->is_string()) throw Error(figure.where(), fmt::format("no text \"{}\"", key));
  return node->text;
}

/// The published value in the preset's own cycles.
double in_preset_cycles(const ConfigNode& figure) {
  const double value = figure.find("value")->number;
  const double clocks = figure.find("clocks_per_preset_cycle")->number;
  const std::string& unit = text_of(figure, "unit");
  if (unit == "GB/s") return value;
  return unit.starts_with("lanes") ? value * clocks : value / clocks;
}

std::string row(const Measurement& m, const ConfigNode* figure) {
  const std::string name = m.id.substr(0, m.id.find('.')) + ": " + m.what;
  if (!figure) return fmt::format("| {} | {} | {} | | | | |\n", name, m.unit, number(m.value));
  const ConfigNode* reason = figure->find("reason");
  const double published = in_preset_cycles(*figure);
  const double deviation = 100 * (m.value / published - 1);
  const std::string as_printed =
      fmt::format("{} {}", number(figure->find("value")->number), text_of(*figure, "unit"));
  return fmt::format("| {} | {} | {} | {} ({}) | {:+.0f} % | {} | {} |\n", name, m.unit, number(m.value),
                     number(published), as_printed, deviation + 0.0, text_of(*figure, "source"),
                     reason ? reason->text : "");
}

}  // namespace

const std::vector<std::string>& presets() {
  static const std::vector<std::string> all = {"fermi-gtx480", "kepler-gtx780", "maxwell-gtx980",
                                               "fermi-cmrc",   "fermi-gebhart", "fermi-virtualization"};
  return all;
}

std::string page_head() {
  return "# Microbenchmarks\n\n"
         "Written by `scripts/microbench`; a test compares it with what the model measures. Every preset "
         "runs the\n"
         "same small programs (tests/microbench/measurements.cpp). Beside each figure stands what is "
         "published of\n"
         "the real GPU, converted into the preset's cycles, with the figure as printed in brackets\n"
         "(tests/microbench/published.json). The presets follow their papers: published figures are for\n"
         "comparison, never targets. Where one parts from the measured figure by more than 25 %, the reason "
         "stands beside.\n\n"
         "Latencies are issue to dependent issue of a lone warp; rates come from 32 warps on one SM. A "
         "64-bit\n"
         "address costs one cycle more than the parameter says where a collector takes one word a cycle\n"
         "(docs/timing.md). Shared memory answers a conflict with passes that follow each other; Fermi and "
         "Kepler\n"
         "issue the instruction again for each (stackoverflow.com/questions/35566178, on compute capability "
         "2.0 to\n"
         "3.7), which "
         "`gpu.sm.load_store.shared.replay_cycles` prices: 1 in the presets, whose papers are\n"
         "silent.\n";
}

std::string section(const std::string& preset) {
  const ConfigNode published = parse_config_file("tests/microbench/published.json");
  std::string text = fmt::format(
      "\n## {}\n\n| measurement | unit | measured | published | deviation | source | reason |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n",
      preset);
  for (const Measurement& m : measure_preset(preset)) {
    bool compared = false;
    for (const ConfigNode& figure : published.find("figures")->items) {
      const ConfigNode* of = figure.find("preset");
      if (!of || !of->is_string() || of->text != preset || measurement_of(text_of(figure, "metric")) != m.id)
        continue;
      text += row(m, &figure);
      compared = true;
    }
    if (!compared) text += row(m, nullptr);
  }
  return text;
}

std::string switches() {
  std::string text =
      "\n## Switches\n\nWhat decides where a preset parts from its GPU: every parameter alone, and "
      "together.\n\n"
      "| measurement | preset | set | measured | unit |\n| --- | --- | --- | --- | --- |\n";
  for (const Switched& row : measure_switches()) {
    std::string set;
    for (const std::string& one : row.setting.set) set += fmt::format("{}`{}`", set.empty() ? "" : ", ", one);
    text += fmt::format("| {} | {} | {} | {} | {} |\n", row.what, row.setting.preset,
                        set.empty() ? "as it is" : set, number(row.value), row.unit);
  }
  return text;
}

}  // namespace heddle::microbench

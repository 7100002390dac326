#include "tests/microbench/table.h"

#include <fmt/format.h>

#include <algorithm>

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

double in_preset_cycles(const ConfigNode& figure) {
  const double value = figure.find("value")->number;
  const double clocks = figure.find("clocks_per_preset_cycle")->number;
  const std::string& unit = text_of(figure, "unit");
  if (unit == "GB/s") return value;
  return unit.starts_with("lanes") ? value * clocks : value / clocks;
}

std::vector<std::string> sources_of(const ConfigNode& published) {
  std::vector<std::string> all;
  for (const ConfigNode& figure : published.find("figures")->items) {
    const ConfigNode* preset = figure.find("preset");
    const std::string& source = text_of(figure, "source");
    if (preset && preset->is_string() && std::find(all.begin(), all.end(), source) == all.end())
      all.push_back(source);
  }
  return all;
}

std::size_t number_of(const std::vector<std::string>& sources, const std::string& source) {
  return static_cast<std::size_t>(std::find(sources.begin(), sources.end(), source) - sources.begin()) + 1;
}

std::string first_columns(const Measurement& m) {
  return fmt::format("| {}: {} | {} |", m.id.substr(0, m.id.find('.')), m.what, number(m.value));
}

std::string row(const Measurement& m, const ConfigNode* figure, const std::vector<std::string>& sources) {
  if (!figure) return first_columns(m) + "||||\n";
  const ConfigNode* reason = figure->find("reason");
  const double published = in_preset_cycles(*figure);
  const double deviation = 100 * (m.value / published - 1);
  const std::string as_printed =
      fmt::format("{} {}", number(figure->find("value")->number), text_of(*figure, "unit"));
  return fmt::format("{} {} ({}) | {:+.0f} % | [{}] | {} |\n", first_columns(m), number(published),
                     as_printed, deviation + 0.0, number_of(sources, text_of(*figure, "source")),
                     reason ? reason->text : "");
}

}  // namespace

const std::vector<std::string>& presets() {
  static const std::vector<std::string> all = {"fermi-gtx480", "kepler-gtx780", "maxwell-gtx980",
                                               kMatrixUnit};
  return all;
}

std::string page_head() {
  return R"(# Microbenchmarks

This page compares small programs on the model with published figures of real GPUs. `scripts/microbench`
writes it, and a test compares it with the model's measurements.

The programs are in `tests/microbench/measurements.cpp`, the published figures in
`tests/microbench/published.json`. Published figures are converted into cycles of the preset; the printed
figure follows in brackets. The presets follow their papers and are not tuned to these figures. If the model
deviates by more than 25 %, the last column states the reason.

- **Latency**: cycles of a single warp from the issue of an instruction to the issue of a dependent one.
- **Rate**: lanes per cycle of one SM with 32 warps.
- **Bandwidth**: GB/s.
- **Matrix instructions** (of maxwell-gtx980 with the technique `matrix-unit`, an A100's unit): latency from one
  to the next that adds to its result; rate in products of elements per cycle of one SM with 32 warps.
- **64-bit addresses** cost one cycle more than the parameter states if a collector takes one word a cycle
  ([timing.md](timing.md)).
- **Bank conflicts of shared memory** take successive passes. Fermi and Kepler issue the instruction again for
  each pass (stackoverflow.com/questions/35566178, compute capability 2.0 to 3.7).
  `gpu.sm.load_store.shared.replay_cycles` is the cost of a pass; 1 in the presets, whose papers state none.
)";
}

std::string section(const std::string& preset) {
  const ConfigNode published = parse_config_file("tests/microbench/published.json");
  const std::vector<std::string> sources = sources_of(published);
  std::string text = fmt::format(
      "\n## {}\n\n| measurement | measured | published | deviation | source | reason |\n"
      "| --- | --- | --- | --- | --- | --- |\n",
      preset);
  for (const Measurement& m : preset == kMatrixUnit ? measure_matrix_unit() : measure_preset(preset)) {
    bool has_figure = false;
    for (const ConfigNode& figure : published.find("figures")->items) {
      const ConfigNode* of = figure.find("preset");
      if (!of || !of->is_string() || of->text != preset || measurement_of(text_of(figure, "metric")) != m.id)
        continue;
      text += row(m, &figure, sources);
      has_figure = true;
    }
    if (!has_figure) text += row(m, nullptr, sources);
  }
  return text;
}

std::string sources() {
  std::string text = "\n## Sources\n\n";
  std::size_t number = 0;
  for (const std::string& source : sources_of(parse_config_file("tests/microbench/published.json")))
    text += fmt::format("{}. {}\n", ++number, source);
  return text;
}

std::string switches() {
  std::string text =
      "\n## Switches\n\nThe following parameters, alone or together, explain differences between a preset "
      "and its GPU.\n\n"
      "| measurement | preset | set | measured | unit |\n| --- | --- | --- | --- | --- |\n";
  for (const Switched& row : measure_switches()) {
    std::string set;
    for (const std::string& one : row.setting.set) set += fmt::format("{}`{}`", set.empty() ? "" : ", ", one);
    text += fmt::format("| {} | {} | {} | {} | {} |\n", row.what, row.setting.preset,
                        set.empty() ? "unchanged" : set, number(row.value), row.unit);
  }
  return text;
}

}  // namespace heddle::microbench

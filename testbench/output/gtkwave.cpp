#include "testbench/output/gtkwave.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "testbench/launch/new_file.h"

namespace heddle::output {
namespace {

// Display flags of GTKWave: right-justified hexadecimal, right-justified decimal, and translation by a filter
// file.
constexpr unsigned kHex = 0x22, kDecimal = 0x24, kTranslated = 0x2022;
constexpr const char *kGroupBegin = "@800200", *kGroupEnd = "@1000200";
constexpr const char *kWarpStates = "warp_state.filter", *kStalls = "stall.filter",
                     *kPowerStates = "power_state.filter";

// A filter file has one line per value: hexadecimal digits, then the word with its background colour.
constexpr const char* kWarpStateWords =
    "0 ?black?-\n1 ?green?issuing\n2 ?dark olive green?ready\n3 ?dark goldenrod?dependence\n"
    "4 ?orange red?memory\n5 ?medium orchid?fetch\n6 ?blue?barrier\n7 ?navy?fence\n8 ?dim gray?draining\n";

// Power states that leak have warm colours, power states that save energy cold ones.
constexpr const char* kPowerStateWords =
    "0 ?dark olive green?on\n1 ?dark goldenrod?uncompensated\n2 ?navy?compensated\n3 ?orange red?waking up\n";

std::string stall_words(const std::vector<std::string>& reasons) {
  std::string text;
  for (std::size_t r = 0; r < reasons.size(); ++r) text += fmt::format("{:x} {}\n", r, reasons[r]);
  return text + "f ?green?issued\n";
}

struct Group {
  const char* title;
  /// Returns true if the group shows this signal. `name`: the signal's name without the SM.
  bool (*holds)(const std::string& name);
};

bool begins(const std::string& name, const char* prefix) { return name.rfind(prefix, 0) == 0; }
bool contains(const std::string& name, const char* part) { return name.find(part) != std::string::npos; }
bool ends(const std::string& name, const std::string& suffix) {
  return name.size() >= suffix.size() &&
         name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
}

constexpr Group kGroups[] = {
    {"warp states", [](const std::string& n) { return begins(n, "warp") && ends(n, ".state"); }},
    {"scheduler picks", [](const std::string& n) { return begins(n, "scheduler"); }},
    {"operand collectors", [](const std::string& n) { return contains(n, ".collectors."); }},
    {"register banks", [](const std::string& n) { return contains(n, ".banks."); }},
    {"units",
     [](const std::string& n) {
       return begins(n, "partition") &&
              (ends(n, ".busy") || (ends(n, ".warp") && !contains(n, "collectors")));
     }},
    {"power states",
     [](const std::string& n) {
       return (ends(n, ".power") || ends(n, ".idle_detect")) && !begins(n, "rtl.");
     }},
    {"RTL", [](const std::string& n) { return begins(n, "rtl."); }},
    {"load/store and memory",
     [](const std::string& n) {
       return begins(n, "load_store.") && !ends(n, ".power") && !ends(n, ".idle_detect");
     }},
    {"CTA slots", [](const std::string& n) { return begins(n, "cta"); }},
    {"warp program counters", [](const std::string& n) { return begins(n, "warp") && ends(n, ".pc"); }},
    {"warp active lanes", [](const std::string& n) { return begins(n, "warp") && ends(n, ".mask"); }},
};

std::string trace(const WaveRecorder::Recorded& signal) {
  std::string text;
  switch (signal.style) {
    case WaveStyle::warp_state:
      text = fmt::format("@{:x}\n^1 {}\n", kTranslated, kWarpStates);
      break;
    case WaveStyle::stall:
      text = fmt::format("@{:x}\n^2 {}\n", kTranslated, kStalls);
      break;
    case WaveStyle::power_state:
      text = fmt::format("@{:x}\n^3 {}\n", kTranslated, kPowerStates);
      break;
    case WaveStyle::mask:
      text = fmt::format("@{:x}\n", kHex);
      break;
    case WaveStyle::number:
      text = fmt::format("@{:x}\n", kDecimal);
      break;
  }
  // Without an alias, GTKWave shows only the last part of a dotted name.
  std::string alias = signal.name.substr(signal.name.find('.') + 1);
  std::replace(alias.begin(), alias.end(), '.', ' ');
  return text + fmt::format("+{{{}}} {}{}\n", alias, signal.name,
                            signal.width > 1 ? fmt::format("[{}:0]", signal.width - 1) : "");
}

}  // namespace

std::vector<std::string> gtkwave_files(const std::string& vcd_file) {
  return {vcd_file.substr(0, vcd_file.rfind('.')) + ".gtkw", kWarpStates, kStalls, kPowerStates};
}

void write_gtkwave(run::OutFolder& folder, const std::string& vcd_file, const WaveRecorder& waves,
                   const std::vector<std::string>& stall_reasons) {
  const std::vector<WaveRecorder::Recorded> recorded = waves.recorded();
  std::string sm;
  for (const auto& signal : recorded)
    if (sm.empty() && signal.toggled) sm = signal.name.substr(0, signal.name.find('.') + 1);
  const double zoom =
      5.85 + std::log2(static_cast<double>(waves.period()));  // zoom at which a screen shows about 300 cycles
  std::string text = fmt::format(
      "[*] Opens {0} on the warp timeline: gtkwave {0} {1}, in the folder of both\n[dumpfile] \"{0}\"\n"
      "[timestart] {2}\n[size] 1600 1000\n[pos] -1 -1\n*-{3:.6f} {2}\n[signals_width] 260\n",
      vcd_file, gtkwave_files(vcd_file)[0], waves.first_cycle() * waves.period(), zoom);
  for (const Group& group : kGroups) {
    std::string traces;
    for (const auto& signal : recorded)
      if (signal.toggled && begins(signal.name, sm.c_str()) && group.holds(signal.name.substr(sm.size())))
        traces += trace(signal);
    if (traces.empty()) continue;
    text += fmt::format("{0}\n-{2}{3}\n{4}{1}\n-{2}{3}\n", kGroupBegin, kGroupEnd,
                        sm.empty() ? "" : sm.substr(0, sm.size() - 1) + " ", group.title, traces);
  }
  folder.write(gtkwave_files(vcd_file)[0], text);
  folder.write(kWarpStates, kWarpStateWords);
  folder.write(kStalls, stall_words(stall_reasons));
  folder.write(kPowerStates, kPowerStateWords);
}

}  // namespace heddle::output

#include "testbench/output/gtkwave.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/ptx/kernel_name.h"
#include "testbench/launch/new_file.h"

namespace heddle::output {
namespace {

// Display flags of GTKWave: right-justified hexadecimal; right-justified decimal; hexadecimal, translated to
// words by a filter file.
constexpr unsigned kHex = 0x22, kDecimal = 0x24, kTranslated = 0x2022;
// Flags of the lines before and after a group of signals: one pair for a group that is open at first, and one
// for a group that is closed.
constexpr const char *kOpenBegin = "@800200", *kOpenEnd = "@1000200";
constexpr const char *kClosedBegin = "@c00200", *kClosedEnd = "@1401200";
constexpr const char *kWarpStates = "warp_state.filter", *kStalls = "stall.filter",
                     *kPowerStates = "power_state.filter", *kInstructions = "instruction.filter",
                     *kUnits = "unit.filter";

// Text of the filter file for warp states. Each line has a value in hexadecimal digits, between question
// marks a background colour, and the word that GTKWave shows for the value.
constexpr const char* kWarpStateWords =
    "0 ?black?-\n1 ?green?issuing\n2 ?dark olive green?ready\n3 ?dark goldenrod?dependence\n"
    "4 ?orange red?memory\n5 ?medium orchid?fetch\n6 ?blue?barrier\n7 ?navy?fence\n8 ?dim gray?draining\n"
    "9 ?steel blue?async\n";

// Warm colours mean states that leak, cold colours states that save energy.
constexpr const char* kPowerStateWords =
    "0 ?dark olive green?on\n1 ?dark goldenrod?uncompensated\n2 ?navy?compensated\n3 ?orange red?waking up\n";

std::string stall_words(const std::vector<std::string>& reasons) {
  std::string text;
  for (std::size_t r = 0; r < reasons.size(); ++r) text += fmt::format("{:x} {}\n", r, reasons[r]);
  return text + "f ?green?issued\n";
}

// Returns the filter file for instructions. The values in the file have leading zeros, because GTKWave
// compares them with the digits that it shows.
std::string instruction_words(const WavePrograms& programs) {
  constexpr int kDigits = (WavePrograms::kPcBits + WavePrograms::kNumberBits) / 4;
  std::string text;
  for (const auto& program : programs.all())
    for (std::uint32_t pc = 0; pc < program->code.size(); ++pc)
      text += fmt::format("{:0{}x} {} {}{}\n", programs.level(*program, pc).bits, kDigits, pc,
                          isa::to_string(program->code[pc]),
                          programs.all().size() > 1 ? " (" + ptx::plain_name(program->kernel) + ")" : "");
  return text;
}

std::string unit_words(const std::vector<std::string>& names) {
  constexpr std::size_t kMostOfOneDigit = 16;
  const int digits = names.size() > kMostOfOneDigit ? 2 : 1;
  std::string text;
  for (std::size_t u = 0; u < names.size(); ++u) text += fmt::format("{:0{}x} {}\n", u, digits, names[u]);
  return text;
}

struct Group {
  const char* title;
  /// Returns true if the group shows this signal. `name`: the signal's name without the SM's prefix.
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
    case WaveStyle::instruction:
      text = fmt::format("@{:x}\n^4 {}\n", kTranslated, kInstructions);
      break;
    case WaveStyle::unit:
      text = fmt::format("@{:x}\n^5 {}\n", kTranslated, kUnits);
      break;
    case WaveStyle::mask:
      text = fmt::format("@{:x}\n", kHex);
      break;
    case WaveStyle::number:
      text = fmt::format("@{:x}\n", kDecimal);
      break;
  }
  // The alias is the name without the SM. Without an alias, GTKWave shows only the part after the last dot.
  std::string alias = signal.name.substr(signal.name.find('.') + 1);
  std::replace(alias.begin(), alias.end(), '.', ' ');
  return text + fmt::format("+{{{}}} {}{}\n", alias, signal.name,
                            signal.width > 1 ? fmt::format("[{}:0]", signal.width - 1) : "");
}

// Returns the lines of the save file for each warp with changed signals. `begin`: the name of the SM and a
// dot, such as "sm0.".
std::map<std::string, std::string> warp_traces(const std::vector<WaveRecorder::Recorded>& recorded,
                                               const std::string& begin) {
  std::map<std::string, std::string> traces;
  for (const auto& signal : recorded) {
    if (!signal.toggled || !begins(signal.name, (begin + "warp").c_str())) continue;
    traces["warp " + signal.name.substr(begin.size() + 4, 2)] += trace(signal);
  }
  return traces;
}

}  // namespace

std::vector<std::string> gtkwave_files(const std::string& vcd_file) {
  return {vcd_file.substr(0, vcd_file.rfind('.')) + ".gtkw",
          kWarpStates,
          kStalls,
          kPowerStates,
          kInstructions,
          kUnits};
}

void write_gtkwave(run::OutFolder& folder, const std::string& vcd_file, const WaveRecorder& waves,
                   const std::vector<std::string>& stall_reasons) {
  const std::vector<WaveRecorder::Recorded> recorded = waves.recorded();
  std::string sm;
  for (const auto& signal : recorded)
    if (sm.empty() && signal.toggled) sm = signal.name.substr(0, signal.name.find('.') + 1);
  constexpr double kZoom = 5.85;  // zoom at which a screen shows about 300 cycles
  std::string text = fmt::format(
      "[*] Opens {0} on the warp timeline: gtkwave {0} {1}, in the folder of both\n[dumpfile] \"{0}\"\n"
      "[timestart] {2}\n[size] 1600 1000\n[pos] -1 -1\n*-{3:.6f} {2}\n[signals_width] 260\n",
      vcd_file, gtkwave_files(vcd_file)[0], waves.first_cycle(), kZoom);
  const std::string title = sm.empty() ? "" : sm.substr(0, sm.size() - 1) + " ";
  const auto add = [&](bool open, const std::string& group, const std::string& traces) {
    if (traces.empty()) return;
    text += fmt::format("{0}\n-{2}{3}\n{4}{1}\n-{2}{3}\n", open ? kOpenBegin : kClosedBegin,
                        open ? kOpenEnd : kClosedEnd, title, group, traces);
  };
  for (const Group& group : kGroups) {
    std::string traces;
    for (const auto& signal : recorded)
      if (signal.toggled && begins(signal.name, sm.c_str()) && group.holds(signal.name.substr(sm.size())))
        traces += trace(signal);
    add(true, group.title, traces);
    if (&group == kGroups)
      for (const auto& [warp, of_warp] : warp_traces(recorded, sm)) add(false, warp, of_warp);
  }
  folder.write(gtkwave_files(vcd_file)[0], text);
  folder.write(kWarpStates, kWarpStateWords);
  folder.write(kStalls, stall_words(stall_reasons));
  folder.write(kPowerStates, kPowerStateWords);
  folder.write(kInstructions, instruction_words(waves.programs()));
  folder.write(kUnits, unit_words(waves.unit_names()));
}

}  // namespace heddle::output

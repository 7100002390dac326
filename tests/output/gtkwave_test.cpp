// GTKWave's tools must be able to read the waveform. Every signal of the .gtkw file must be in the waveform
// and change.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/output/observed_run.h"
#include "tests/output/vcd_file.h"

namespace heddle::output {
namespace {

struct SaveFile {
  std::vector<std::string> signals, groups;
  std::set<std::string> filters;
  std::string dump;
};

SaveFile read_save_file(const std::string& text) {
  SaveFile file;
  std::istringstream in(text);
  bool begins = false;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("[dumpfile]", 0) == 0)
      file.dump = line.substr(line.find('"') + 1, line.rfind('"') - line.find('"') - 1);
    if (line.empty() || line[0] == '[' || line[0] == '*') continue;
    if (line[0] == '@')
      begins = line == "@800200";
    else if (line[0] == '^')
      file.filters.insert(line.substr(line.find(' ') + 1));
    else if (line[0] == '-') {
      if (begins) file.groups.push_back(line.substr(1));
    } else
      file.signals.push_back(line.substr(line[0] == '+' ? line.find("} ") + 2 : 0));
  }
  return file;
}

TEST(GtkWave, ShowsSignalsThatAreInTheWaveformAndChange) {
  ObservedRun run("reduction", {"output.vcd.enabled=true"});
  const SaveFile save = read_save_file(run.text("waves.gtkw"));
  EXPECT_EQ(save.dump, "waves.vcd");
  EXPECT_EQ(save.groups,
            (std::vector<std::string>{"sm0 warp states", "sm0 scheduler picks", "sm0 operand collectors",
                                      "sm0 register banks", "sm0 units", "sm0 load/store and memory",
                                      "sm0 CTA slots"}));
  for (const std::string& filter : save.filters) EXPECT_TRUE(run.has(filter)) << filter;
  EXPECT_EQ(save.filters.size(), 4u);

  const std::string fst = run.file("waves.fst"), back = run.file("back.vcd");
  ASSERT_EQ(std::system(("vcd2fst " + run.file("waves.vcd") + " " + fst + " >/dev/null 2>&1").c_str()), 0)
      << "vcd2fst (package gtkwave) fails or is missing";
  ASSERT_EQ(std::system(("fst2vcd -f " + fst + " -o " + back + " >/dev/null 2>&1").c_str()), 0);
  const VcdFile waves = read_vcd(run.text("back.vcd"));
  ASSERT_GT(save.signals.size(), 100u);
  for (const std::string& entry : save.signals) {
    const std::size_t bracket = entry.find('[');
    const auto signal = waves.signals.find(entry.substr(0, bracket));
    ASSERT_NE(signal, waves.signals.end()) << entry;
    EXPECT_TRUE(signal->second.toggles()) << entry;
    const int width = bracket == std::string::npos ? 1 : std::stoi(entry.substr(bracket + 1)) + 1;
    EXPECT_EQ(signal->second.width, width) << entry;
  }
}

TEST(GtkWave, EveryStateHasAWord) {
  ObservedRun run("reduction", {"output.vcd.enabled=true", "output.vcd.select=**.state,**.stall"});
  const auto words = [&](const char* file) {
    std::set<std::string> keys;
    std::istringstream in(run.text(file));
    for (std::string line; std::getline(in, line);) keys.insert(line.substr(0, line.find(' ')));
    return keys;
  };
  const std::set<std::string> states = words("warp_state.filter"), stalls = words("stall.filter");
  for (const auto& [name, signal] : read_vcd(run.text("waves.vcd")).signals)
    for (const auto& [time, bits] : signal.changes) {
      if (bits == "x") continue;
      std::ostringstream hex;
      hex << std::hex << std::stoul(bits, nullptr, 2);
      EXPECT_TRUE((name.ends_with(".stall") ? stalls : states).count(hex.str())) << name << " " << hex.str();
    }
}

// The SM has 17 units, numbered from 0, so the last number is hexadecimal 10. GTKWave therefore shows all
// unit numbers with two digits, and the filter file must also have two digits.
TEST(GtkWave, UnitsHaveAsManyDigitsAsTheSignal) {
  ObservedRun run("reduction", {"output.vcd.enabled=true", "output.vcd.select=**.unit",
                                "gpu.sm.units.clusters=7", "gpu.sm.units.sfu_units=2"});
  const std::string words = run.text("unit.filter");
  EXPECT_EQ(words.substr(0, 3), "00 ") << words;
  EXPECT_NE(words.find("\n10 load_store\n"), std::string::npos) << words;
}

}  // namespace
}  // namespace heddle::output

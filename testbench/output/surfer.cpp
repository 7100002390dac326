#include "testbench/output/surfer.h"

#include <fmt/format.h>

namespace heddle::output {

std::string surfer_file(const std::string& vcd_file) {
  return vcd_file.substr(0, vcd_file.rfind('.')) + ".sucl";
}

void write_surfer(run::OutFolder& folder, const std::string& vcd_file, const WaveRecorder& waves) {
  std::string text = fmt::format("load_file {}\n", vcd_file), sm, scope;
  for (const WaveRecorder::Recorded& signal : waves.recorded()) {
    if (!signal.toggled) continue;
    if (sm.empty()) sm = signal.name.substr(0, signal.name.find('.') + 1);
    if (!signal.name.starts_with(sm + "warp")) continue;
    const std::string warp = signal.name.substr(0, signal.name.rfind('.'));
    if (warp != scope) text += fmt::format("divider_add {}\n", warp);
    scope = warp;
    text += fmt::format("variable_add {}\n", signal.name);
  }
  folder.write(surfer_file(vcd_file), text + "zoom_fit\n");
}

}  // namespace heddle::output

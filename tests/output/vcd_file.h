#pragma once

// Reads a waveform file in the VCD format (value change dump).

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heddle::output {

struct VcdFile {
  struct Signal {
    int width = 0;
    std::vector<std::pair<std::uint64_t, std::string>> changes;
    bool toggles() const;
  };
  std::string timescale;
  std::map<std::string, Signal> signals;
  std::uint64_t first = 0, last = 0;
  bool in_order = true;
};

VcdFile read_vcd(const std::string& text);

}  // namespace heddle::output

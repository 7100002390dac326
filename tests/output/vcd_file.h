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
    /// changes of the signal: time, and bits without leading zeros
    std::vector<std::pair<std::uint64_t, std::string>> changes;
    bool toggles() const;  ///< returns true if the signal has two different values other than x
  };
  std::string timescale;
  /// signals, indexed by name with scopes, for example "sm0.warp00.state"
  std::map<std::string, Signal> signals;
  std::uint64_t first = 0, last = 0;  ///< first and last time in the file
  bool in_order = true;               ///< true: the times in the file never decrease
};

VcdFile read_vcd(const std::string& text);

}  // namespace heddle::output

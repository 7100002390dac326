#pragma once

// Reads a value change dump.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heddle::output {

struct VcdFile {
  struct Signal {
    int width = 0;
    std::vector<std::pair<std::uint64_t, std::string>> changes;  ///< time, and bits without leading zeros
    bool toggles() const;  ///< true if it has two different values other than x
  };
  std::string timescale;
  std::map<std::string, Signal> signals;  ///< by name with scopes: "sm0.warp00.state"
  std::uint64_t first = 0, last = 0;      ///< times
  bool in_order = true;                   ///< times never decrease
};

VcdFile read_vcd(const std::string& text);

}  // namespace heddle::output

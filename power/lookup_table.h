#pragma once

// A table of published values, such as the access energy for several numbers of entries. Look-ups interpolate
// linearly over one or more axes. The values are nested lists; the outermost list is the first axis.

#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::power {

class LookupTable {
 public:
  /// Reads {"axes": [{"name": ..., "at": [...]}, ...], "values": [...], "outside": "error" | "clamp" |
  /// "extrapolate", "source" or "assumed": ...}. Throws Error for unknown keys, axis points that do not
  /// increase, and lists of wrong length.
  explicit LookupTable(const ConfigNode& node);

  std::size_t axes() const { return axes_.size(); }
  /// Returns the value at the coordinates `at` (one coordinate for each axis). Throws Error, with the
  /// location `where`, for a coordinate outside its axis, unless the key "outside" of the table allows it.
  double value(const std::vector<double>& at, const std::string& where) const;
  /// Returns each coordinate that lies far outside its axis, for example "entries = 192 (1 to 64)". Far
  /// outside means above 1.5 times the last point, or below the first point divided by 1.5. Returns an empty
  /// text if no coordinate lies far outside, or if the table does not allow coordinates outside.
  std::string far_outside(const std::vector<double>& at) const;

 private:
  struct Axis {
    std::string name;
    std::vector<double> points;
  };
  void read_values(const ConfigNode& node, std::size_t axis);
  double value_below(const std::vector<double>& at, std::size_t axis, std::size_t offset) const;

  std::string outside_;
  std::vector<Axis> axes_;
  std::vector<double> values_;
};

}  // namespace heddle::power

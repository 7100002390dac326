#pragma once

// A table of published values with linear interpolation, such as access energy by entries or wire energy by
// distance. It has one or more axes. The values are nested lists, with the first axis outermost.

#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::power {

class LookupTable {
 public:
  /// Reads a table from {"axes": [{"name": ..., "at": [...]}, ...], "values": [...], "outside": "error" |
  /// "clamp" | "extrapolate", "source" or "assumed": ...}. Throws Error for unknown keys, for axis points
  /// that do not increase, and for lists whose lengths do not match the axes.
  explicit LookupTable(const ConfigNode& node);

  std::size_t axes() const { return axes_.size(); }
  /// Returns the interpolated value. `at`: one coordinate for each axis. Throws Error at `where` if a
  /// coordinate is outside the points of its axis, unless "outside" allows it.
  double value(const std::vector<double>& at, const std::string& where) const;
  /// Returns a text that names the coordinates far outside the points of their axis, for example "entries =
  /// 192 (1 to 64)". A coordinate is far outside if it is above 1.5 times the last point, or below the first
  /// point divided by 1.5. If there is none, or if the table does not allow coordinates outside, the text is
  /// empty.
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
  std::vector<double> values_;  ///< values in one array; the last axis varies fastest
};

}  // namespace heddle::power

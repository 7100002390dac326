#pragma once

// A table of published points with linear interpolation, such as access energy by entries or wire energy by
// distance. It has one or more axes; the values are nested lists, the first axis outermost.

#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::power {

class LookupTable {
 public:
  /// Reads {"axes": [{"name": ..., "at": [...]}, ...], "values": [...], "outside": "error" | "clamp" |
  /// "extrapolate", "source" or "assumed": ...}. Throws Error for unknown keys, points that do not increase,
  /// and lists whose lengths differ from the axes.
  explicit LookupTable(const ConfigNode& node);

  std::size_t axes() const { return axes_.size(); }
  /// `at` has one value per axis. Throws Error at `where` for points outside of the table, unless "outside"
  /// allows them.
  double value(const std::vector<double>& at, const std::string& where) const;
  /// For tables that allow points outside: the values of `at` that are above 1.5 times the last point of
  /// their axis, or below the first point divided by 1.5: "entries = 192 (1 to 64)". Otherwise "".
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
  std::vector<double> values_;  ///< the last axis varies fastest
};

}  // namespace heddle::power

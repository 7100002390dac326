#pragma once

// A table of published points, read between them by straight lines: access energy over entries, wire energy
// over distance. One axis or several; the values are nested lists, the first axis outermost.

#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::power {

class LookupTable {
 public:
  /// Reads {"axes": [{"name": ..., "at": [...]}, ...], "values": [...], "outside": "error" | "clamp" |
  /// "extrapolate", "source" or "assumed": ...}. Throws Error for unknown keys, points that do not rise, and
  /// lists of other lengths than the axes.
  explicit LookupTable(const ConfigNode& node);

  std::size_t axes() const { return axes_.size(); }
  /// `at` has one value an axis. Throws Error, at `where`, outside of the table if that is not allowed.
  double value(const std::vector<double>& at, const std::string& where) const;
  /// Where a table goes on beyond its points, the values of `at` that lie beyond 1.5 times the last point of their axis,
  /// or below the first over 1.5: "entries = 192 (1 to 64)". Else "".
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
  std::vector<double> values_;  ///< the last axis runs fastest
};

}  // namespace heddle::power

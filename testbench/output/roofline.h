#pragma once

// The roofline of a run or a program. It shows the thread operations per cycle of each launch, next to the
// limits of the configuration. One limit is the peak rate of the units. The other limit is the bandwidth of a
// memory, multiplied by the launch's thread operations per byte.

#include <optional>
#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::output {

class HtmlPage;

struct RooflinePoint {
  std::string launch;  ///< position of the launch in the run; empty for a kernel of a program
  std::string kernel;
  std::string units;   ///< "INT" or "FP"
  std::string memory;  ///< "L1", "L2", "DRAM" or "memory"; empty if no memory has a bandwidth limit
  double operations = 0, bytes = 0, cycles = 0;
  double unit_rate = 0;    ///< peak of the units, in thread operations a cycle
  double memory_rate = 0;  ///< bandwidth of the memory, in bytes a cycle

  double rate() const { return operations / cycles; }
  /// Returns the thread operations per byte; nothing if the launch transferred no byte to or from this
  /// memory.
  std::optional<double> intensity() const;
  /// Returns the largest possible rate at this launch's intensity (thread operations per byte): the lower of
  /// the limits of units and memory.
  double roof() const;
};

/// Returns the points of the chart: launches with counters in a result.json, or kernels in a program.json.
/// There are no points for a memory without a bandwidth limit.
std::vector<RooflinePoint> roofline_of(const ConfigNode& result);

std::string make_roofline_csv(const std::vector<RooflinePoint>& points);

/// Adds charts and a table to a page. Adds nothing if there are no points.
void add_roofline(HtmlPage& page, const std::vector<RooflinePoint>& points);

}  // namespace heddle::output

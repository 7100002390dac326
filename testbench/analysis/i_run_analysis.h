#pragma once

// Interface of the analyses of a run. An analysis observes a run without changing it, and makes tables that
// describe the program's behaviour. An analysis works for any kernel and configuration. A new analysis needs
// one file and one line in CMakeLists.txt; `heddle run --analyze NAME` runs it.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/core/registry.h"

namespace heddle {

class Sm;

struct AnalysisTable {
  std::string name;   ///< key of the table in result files, such as "reads-per-value"
  std::string title;  ///< title of the table for readers, such as "Reads of a value"
  std::string unit;
  std::vector<std::pair<std::string, std::uint64_t>> bins;
  std::vector<std::pair<std::string, double>>
      figures;  ///< single numbers of the table, by key, such as {"mean_cycles", 789}

  std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const auto& [label, count] : bins) sum += count;
    return sum;
  }
};

class RunAnalysis {
 public:
  static constexpr const char* kFamily = "run analysis";
  static constexpr const char* kPlace = "output.analyses";
  struct Context {};

  virtual ~RunAnalysis() = default;

  /// Subscribes to the events of an SM. The run calls this function once for every SM before the first cycle.
  /// The function must not change the SM's behaviour.
  virtual void attach(Sm& sm) = 0;
  /// Returns the tables of the analysis, which cover all launches and SMs. The run calls this function once,
  /// after the last launch.
  virtual std::vector<AnalysisTable> tables() const = 0;
};

}  // namespace heddle

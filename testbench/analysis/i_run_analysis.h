#pragma once

// Analyses of a run: passive observers that make tables of what a program does, for any kernel and
// configuration. An analysis is one file and one line in CMakeLists.txt; `heddle run --analyze NAME` runs it.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/core/registry.h"

namespace heddle {

class Sm;

/// A histogram, with single figures next to it.
struct AnalysisTable {
  std::string name;   ///< key: "reads-per-value"
  std::string title;  ///< "Reads of a value"
  std::string unit;   ///< unit of the counts: "values"
  std::vector<std::pair<std::string, std::uint64_t>> bins;
  std::vector<std::pair<std::string, double>>
      figures;  ///< key and value of each figure: {"mean_cycles", 789}

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

  /// Subscribes to an SM. Called once for every SM before the first cycle. Must not change anything.
  virtual void attach(Sm& sm) = 0;
  /// Returns tables over all launches and SMs, after the run.
  virtual std::vector<AnalysisTable> tables() const = 0;
};

}  // namespace heddle

#pragma once

// Holds the analyses of a run (observers that count how the program uses registers). Returns their tables as
// JSON, CSV and Markdown.

#include <memory>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "models/gpu/gpu.h"
#include "testbench/analysis/i_run_analysis.h"

namespace heddle::analysis {

class AnalysisSet {
 public:
  /// Creates the analyses with these names. Throws Error for an unknown name.
  AnalysisSet(const std::vector<ConfigNode>& choices, Gpu& gpu);

  bool empty() const { return parts_.empty(); }
  /// Returns the tables of all analyses as a JSON tree: analysis, table, then bins and total. The example
  /// {"value-usage": {"reads-per-value": {"bins": {"1": 20, "2": 11}, "total": 31}}} has one analysis with
  /// one table.
  ConfigNode tree() const;
  /// Returns the tables as CSV, one row per bin: analysis, table, bin, count, share.
  std::string csv() const;
  std::string markdown() const;

 private:
  struct Part {
    std::string name, doc;
    std::unique_ptr<RunAnalysis> analysis;
  };
  std::vector<Part> parts_;
};

}  // namespace heddle::analysis

#pragma once

// Causes of differences between published and measured results (key "decides"). A cause is a change of the
// configuration that alone restores a published ranking ("order") or a published value ("level"), on all
// kernels of the paper's list. The stored runs show whether the change restores it.

#include <string>
#include <vector>

#include "testbench/experiment/figure_data.h"

namespace heddle::experiment {

struct JudgedCause {
  struct Row {
    std::string change;  ///< "none" for the values as measured
    std::vector<std::string> numbers;
    std::string result;
    bool as_published = false;
  };
  const Cause* cause = nullptr;
  std::string published;             ///< published value with unit; empty for a ranking
  std::vector<std::string> columns;  ///< names of the measured values
  std::vector<Row> rows;
  /// Reason why the results contradict the experiment file's key "decided_by"; empty if they agree.
  std::string failure;

  std::string verdict() const;
};

/// Returns true if a measured value counts as equal to the published value. The difference is then at most a
/// tenth of the published number or, for a percentage, at most one percentage point.
bool is_near(double measured, double published, const std::string& unit);

/// Judges the causes that the file states for the selected size of the experiment (such as `full`), if all
/// their figures were computed. Returns nothing if the command line selects kernels or sweep values.
std::vector<JudgedCause> judge_causes(const ExperimentFile& file, const std::vector<FigureData>& figures,
                                      const Published& published);

/// Returns the section "Causes" of a report; empty without causes.
std::string causes_text(const std::vector<JudgedCause>& causes);

}  // namespace heddle::experiment

#pragma once

// Writes the files of an experiment except the results of its runs: wide tables, a table and a plot for each
// figure, and the Markdown report. The files do not depend on the host, the time or the number of jobs.

#include <set>
#include <string>
#include <vector>

#include "testbench/experiment/figure_data.h"

namespace heddle::experiment {

/// Returns results-wide.csv: one row for each combination (kernel, variant, sweep, value), one column for
/// each metric or counter.
std::string wide_csv(const ExperimentFile& file, const Plan& plan, const Results& results);

/// Returns points.csv: for each combination of kernel, variant and sweep value, the state of its run and the
/// run's result file.
std::string points_csv(const ExperimentFile& file, const Plan& plan, const Results& results);

std::string figure_csv(const FigureData& data);

/// Describes a variant: the variant that it extends, techniques and parameters. `quote` surrounds names and
/// values.
std::string variant_text(const Variant& variant, const char* quote);

std::string combinations_text(const ExperimentFile& file);

struct ReportPictures {
  std::string folder;
  std::set<std::string> shown;
};

std::string report_text(const ExperimentFile& file, const Plan& plan, const Results& results,
                        const std::vector<FigureData>& figures, const Published& published,
                        const ReportPictures& pictures, const std::string& command);

}  // namespace heddle::experiment

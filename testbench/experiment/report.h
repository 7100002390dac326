#pragma once

// What an experiment writes beside its points: results.csv, a table and a plot a figure, and the Markdown
// report that puts measured beside published. Nothing in them depends on the host, the time of day or the
// number of jobs.

#include <set>
#include <string>
#include <vector>

#include "testbench/experiment/figure_data.h"

namespace heddle::experiment {

/// One row a place of the plan (kernel, variant, sweep, value), one column a metric or counter.
std::string results_csv(const ExperimentFile& file, const Plan& plan, const Results& results);

/// Which file of the folder "points" holds which run.
std::string points_csv(const ExperimentFile& file, const Plan& plan, const Results& results);

/// A figure's values with all their coordinates.
std::string figure_csv(const FigureData& data);

/// What a variant lays on the base: the variant that it is like, techniques, parameters. `quote` stands around names and
/// values.
std::string variant_text(const Variant& variant, const char* quote);

/// How many combinations of variants there are, by size; empty where there are none.
std::string combinations_text(const ExperimentFile& file);

/// Pictures that a report shows.
struct ReportPictures {
  std::string folder;           ///< relative to the report
  std::set<std::string> shown;  ///< IDs of figures
};

/// `command` is the command line that makes the report.
std::string report_text(const ExperimentFile& file, const Plan& plan, const Results& results,
                        const std::vector<FigureData>& figures, const Published& published,
                        const ReportPictures& pictures, const std::string& command);

}  // namespace heddle::experiment

#pragma once

// Writes the files of an experiment other than its runs' results: wide tables, a table and a plot for each
// figure, and the Markdown report of measured next to published values. The files do not depend on the host,
// the time or the number of jobs.

#include <set>
#include <string>
#include <vector>

#include "testbench/experiment/figure_data.h"

namespace heddle::experiment {

/// Returns results-wide.csv: one row for each place of the plan (kernel, variant, sweep, value), and one column
/// for each metric or counter.
std::string wide_csv(const ExperimentFile& file, const Plan& plan, const Results& results);

/// Returns a table that gives for each file of the folder "points" the run whose result the file holds.
std::string points_csv(const ExperimentFile& file, const Plan& plan, const Results& results);

/// Returns the values of a figure with all their coordinates.
std::string figure_csv(const FigureData& data);

/// Describes how a variant differs from the base: the variant named by `like`, techniques and parameters.
/// `quote` is put around names and values.
std::string variant_text(const Variant& variant, const char* quote);

/// Returns the number of combinations of variants by size; empty if there are none.
std::string combinations_text(const ExperimentFile& file);

/// The pictures that a report shows.
struct ReportPictures {
  std::string folder;           ///< path relative to the report
  std::set<std::string> shown;  ///< ids of the figures with a picture
};

/// `command`: the command line that makes the report.
std::string report_text(const ExperimentFile& file, const Plan& plan, const Results& results,
                        const std::vector<FigureData>& figures, const Published& published,
                        const ReportPictures& pictures, const std::string& command);

}  // namespace heddle::experiment

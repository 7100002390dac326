#pragma once

// Writes the files of an experiment except the results of its runs: wide tables (a column for each value), a
// table and a plot for each figure, and the Markdown report with measured next to published values. The files
// do not depend on the host, the time or the number of jobs.

#include <set>
#include <string>
#include <vector>

#include "testbench/experiment/figure_data.h"

namespace heddle::experiment {

/// Returns results-wide.csv: one row for each place of the plan (kernel, variant, sweep, value), and one column
/// for each metric or counter.
std::string wide_csv(const ExperimentFile& file, const Plan& plan, const Results& results);

/// Returns a table of the files in the folder "points": for each file, the run whose result it holds.
std::string points_csv(const ExperimentFile& file, const Plan& plan, const Results& results);

std::string figure_csv(const FigureData& data);

/// Describes a variant: the earlier variant that it extends, its techniques and its parameters. `quote` is
/// put around names and values.
std::string variant_text(const Variant& variant, const char* quote);

/// Returns how many combinations of variants the experiment has, by number of variants; empty if there are
/// none.
std::string combinations_text(const ExperimentFile& file);

/// The pictures that a Markdown report shows.
struct ReportPictures {
  std::string folder;           ///< folder of the pictures, relative to the report
  std::set<std::string> shown;  ///< ids of the figures for which the folder has a picture
};

/// `command`: the command line that makes this report. The report quotes the command.
std::string report_text(const ExperimentFile& file, const Plan& plan, const Results& results,
                        const std::vector<FigureData>& figures, const Published& published,
                        const ReportPictures& pictures, const std::string& command);

}  // namespace heddle::experiment

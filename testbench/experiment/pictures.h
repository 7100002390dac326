#pragma once

// Draws figures as SVG pictures: Node runs the chart script of the report page.

#include <set>
#include <string>
#include <vector>

#include "testbench/experiment/figure_data.h"

namespace heddle::experiment {

/// Returns true if Node is installed.
bool can_draw();

/// Writes ID.svg of all figures with a chart into the existing `folder`. Returns false after a failure, with
/// Node's message in `error`.
bool draw_pictures(const std::vector<FigureData>& figures, const Published& published,
                   const std::string& folder, std::string& error);

/// Returns the ids of figures with a chart.
std::set<std::string> charted(const std::vector<FigureData>& figures, const Published& published);

/// Returns the ids of at most three of the figures with a chart, for a page outside of the results' folder.
/// The page shows the figures to which its opening links most often, or the file's first figures if the
/// opening has no links.
std::set<std::string> argued_from(const ExperimentFile& file, const std::vector<FigureData>& figures,
                                  const Published& published);

}  // namespace heddle::experiment

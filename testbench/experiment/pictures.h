#pragma once

// Draws figures as SVG pictures: Node runs the chart script of the report page.

#include <set>
#include <string>
#include <vector>

#include "testbench/experiment/figure_data.h"

namespace heddle::experiment {

/// True if Node is installed.
bool can_draw();

/// Writes ID.svg of all figures with a chart into the existing `folder`. Returns false on failure, with
/// Node's message in `error`.
bool draw_pictures(const std::vector<FigureData>& figures, const Published& published,
                   const std::string& folder, std::string& error);

/// IDs of figures with a chart.
std::set<std::string> charted(const std::vector<FigureData>& figures, const Published& published);

/// IDs of at most three of these figures, for a page outside of the results' folder: the figures that the
/// page's opening links to most often, or the first ones in the file if it links to none.
std::set<std::string> argued_from(const ExperimentFile& file, const std::vector<FigureData>& figures,
                                  const Published& published);

}  // namespace heddle::experiment

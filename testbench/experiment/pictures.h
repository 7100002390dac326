#pragma once

// Figures as pictures: SVGs that Node draws by the script of the page's charts.

#include <set>
#include <string>
#include <vector>

#include "testbench/experiment/figure_data.h"

namespace heddle::experiment {

/// Is there a Node on this machine?
bool can_draw();

/// Writes ID.svg of all figures that have a chart into `folder`, which is there; false, with what Node said in `error`, if
/// it failed.
bool draw_pictures(const std::vector<FigureData>& figures, const Published& published,
                   const std::string& folder, std::string& error);

/// IDs of the figures that have a chart.
std::set<std::string> charted(const std::vector<FigureData>& figures, const Published& published);

/// IDs of at most three of them, for a page outside of the results' folder: those that the page's opening links to most often,
/// the first in the file's order if it links to none.
std::set<std::string> argued_from(const ExperimentFile& file, const std::vector<FigureData>& figures,
                                  const Published& published);

}  // namespace heddle::experiment

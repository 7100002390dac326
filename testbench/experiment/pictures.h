#pragma once

// Figures as pictures: SVGs that Node draws by the script of the page's charts.

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

}  // namespace heddle::experiment

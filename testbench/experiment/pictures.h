#pragma once

// Draws figures as SVG pictures: Node runs the chart script of the report page.

#include <set>
#include <string>
#include <vector>

#include "testbench/experiment/figure_data.h"

namespace heddle::experiment {

bool can_draw();

/// Draws every figure that has a chart into a file in the existing `folder`, named after the figure's id
/// ("ID.svg"). If Node.js fails, returns false and its message in `error`.
bool draw_pictures(const std::vector<FigureData>& figures, const Published& published,
                   const std::string& folder, std::string& error);

std::set<std::string> charted(const std::vector<FigureData>& figures, const Published& published);

/// Returns at most three figures with a chart, for a Markdown report outside of the results folder: the
/// figures to which the headlines and conclusions link most often. If they link to no chart, returns the first figure
/// with a chart.
std::set<std::string> argued_from(const ExperimentFile& file, const std::vector<FigureData>& figures,
                                  const Published& published);

}  // namespace heddle::experiment

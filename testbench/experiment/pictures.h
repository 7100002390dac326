#pragma once

// Draws figures as SVG pictures: Node runs the chart script of the report page.

#include <set>
#include <string>
#include <vector>

#include "testbench/experiment/figure_data.h"

namespace heddle::experiment {

/// Returns true if Node.js is installed. Node.js draws the pictures.
bool can_draw();

/// Draws every figure that has a chart as ID.svg in the existing `folder`. Returns false after a failure;
/// `error` then has the message of Node.js.
bool draw_pictures(const std::vector<FigureData>& figures, const Published& published,
                   const std::string& folder, std::string& error);

/// Returns the ids of the figures that have a chart.
std::set<std::string> charted(const std::vector<FigureData>& figures, const Published& published);

/// Returns the ids of at most three figures with a chart, for a Markdown report outside of the folder of
/// results. These are the figures to which the report's opening links most often, or the first figures of the
/// file if the opening has no links.
std::set<std::string> argued_from(const ExperimentFile& file, const std::vector<FigureData>& figures,
                                  const Published& published);

}  // namespace heddle::experiment

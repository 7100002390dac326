#pragma once

// Writes report.html of an experiment, a self-contained page: headlines, published means next to measured
// means, and every figure with plot and table.

#include <string>
#include <vector>

#include "testbench/experiment/figure_data.h"

namespace heddle::experiment {

std::string html_report(const ExperimentFile& file, const Plan& plan, const Results& results,
                        const std::vector<FigureData>& figures, const Published& published,
                        const std::string& command);

}  // namespace heddle::experiment

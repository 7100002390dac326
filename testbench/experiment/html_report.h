#pragma once

// report.html of an experiment: its verdict, measured beside published by means alone, then every figure with its
// plot and its table. It needs no other file.

#include <string>
#include <vector>

#include "testbench/experiment/figure_data.h"

namespace heddle::experiment {

std::string html_report(const ExperimentFile& file, const Plan& plan, const Results& results,
                        const std::vector<FigureData>& figures, const Published& published,
                        const std::string& command);

}  // namespace heddle::experiment

#pragma once

// A figure as a chart (output/chart.h): the page draws it, and so does the picture of a Markdown report.

#include <optional>

#include "testbench/experiment/figure_data.h"
#include "testbench/output/chart.h"

namespace heddle::experiment {

/// Nothing for tables, and where there is no value to draw.
std::optional<output::Chart> figure_chart(const FigureData& data, const Published& published);

}  // namespace heddle::experiment

#pragma once

// Converts a figure to a chart (output/chart.h), for report pages and for pictures of Markdown reports.

#include <optional>

#include "testbench/experiment/figure_data.h"
#include "testbench/output/chart.h"

namespace heddle::experiment {

/// Returns the chart of a figure; nothing for figures that are only tables or have no values.
std::optional<output::Chart> figure_chart(const FigureData& data, const Published& published);

}  // namespace heddle::experiment

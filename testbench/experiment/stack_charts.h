#pragma once

// Makes the charts of figures that compare techniques and combinations of techniques (stack_tables.h).

#include <optional>

#include "testbench/experiment/figure_data.h"
#include "testbench/output/chart.h"

namespace heddle::experiment {

/// Draws a figure that has a table of stack_tables.h, such as a figure of kind `pairs` or `waterfall`.
/// Returns nothing if the table has too few values.
std::optional<output::Chart> stack_chart(const FigureData& data);

}  // namespace heddle::experiment

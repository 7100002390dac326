#pragma once

// Charts of figures that compare techniques and combinations of techniques (stack_tables.h).

#include <optional>

#include "testbench/experiment/figure_data.h"
#include "testbench/output/chart.h"

namespace heddle::experiment {

/// Draws a figure for which is_stack_table() is true. Returns nothing if its table has too few values.
std::optional<output::Chart> stack_chart(const FigureData& data);

}  // namespace heddle::experiment

#pragma once

// Charts of figures that set techniques and their combinations beside each other (stack_tables.h).

#include <optional>

#include "testbench/experiment/figure_data.h"
#include "testbench/output/chart.h"

namespace heddle::experiment {

/// Of a figure for which is_stack_table() holds; nothing where its table has too little.
std::optional<output::Chart> stack_chart(const FigureData& data);

}  // namespace heddle::experiment

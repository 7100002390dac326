#pragma once

// Pictures of figures that set techniques and their combinations beside each other (stack_tables.h, study_tables.h).

#include <string>

#include "testbench/experiment/figure_data.h"

namespace heddle::experiment {

/// Commands of gnuplot, after the heading that all pictures have:
/// - pairs: a map of the table, blue below 1 and orange above; the colours end where nine of ten cells lie;
/// - waterfall: from 1 to the stack, a box a step, and a line at the product of each alone;
/// - tornado: how far every value moves the variant from the first one, farthest above.
/// Empty where no cell has a number, and for other kinds.
std::string stack_plot(const FigureData& data);

}  // namespace heddle::experiment

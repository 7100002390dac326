#pragma once

// Tables of figures that compare techniques and their combinations (docs/experiments.md): pairs, front,
// ranks.

#include "testbench/experiment/experiment_file.h"
#include "testbench/experiment/figure_cells.h"
#include "testbench/experiment/figure_table.h"

namespace heddle::experiment {

/// Means over kernels, after cells.fill(), in the form of the figure's kind:
/// - pairs: single variants along both sides. The diagonal has each variant alone, the upper half two
///   together, the lower half the two together divided by the product of each alone. A quotient below 1, of a
///   metric relative to a base, means that they save more together than expected from each alone.
/// - front: variants that no other variant beats or equals in both of the first two metrics while being lower
///   in one; sorted by the first metric, lowest first.
/// - ranks: for every variant its place among the figure's variants at each value of the sweep, 1 for the
///   lowest, after the best and the worst of these places; sorted by the worst, then by the sum. A variant
///   that lacks a value is left out.
/// - waterfall, tornado, winners, clusters: study_tables.h.
Table stack_table(const FigureCells& cells, const ExperimentFile& file);

/// True if a figure of this kind has such a table.
bool is_stack_table(FigureKind kind);

/// True if the table lists existing variants only, without refused ones.
bool lists_variants(FigureKind kind);

}  // namespace heddle::experiment

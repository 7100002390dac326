#pragma once

// Tables of figures that set techniques and their combinations beside each other (docs/experiments.md): pairs, front,
// ranks.

#include "testbench/experiment/experiment_file.h"
#include "testbench/experiment/figure_cells.h"
#include "testbench/experiment/figure_table.h"

namespace heddle::experiment {

/// Means over kernels, after cells.fill(), in the form that the figure's kind asks for:
/// - pairs: the figure's variants that are no combination along both sides. A variant alone stands on the diagonal, two
///   together above it, and below it the two together over the product of each: below 1, of a metric that is a ratio to
///   a base, they save more together than each alone would let expect.
/// - front: the variants of which no other is at most as high in both of the first two metrics, and lower in one; by the
///   first metric, lowest first.
/// - ranks: for every variant its place among the figure's variants at each value of the sweep, 1 for the lowest, after
///   the best and the worst of these places; by the worst, then by the sum. A variant without a value somewhere is left
///   out.
/// - waterfall, tornado, winners, clusters: study_tables.h.
Table stack_table(const FigureCells& cells, const ExperimentFile& file);

/// Whether a figure of this kind has such a table.
bool is_stack_table(FigureKind kind);

/// Whether such a table is a list of what there is, of which refused variants are no part.
bool lists_variants(FigureKind kind);

}  // namespace heddle::experiment

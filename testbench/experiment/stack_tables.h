#pragma once

// Tables of figures that compare techniques and combinations of techniques (docs/experiments.md): pairs,
// front, ranks.

#include "testbench/experiment/experiment_file.h"
#include "testbench/experiment/figure_cells.h"
#include "testbench/experiment/figure_table.h"

namespace heddle::experiment {

/// Returns means over kernels, after cells.fill(), in the form of the figure's kind:
/// - pairs: single variants along both sides. The diagonal has each variant alone. The upper half has two
///   together; the lower half divides this by the product of each alone. For a metric relative to a base, a
///   quotient below 1 means that the two save more together than expected from each alone.
/// - front: variants that no other variant beats or equals in both of the first two metrics while being lower
///   in one. They are sorted by the first metric, lowest first.
/// - ranks: for every variant its place among the figure's variants at each value of the sweep, 1 for the
///   lowest, after the best and the worst of these places. Rows are sorted by the worst place, then by the
///   sum. A variant that lacks a value is left out.
/// - waterfall, tornado, winners, clusters: study_tables.h.
Table stack_table(const FigureCells& cells, const ExperimentFile& file);

/// Returns true if figures of this kind have one of the tables pairs, front, ranks or those of
/// study_tables.h.
bool is_stack_table(FigureKind kind);

/// Returns true if each row of the table is a variant that was run. Variants whose techniques cannot be
/// combined have no row.
bool lists_variants(FigureKind kind);

}  // namespace heddle::experiment

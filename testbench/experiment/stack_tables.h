#pragma once

// Makes the tables of figures that compare techniques and combinations of techniques. The kinds of figures
// are pairs, front and ranks (docs/formats/experiment.md).

#include "testbench/experiment/experiment_file.h"
#include "testbench/experiment/figure_cells.h"
#include "testbench/experiment/figure_table.h"

namespace heddle::experiment {

/// Returns a table of means over kernels, in the form of the figure's kind. Call cells.fill() before.
/// - pairs: single variants along both sides. The diagonal has the metric of each variant alone. The upper
///   half has the metric of two variants together. The lower half has this metric divided by the product of
///   the metrics of each variant alone. For a metric relative to a base, a quotient below 1 means that the
///   two variants save more together than the product predicts.
/// - front: variants that no other variant beats. A variant beats another variant if neither of its first two
///   metrics is higher, and at least one of them is lower. These variants are sorted by the first metric.
/// - ranks: the rank of every variant among the figure's variants at each value of the sweep. The variant
///   with the lowest metric has rank 1. The first two columns are the best and the worst rank of the variant.
///   Rows are sorted by the worst rank, then by the sum of ranks. A variant that lacks a value is left out.
/// - waterfall, tornado, winners, clusters: study_tables.h.
Table stack_table(const FigureCells& cells, const ExperimentFile& file);

bool is_stack_table(FigureKind kind);

/// Returns true if each row of a table of this kind stands for one variant.
bool lists_variants(FigureKind kind);

}  // namespace heddle::experiment

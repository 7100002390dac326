#pragma once

// Tables of figures that say what a study came to (docs/experiments.md): waterfall, tornado, winners, clusters.

#include "testbench/experiment/experiment_file.h"
#include "testbench/experiment/figure_cells.h"
#include "testbench/experiment/figure_table.h"

namespace heddle::experiment {

/// Means over kernels, after cells.fill():
/// - waterfall: how a stack (`of`) comes about from its variants. Each row adds the variant, or where no such stack is
///   among the figure's variants the fewest together, with which the first metric is lowest; columns are its step in the
///   first metric, what the stack would lose of it without this variant alone, and all metrics so far. The last row is the
///   product of each variant alone, of metrics that are ratios to a base.
/// - tornado: a row for every value of the sweep but the first, by how far it moves the metric of one variant (`of`)
///   from what it is at the first, farthest first; beside it the variant that is lowest there, its metric, and the place of
///   `of`.
/// - winners: a row for every kernel, and one for the mean: the variants with the lowest metric, with it.
/// - clusters: kernels by their metrics, as choose_medoids() groups them (clusters.h), each scaled to a standard deviation
///   of 1 over kernels; a row for every group by its most central kernel, with its size, the largest distance to it, all its
///   kernels, and the central kernel's metrics.
Table study_table(const FigureCells& cells, const ExperimentFile& file);

bool is_study_table(FigureKind kind);

}  // namespace heddle::experiment

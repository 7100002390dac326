#pragma once

// Tables of figures that summarise a study (docs/experiments.md): waterfall, tornado, winners, clusters.

#include "testbench/experiment/experiment_file.h"
#include "testbench/experiment/figure_cells.h"
#include "testbench/experiment/figure_table.h"

namespace heddle::experiment {

/// Returns means over kernels, after cells.fill():
/// - waterfall: composition of a stack (`of`) from its variants. Each row adds the variant that gives the
///   lowest first metric, or the fewest variants together if the figure lacks such a stack. Columns: the step
///   in the first metric, the loss of the whole stack without this variant alone, and all metrics so far. The
///   last row is the product of each variant alone, for metrics relative to a base.
/// - tornado: one row for every value of the sweep except the first, sorted by the change of one variant's
///   (`of`) metric from its first value, largest first. Columns also name the variant that is lowest at this
///   value, its metric, and the place of `of`.
/// - winners: one row for every kernel and one for the mean: the variants with the lowest metric, and its
///   value.
/// - clusters: kernels grouped by their metrics with choose_medoids() (clusters.h), each metric scaled to a
///   standard deviation of 1 over kernels. One row for each group: its central kernel, its size, the largest
///   distance to the centre, all its kernels, and the central kernel's metrics.
Table study_table(const FigureCells& cells, const ExperimentFile& file);

bool is_study_table(FigureKind kind);

}  // namespace heddle::experiment

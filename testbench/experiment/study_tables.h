#pragma once

// Makes the tables of figures that summarise a study. The kinds of figures are waterfall, tornado, winners
// and clusters (docs/formats/experiment.md).

#include "testbench/experiment/experiment_file.h"
#include "testbench/experiment/figure_cells.h"
#include "testbench/experiment/figure_table.h"

namespace heddle::experiment {

/// Returns a table of means over kernels, in the form of the figure's kind. Call cells.fill() before.
/// - waterfall: composition of a stack (`of`) from its variants. Each row adds the variant that gives the
///   lowest first metric. If the figure has no stack with just one more variant, the row adds as few variants
///   as possible. Columns: the change of the first metric; the first metric of the whole stack without the
///   row's variants, minus the first metric of the whole stack; all metrics of the variants added so far. The
///   last row is the product of the metrics of each variant alone, for metrics relative to a base.
/// - tornado: one row for every value of the sweep. The first row has the first value. The other values are
///   sorted by how much they change the metric of one variant (`of`), compared with the first value; the
///   largest change comes first. Columns: the metric of `of`, this change, the rank of `of` among all
///   variants at this value, the variant with the lowest metric, and its metric.
/// - winners: one row for every kernel and one for the mean. Columns: the variants with the lowest metric,
///   and the value of each.
/// - clusters: kernels grouped by their metrics with choose_medoids() (clusters.h), each metric scaled to a
///   standard deviation of 1 over kernels. One row for each group: the central kernel, the number of kernels,
///   the largest distance to the centre, all kernels of the group, and the metrics of the central kernel.
Table study_table(const FigureCells& cells, const ExperimentFile& file);

bool is_study_table(FigureKind kind);

}  // namespace heddle::experiment

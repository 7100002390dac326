#pragma once

// Tables of figures that summarise a study (docs/formats/experiment.md): waterfall, tornado, winners,
// clusters.

#include "testbench/experiment/experiment_file.h"
#include "testbench/experiment/figure_cells.h"
#include "testbench/experiment/figure_table.h"

namespace heddle::experiment {

/// Returns means over kernels, after cells.fill():
/// - waterfall: composition of a stack (`of`) from its variants. Each row adds the variant that gives the
///   lowest first metric. If the figure lacks the stack with one more variant, the row adds the fewest
///   variants. Columns: the step in the first metric, the loss of the whole stack without this variant alone,
///   and all metrics so far. The last row is the product of the metrics of each variant alone, for metrics
///   relative to a base.
/// - tornado: one row for every value of the sweep except the first. Rows are sorted by the change of the
///   metric of one variant (`of`) from its first value, largest first. Further columns: the rank of `of`
///   among all variants at this value, the lowest variant, and the metric of the lowest variant.
/// - winners: one row for every kernel and one for the mean. Columns: the variants with the lowest metric,
///   and the value of each.
/// - clusters: kernels grouped by their metrics with choose_medoids() (clusters.h), each metric scaled to a
///   standard deviation of 1 over kernels. One row for each group: the central kernel, the number of kernels,
///   the largest distance to the centre, all kernels of the group, and the metrics of the central kernel.
Table study_table(const FigureCells& cells, const ExperimentFile& file);

bool is_study_table(FigureKind kind);

}  // namespace heddle::experiment

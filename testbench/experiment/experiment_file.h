#pragma once

// Contents of an experiment's JSON file (docs/experiments.md): variants x kernels x sweeps, and the figures
// that show their results.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/experiment/metric_expression.h"
#include "testbench/run/scenario.h"

namespace heddle::experiment {

/// A parameter's path and its new value, as --set takes them.
struct Assignment {
  std::string path;
  ConfigNode value;
};
using Assignments = std::vector<Assignment>;

struct Kernel {
  std::string name;
  std::string launch;  ///< path of the launch file, absolute or relative to the working folder
  Assignments sets;
};

struct Variant {
  std::string name, doc, like;
  std::vector<ConfigNode> with;  ///< techniques that the variant adds to the experiment's base configuration
  std::vector<std::string>
      combines;  ///< variants of which this combination consists; empty if the variant is no combination
  /// Techniques that the variant adds to those of the variant in its key `like`.
  std::vector<std::string> own_with;
  Assignments own;   ///< settings that the variant adds to those of the variant in its key `like`
  Assignments sets;  ///< all settings, including those of the variant in the key `like`
  std::string where;
};

struct SweepValue {
  std::string label;
  Assignments sets;
  std::vector<std::pair<std::string, Assignments>>
      more;  ///< settings only for variants whose names match a pattern
  std::string where;
  /// True: no figure shows the value. The value is used only by base runs (runs to which others are
  /// compared).
  bool base_only = false;

  Assignments sets_of(const std::string& variant) const;
};

struct Sweep {
  std::string name, title;
  std::vector<SweepValue> values;
  std::vector<std::string> variants;  ///< variants to which the sweep applies
  std::vector<std::string> kernels;   ///< kernels of the experiment's size to which the sweep applies
  std::vector<SweepValue> left_out;   ///< values of the file that --sweep leaves out
  std::string where;

  /// Returns the labels of the values that figures show.
  std::vector<std::string> labels() const;
  /// Returns a value of the file that no figure shows; nullptr for another label.
  const SweepValue* find_left_out(const std::string& label) const;
};

/// The cell of a table next to which a published figure is shown. An empty name means that the table has only
/// one variant, value or metric. An empty kernel means the mean over kernels.
struct PublishedPlace {
  std::string id;
  int item = -1;  ///< index, if the published figure is a list of values
  std::string variant, value, metric, kernel;
  /// Unless none: the published figure is compared with the sweep value at which the metric is lowest or
  /// highest.
  enum class Best { none, lowest, highest } best = Best::none;
  std::string where;
};

struct Metric {
  std::string name;   ///< name of the metric in expressions and figures
  std::string label;  ///< name of the metric in tables and charts
  MetricExpression expression;
};

/// Published ranking of variants by a metric, or of a sweep's values for one variant, lowest first.
struct Order {
  /// The ranked variants, lowest first. If sweep values are ranked, the list has only the variant of these
  /// values.
  std::vector<std::string> variants;
  /// The ranked sweep values, lowest first; empty if variants are ranked.
  std::vector<std::string> values;
  std::string metric;  ///< metric by which the figure ranks; empty: the only metric of the figure
};

enum class FigureKind {
  table,
  bars,
  stacked,
  lines,
  scatter,
  histogram,
  pairs,
  front,
  ranks,
  waterfall,
  tornado,
  winners,
  clusters
};
/// Returns true if a figure of this kind has a table but no chart.
bool has_table_alone(FigureKind kind);
enum class Dimension { kernel, variant, value, metric };
/// geometric_saving: mean of savings in percent, 100 minus the geometric mean of 100 - saving.
enum class Mean { none, arithmetic, geometric, geometric_saving, minimum, maximum };

struct Figure {
  std::string id, title, paper, note, unit, x_title, where;
  FigureKind kind = FigureKind::bars;
  std::vector<Metric>
      metrics;  ///< x and y of a scatter plot, which has one point for each value of the sweep or each kernel
  std::string histogram;  ///< pattern of counters, one counter per bin of the histogram; replaces `metrics`
  std::vector<Dimension> rows, columns;
  std::vector<std::string> variants;
  std::string sweep;  ///< name of the sweep; empty: the figure shows the runs that belong to no sweep
  std::vector<std::string> kernels;
  std::optional<MetricExpression> only_kernels_where;
  std::string relative_to, relative_value;
  std::string of;  ///< variant that a waterfall or a tornado describes
  /// The figure names results of a search for stacks that has not ended, so the figure cannot be drawn yet.
  bool pending = false;
  bool searches = false;  ///< The figure names variants that a search for stacks has found.
  Mean mean = Mean::arithmetic;
  int digits = 1;
  int first =
      /// Number of rows in a front or ranks table, number of ranks in a winners table, or number of clusters.
      /// 0: all rows, or 2 ranks.
      0;
  std::vector<PublishedPlace> published;
  std::vector<Order> orders;
  std::vector<Metric> explained_by;
  /// Published values and orders that --sweep or --kernels leaves out, as texts and as places.
  std::vector<std::string> left_out;
  std::vector<PublishedPlace> left_out_places;
};

/// Goal of a search: the stack of techniques with the lowest mean of a metric over kernels. If the goal has a
/// limit, only stacks whose mean of another metric is within the limit count.
struct SearchGoal {
  std::string name, metric;
  std::string limit;  ///< metric to which the limit applies; empty: no limit
  double at_most = 0;
};

/// A search for good stacks of techniques. It builds stacks from the best smaller stacks (stack_search.h).
struct Search {
  std::string name, where;
  std::vector<std::string> from;  ///< variants that a search may combine
  std::vector<SearchGoal> goals;
  int keep = 8;   ///< number of stacks of each size that are kept for each goal, to build the next size
  int up_to = 4;  ///< largest number of variants that a search combines
  int best = 10;  ///< number of best stacks that a search returns for each goal
  Figure figure;  ///< figure that holds the metrics of all stacks that a search tries
};

/// Values of a sweep that replace those of the file (--sweep).
struct SweepChoice {
  std::string sweep;
  std::vector<ConfigNode> values;  ///< names of values of the file, new values, or objects as in the file
  std::string where;
};

/// Additions of the command line to an experiment file.
struct Additions {
  std::vector<SweepChoice> sweeps;      ///< sweeps whose values --sweep replaces
  std::vector<std::string> kernels;     ///< names or patterns of --kernels; empty: all kernels of the size
  std::vector<std::string> techniques;  ///< files of users' own techniques (--with)
  run::Flags flags;                     ///< parameters that options of the command line set in all runs
  std::vector<std::string> sets;        ///< settings of all runs by --set, "path.key=value"
  /// Combinations that searches try, each a list of variant names.
  std::vector<std::vector<std::string>> stacks;
  /// Results of finished searches by name, best first: "search" has the best stacks for the first goal,
  /// "search:goal" the best stacks for each goal.
  std::map<std::string, std::vector<std::string>> found;
};

/// Position of a figure's value: the mean over the figure's kernels, or the value of one kernel.
struct FigurePlace {
  /// Variant, sweep value and metric are empty if the figure has only one.
  std::string figure, variant, value, metric;
  std::string kernel;  ///< kernel of the value; empty: the mean over kernels
  std::string where;
};

/// One line at the top of a report: published and measured values of one quantity.
struct Headline {
  std::string label;
  std::string published;  ///< id of the published figure with which the headline compares; may be empty
  int item = -1;
  /// Positions of the measured values, one for each column of the opening.
  std::vector<FigurePlace> measured;
};

/// The opening of a report: about half a page of results and conclusions before the figures.
struct Opening {
  /// Sizes of the experiment (such as "full") whose results the paragraphs quote.
  std::vector<std::string> sizes;
  std::vector<std::string> columns;  ///< headings of the columns with measured values
  std::vector<Headline> headlines;
  std::vector<std::string> holds, differs, decides, open;
  std::vector<PublishedPlace> published;  ///< ids of published figures that the paragraphs quote
  /// Returns true if the paragraphs quote results of this size (such as "full") of the experiment.
  bool is_of(const std::string& size) const {
    return std::find(sizes.begin(), sizes.end(), size) != sizes.end();
  }
  bool empty() const {
    return headlines.empty() && holds.empty() && differs.empty() && decides.empty() && open.empty();
  }
};

struct ExperimentFile {
  std::string path, name, description, size;
  std::vector<std::string> files;  ///< this file and those that it extends
  std::string launches;            ///< registers, warps and CTAs that the paper prints for its launches
  std::vector<std::string> sizes;  ///< names of all sizes
  Opening opening;
  ConfigNode base;  ///< configuration of all runs, without a launch file
  Assignments size_sets;
  std::vector<Kernel> kernels;
  std::vector<Variant> variants;
  /// variants for which "@name" stands in lists of variants
  std::map<std::string, std::vector<std::string>> groups;
  std::vector<Search> searches;
  Additions additions;
  std::vector<Sweep> sweeps;
  std::map<std::string, std::string> parts;  ///< abbreviations for the beginnings of parameter paths
  Definitions define;
  std::map<std::string, Metric> metrics;
  std::map<std::string, std::vector<std::string>> metric_lists;
  std::vector<Figure> figures;
  std::vector<Figure> left_out;  ///< figures whose kernels --kernels leaves out
  /// Patterns of ids of published figures. The experiment must show or exclude every published figure that
  /// matches.
  std::vector<std::string> covers;
  /// Published figures that no run of this experiment can reproduce, with the place where they are measured.
  std::vector<std::pair<std::string, std::string>> elsewhere;

  /// Returns the full path of a parameter, in which an abbreviation from "parts" is replaced.
  std::string full_path(const std::string& written) const;
  /// Returns true if --sweep or --kernels selects some of the experiment's runs.
  bool is_selection() const { return !additions.sweeps.empty() || !additions.kernels.empty(); }
  const Variant* find_variant(const std::string& name) const;
  /// Returns true if the paragraphs of the opening quote the runs of this file.
  bool has_opening() const { return opening.is_of(size) && !is_selection(); }
  const Sweep* find_sweep(const std::string& name) const;
  const Figure* find_figure(const std::string& id) const;
};

/// Reads an experiment file for one of its sizes (lists of kernels), with additions of the command line.
/// Throws Error (file, line, key, allowed values).
ExperimentFile read_experiment(const std::string& path, const std::string& size,
                               const Additions& additions = {});

}  // namespace heddle::experiment

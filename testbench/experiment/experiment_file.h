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

/// Path and value of a parameter, as --set takes them.
struct Assignment {
  std::string path;
  ConfigNode value;
};
using Assignments = std::vector<Assignment>;

struct Kernel {
  std::string name;
  std::string launch;  ///< file, absolute or relative to the working folder
  Assignments sets;
};

struct Variant {
  std::string name, doc, like;
  std::vector<ConfigNode> with;  ///< techniques added to the base
  std::vector<std::string>
      combines;  ///< variants that this combination consists of; empty if the variant is no combination
  std::vector<std::string> own_with;  ///< techniques in addition to those of the variant named by `like`
  Assignments own;                    ///< settings in addition to those of the variant named by `like`
  Assignments sets;                   ///< all settings, including those of the variant named by `like`
  std::string where;
};

struct SweepValue {
  std::string label;
  Assignments sets;  ///< settings that apply to all variants
  std::vector<std::pair<std::string, Assignments>>
      more;  ///< settings of variants whose names match a pattern
  std::string where;
  bool base_only = false;  ///< Only bases of figures run at this value, which no figure shows.

  Assignments sets_of(const std::string& variant) const;
};

struct Sweep {
  std::string name, title;
  std::vector<SweepValue> values;
  std::vector<std::string> variants;  ///< names of variants
  std::vector<std::string> kernels;   ///< names of kernels that the experiment's size has
  std::vector<SweepValue> left_out;   ///< values of the file that --sweep leaves out
  std::string where;

  /// Returns the labels of the values that figures show.
  std::vector<std::string> labels() const;
  /// Returns a value of the file that no figure shows; nullptr for another label.
  const SweepValue* find_left_out(const std::string& label) const;
};

/// Where a table shows a published figure. An empty name means that the table has only one variant, value or
/// metric. An empty kernel means the mean over kernels.
struct PublishedPlace {
  std::string id;
  int item = -1;  ///< index into the published list of values
  std::string variant, value, metric, kernel;
  /// Unless none: the measured number is the value of the sweep at which the metric is lowest or highest.
  enum class Best { none, lowest, highest } best = Best::none;
  std::string where;
};

struct Metric {
  std::string name;   ///< short name, for references in expressions and figures
  std::string label;  ///< title for readers
  MetricExpression expression;
};

/// Published order of variants by a metric, or of a sweep's values for one variant, lowest first.
struct Order {
  /// In rising order of the metric; if sweep values are ordered, the one variant.
  std::vector<std::string> variants;
  /// Sweep values in rising order of the metric; empty if variants are ordered.
  std::vector<std::string> values;
  std::string metric;  ///< metric that gives the order; empty: the figure's only metric
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
  std::string histogram;  ///< pattern of counters, one per bin; replaces `metrics`
  std::vector<Dimension> rows, columns;
  std::vector<std::string> variants;
  std::string sweep;  ///< name of the sweep; empty: the figure shows the runs that belong to no sweep
  std::vector<std::string> kernels;
  std::optional<MetricExpression> only_kernels_where;
  std::string relative_to, relative_value;
  std::string of;  ///< variant that a waterfall or a tornado describes
  /// The figure uses results of a search that has not ended, so it cannot be drawn yet.
  bool pending = false;
  bool searches = false;  ///< The figure names results of a search.
  Mean mean = Mean::arithmetic;
  int digits = 1;
  int first =
      0;  ///< rows of a front or of ranks, places of winners, or number of clusters; 0: all rows, 2 places
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
  std::string limit;  ///< metric that the limit applies to; empty: no limit
  double at_most = 0;
};

/// A search for good stacks of techniques. It builds stacks from the best smaller stacks (stack_search.h).
struct Search {
  std::string name, where;
  std::vector<std::string> from;  ///< variants that stacks may contain
  std::vector<SearchGoal> goals;
  int keep = 8;   ///< number of stacks of each size that are kept for each goal, to build the next size
  int up_to = 4;  ///< largest number of variants in a stack
  int best = 10;  ///< number of stacks in the result for each goal
  Figure figure;  ///< figure with the goals' metrics of all stacks
};

/// Values of a sweep that replace those of the file (--sweep).
struct SweepChoice {
  std::string sweep;
  std::vector<ConfigNode> values;  ///< names of values of the file, new values, or objects as in the file
  std::string where;
};

/// Additions of the command line to an experiment file.
struct Additions {
  std::vector<SweepChoice> sweeps;      ///< choices of --sweep
  std::vector<std::string> kernels;     ///< names or patterns of --kernels; empty: all kernels of the size
  std::vector<std::string> techniques;  ///< users' technique files (--with)
  run::Flags flags;                     ///< parameters of all runs, from options
  std::vector<std::string> sets;        ///< settings of all runs from --set, "path.key=value"
  /// Stacks that searches try, each as a list of variant names.
  std::vector<std::vector<std::string>> stacks;
  /// Results of finished searches, best first: "search" has the best stacks by the first goal, "search:goal"
  /// those by each goal.
  std::map<std::string, std::vector<std::string>> found;
};

/// Where a figure's value stands. The value is the mean over the figure's kernels or the only kernel's value.
struct FigurePlace {
  /// The last three are empty if the figure has only one variant, value or metric.
  std::string figure, variant, value, metric;
  std::string kernel;  ///< empty: the mean over kernels
  std::string where;
};

/// One line at the top of a report.
struct Headline {
  std::string label;
  std::string published;  ///< id of a published figure, or empty
  int item = -1;
  std::vector<FigurePlace> measured;  ///< for each column of the opening
};

/// Opening of a report: about half a page with its results, before the figures.
struct Opening {
  std::vector<std::string> sizes;    ///< sizes of the experiment whose results the paragraphs quote
  std::vector<std::string> columns;  ///< headings of the headlines' measured values
  std::vector<Headline> headlines;
  std::vector<std::string> holds, differs, decides, open;  ///< paragraphs
  std::vector<PublishedPlace> published;                   ///< published figures that the paragraphs name
  /// Returns true if the paragraphs quote results of this size of the experiment.
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
  std::string launches;            ///< sizes (registers, warps, CTAs) of launches that the paper prints
  std::vector<std::string> sizes;  ///< names of all sizes
  Opening opening;
  ConfigNode base;  ///< scenario without its launch
  Assignments size_sets;
  std::vector<Kernel> kernels;
  std::vector<Variant> variants;
  /// Variants that "@name" stands for in lists of variants.
  std::map<std::string, std::vector<std::string>> groups;
  std::vector<Search> searches;
  Additions additions;
  std::vector<Sweep> sweeps;
  std::map<std::string, std::string> parts;                      ///< short names of paths of parameters
  Definitions define;                                            ///< named expressions
  std::map<std::string, Metric> metrics;                         ///< named metrics
  std::map<std::string, std::vector<std::string>> metric_lists;  ///< named lists of metrics
  std::vector<Figure> figures;
  std::vector<Figure> left_out;  ///< figures whose kernels --kernels leaves out
  /// Patterns of the ids of published figures; the file must place every figure that matches.
  std::vector<std::string> covers;
  /// Published figures that no run of this experiment can give, with their place in the paper.
  std::vector<std::pair<std::string, std::string>> elsewhere;

  /// Returns a path whose short first key is replaced by its full path.
  std::string full_path(const std::string& written) const;
  /// Returns true if --sweep or --kernels selects some of the experiment's runs.
  bool is_selection() const { return !additions.sweeps.empty() || !additions.kernels.empty(); }
  const Variant* find_variant(const std::string& name) const;
  /// Returns true if the paragraphs of the opening quote the runs of this file.
  bool has_opening() const { return opening.is_of(size) && !is_selection(); }
  const Sweep* find_sweep(const std::string& name) const;
  const Figure* find_figure(const std::string& id) const;
};

/// Reads an experiment file for one of its sizes, with additions of the command line. Throws Error (file,
/// line, key, allowed values).
ExperimentFile read_experiment(const std::string& path, const std::string& size,
                               const Additions& additions = {});

}  // namespace heddle::experiment

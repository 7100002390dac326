#pragma once

// Contents of an experiment's JSON file (docs/formats/experiment.md): variants x kernels x sweeps, and the
// figures that show their results.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/experiment/metric_expression.h"
#include "testbench/run/scenario.h"

namespace heddle::experiment {

struct Assignment {
  std::string path;
  ConfigNode value;
};
using Assignments = std::vector<Assignment>;

struct Kernel {
  std::string name;
  std::string launch;
  Assignments sets;
};

struct Variant {
  std::string name, doc, like;
  std::vector<ConfigNode> with;
  std::vector<std::string> combines;  ///< variants joined in this combination; empty: no combination
  std::vector<std::string> own_with;
  Assignments own;   ///< settings of this variant, without the settings of the variant in its key `like`
  Assignments sets;  ///< all settings, also the settings of the variant in the key `like`
  std::string where;
};

struct SweepValue {
  std::string label;
  Assignments sets;
  /// settings in addition to `sets`, for variants whose names match a pattern
  std::vector<std::pair<std::string, Assignments>> more;
  std::string where;
  /// True if no figure shows this value. The run with this value is executed only because a figure compares
  /// other runs with it (member "value" of the figure's key `relative_to`).
  bool base_only = false;

  Assignments sets_of(const std::string& variant) const;
};

struct Sweep {
  std::string name, title;
  std::vector<SweepValue> values;
  std::vector<std::string> variants;
  std::vector<std::string> kernels;
  std::vector<SweepValue> left_out;
  std::string where;

  std::vector<std::string> labels() const;
  /// Returns a sweep value that the file defines but no figure shows; nullptr if no such value has this
  /// label.
  const SweepValue* find_left_out(const std::string& label) const;
};

/// A cell of a figure's table, next to which the report shows a published number. The cell is selected by
/// variant, value of the sweep, metric and kernel. Of the first three, one is empty if the table has only one
/// of its kind. An empty `kernel` means the mean over kernels.
struct PublishedPlace {
  std::string id;
  int item = -1;  ///< index of the value, if the publication gives a list
  std::string variant, value, metric, kernel;
  /// With `lowest` or `highest`: next to the published value, the report shows the sweep value at which the
  /// metric is lowest or highest.
  enum class Best { none, lowest, highest } best = Best::none;
  std::string where;
};

struct Metric {
  std::string name;
  std::string label;
  MetricExpression expression;
  /// For a metric that is a share: the whole to which the share refers ("gpu", "sm", "register file" or
  /// "units"). Empty if the whole follows from the metric's expression.
  std::string share_of{};
};

/// Published ranking of variants, or of one variant's sweep values, by a metric, lowest first.
struct Order {
  /// Ranked variants, lowest metric first. If `values` is not empty, the one variant whose sweep values are
  /// ranked.
  std::vector<std::string> variants;
  /// Sweep values in order of the metric, lowest first; empty if variants are ranked.
  std::vector<std::string> values;
  std::string metric;  ///< metric of the ranking; empty: the only metric of the figure
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
  std::vector<Metric> metrics;  ///< what the figure shows; x and y of a scatter plot
  std::string histogram;  ///< pattern that matches one counter per bin of a histogram; replaces `metrics`
  std::vector<Dimension> rows, columns;
  std::vector<std::string> variants;
  std::string sweep;  ///< name of the sweep; empty: the figure shows runs without a sweep
  std::vector<std::string> kernels;
  std::optional<MetricExpression> only_kernels_where;
  std::string relative_to, relative_value;
  std::string of;  ///< variant that a waterfall or tornado figure describes
  /// True if the figure names results of a search that has not ended. The figure then cannot be drawn yet.
  bool pending = false;
  bool searches = false;  ///< The figure names variants that a search has found.
  Mean mean = Mean::arithmetic;
  int digits = 1;
  int first =
      /// For a front or ranks figure: number of rows (0: all). For winners: number of ranks (0: 2). For
      /// clusters: number of clusters.
      0;
  std::vector<PublishedPlace> published;
  std::vector<Order> orders;
  std::vector<Metric> explained_by;
  /// Published values and rankings that are not shown because --sweep or --kernels leaves out their runs.
  std::vector<std::string> left_out;
  std::vector<PublishedPlace> left_out_places;

  /// Returns a metric by name, or the only metric for an empty name; nullptr if there is none.
  const Metric* find_metric(const std::string& wanted) const;
};

/// Goal of a search: find the combination of techniques (stack) with the lowest mean of a metric over
/// kernels. The goal may also limit the mean of another metric.
struct SearchGoal {
  std::string name, metric;
  std::string limit;
  double at_most = 0;
};

/// A search for good combinations of techniques (stacks), which are built from the best smaller stacks
/// (stack_search.h).
struct Search {
  std::string name, where;
  std::vector<std::string> from;
  std::vector<SearchGoal> goals;
  int keep = 8;
  int up_to = 4;
  int best = 10;  ///< number of best combinations of techniques to return for each goal
  Figure figure;  ///< figure that holds the metrics of all combinations of techniques that a search tries
};

struct SweepChoice {
  std::string sweep;
  std::vector<ConfigNode> values;  ///< from --sweep: names of values of the file, or new values
  std::string where;
};

struct Additions {
  std::vector<SweepChoice> sweeps;
  std::vector<std::string> kernels;  ///< names or patterns of --kernels; empty: all kernels of the size
  std::vector<std::string> techniques;
  run::Flags flags;
  std::vector<std::string> sets;
  /// Combinations that searches have tried so far, as lists of variant names.
  std::vector<std::vector<std::string>> stacks;
  /// Results of finished searches, best first. The key is "search" (results for the search's first goal) or
  /// "search:goal".
  std::map<std::string, std::vector<std::string>> found;
};

/// Identifies a value of a figure: the mean over kernels, or the value of one kernel.
struct FigurePlace {
  std::string figure, variant, value, metric;
  std::string kernel;
  std::string where;
};

/// Published and measured values of a quantity, at the top of a report.
struct Headline {
  std::string label;
  std::string published;
  int item = -1;
  std::vector<std::string> sizes;  ///< sizes whose reports show it; empty: all
  std::vector<FigurePlace> measured;
};

struct Opening {
  std::vector<std::string> sizes;
  std::vector<std::string> columns;
  std::vector<Headline> headlines;
  std::map<std::string, std::string> summary;  ///< by size of the experiment
  std::string page;                            ///< file in docs/reports with the conclusions; may be empty
  std::vector<std::string> holds, differs, decides, open;
  std::vector<PublishedPlace> published;
  /// Returns true if the conclusions quote results of the experiment run with this size (such as "full").
  bool is_of(const std::string& size) const {
    return std::find(sizes.begin(), sizes.end(), size) != sizes.end();
  }
  bool empty() const {
    return headlines.empty() && summary.empty() && holds.empty() && differs.empty() && decides.empty() &&
           open.empty();
  }
};

/// A difference from a paper (key "decides"): a published ranking ("order") or value ("level") that the
/// measured results do not show. Also states the changes of the configuration that were tried, and the change
/// that alone restores the published result.
struct Cause {
  struct Change {
    std::string name;
    std::vector<FigurePlace> places;  ///< figure cells of the same values, with this change
  };
  std::string id, conclusion, where;
  std::vector<std::string> sizes;    ///< sizes of the experiment that contain the paper's list of kernels
  std::vector<std::string> kernels;  ///< kernels that the paper measures; empty: all kernels
  /// For a ranking: figure cells of the ranked values, lowest published value first. For a single value: its
  /// figure cell.
  std::vector<FigurePlace> places;
  std::string published;  ///< id of the published value; empty for a ranking
  int item = -1;
  std::vector<Change> changes;
  std::string decided_by;  ///< name of the change that restores the result; empty: not known

  bool is_of(const std::string& size) const {
    return std::find(sizes.begin(), sizes.end(), size) != sizes.end();
  }
};

struct ExperimentFile {
  std::string path, name, description, size;
  std::vector<std::string> files;
  std::string launches;  ///< text: registers, warps and CTAs of the paper's launches
  std::vector<std::string> sizes;
  Opening opening;
  std::vector<Cause> causes;
  ConfigNode base;
  Assignments size_sets;
  std::vector<Kernel> kernels;
  std::vector<Variant> variants;
  /// Groups of variants by name. In lists of variants, "@name" stands for the variants of a group.
  std::map<std::string, std::vector<std::string>> groups;
  std::vector<Search> searches;
  Additions additions;
  std::vector<Sweep> sweeps;
  std::map<std::string, std::string> parts;  ///< abbreviations for the beginnings of parameter paths
  Definitions define;
  std::map<std::string, Metric> metrics;
  std::map<std::string, std::vector<std::string>> metric_lists;
  std::vector<Figure> figures;
  std::vector<Figure> left_out;
  /// Patterns of ids of published figures that the experiment must show or exclude.
  std::vector<std::string> covers;
  /// Published figures that this experiment cannot reproduce, each with a text that says where the figure is
  /// measured instead.
  std::vector<std::pair<std::string, std::string>> elsewhere;

  /// Expands an abbreviation at the beginning of a parameter path (key "parts" of the file).
  std::string full_path(const std::string& written) const;
  bool is_selection() const { return !additions.sweeps.empty() || !additions.kernels.empty(); }
  const Variant* find_variant(const std::string& name) const;
  /// Returns true if the conclusions of `opening` apply: they quote results of this size, and the command
  /// line has not chosen kernels or sweep values.
  bool has_opening() const { return opening.is_of(size) && !is_selection(); }
  const Sweep* find_sweep(const std::string& name) const;
  const Figure* find_figure(const std::string& id) const;
};

/// Reads an experiment file for one of its sizes (lists of kernels), with additions of the command line.
/// Throws Error (file, line, key, allowed values).
ExperimentFile read_experiment(const std::string& path, const std::string& size,
                               const Additions& additions = {});

}  // namespace heddle::experiment

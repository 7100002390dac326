#pragma once

// An experiment as its JSON file has it (docs/experiments.md): variants x kernels x sweeps, and the figures
// that are drawn from their results.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/experiment/metric_expression.h"
#include "testbench/run/scenario.h"

namespace heddle::experiment {

/// A parameter's path and its value, as of --set.
struct Assignment {
  std::string path;
  ConfigNode value;
};
using Assignments = std::vector<Assignment>;

struct Kernel {
  std::string name;
  std::string launch;  ///< file; absolute or relative to the working folder
  Assignments sets;
};

struct Variant {
  std::string name, doc, like;
  std::vector<ConfigNode> with;       ///< techniques that are laid on
  std::vector<std::string> combines;  ///< the variants that a combination is made of; empty: it is none
  std::vector<std::string> own_with;  ///< beside those of the variant that it is like
  Assignments own;                    ///< beside those of the variant that it is like
  Assignments sets;                   ///< all
  std::string where;
};

struct SweepValue {
  std::string label;
  Assignments sets;                                       ///< of all variants
  std::vector<std::pair<std::string, Assignments>> more;  ///< of variants whose names fit a pattern
  std::string where;

  Assignments sets_of(const std::string& variant) const;
};

struct Sweep {
  std::string name, title;
  std::vector<SweepValue> values;
  std::vector<std::string> variants;  ///< names
  std::vector<std::string> kernels;   ///< names, of those of the size
  std::string where;
};

/// Where a published figure belongs in a table; an empty name: the only one, or the mean over kernels.
struct PublishedPlace {
  std::string id;
  int item = -1;  ///< of a list of values
  std::string variant, value, metric, kernel;
  enum class Best { none, lowest, highest } best = Best::none;  ///< measured is the sweep's value that has it
  std::string where;
};

struct Metric {
  std::string name;   ///< short, for references
  std::string label;  ///< for people
  MetricExpression expression;
};

/// The order of variants, or of the sweep's values for one variant, by a metric, as published.
struct Order {
  std::vector<std::string> variants;  ///< rising; one if values are in order
  std::vector<std::string> values;    ///< rising; empty if variants are in order
  std::string metric;                 ///< empty: the only one
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
/// Whether a figure of this kind has a table alone, and no picture.
bool has_table_alone(FigureKind kind);
enum class Dimension { kernel, variant, value, metric };
/// geometric_saving: of savings in percent, what the geometric mean of the ratios 1 - saving/100 leaves to 1.
enum class Mean { none, arithmetic, geometric, geometric_saving, minimum, maximum };

struct Figure {
  std::string id, title, paper, note, unit, x_title, where;
  FigureKind kind = FigureKind::bars;
  std::vector<Metric> metrics;  ///< of a scatter: x, y; a point a value of the sweep, or a kernel
  std::string histogram;        ///< pattern of counters, one a bin; replaces metrics
  std::vector<Dimension> rows, columns;
  std::vector<std::string> variants;
  std::string sweep;  ///< empty: the runs outside of all sweeps
  std::vector<std::string> kernels;
  std::optional<MetricExpression> only_kernels_where;
  std::string relative_to, relative_value;
  std::string of;         ///< the variant that a waterfall or a tornado is of
  bool pending = false;   ///< looks at what a search has not found yet: it cannot be drawn
  bool searches = false;  ///< names what a search finds
  Mean mean = Mean::arithmetic;
  int digits = 1;
  int first = 0;  ///< rows of a front or of ranks, places of winners, clusters; 0: all, and 2 places
  std::vector<PublishedPlace> published;
  std::vector<Order> orders;
  std::vector<Metric> explained_by;
};

/// What a search is to find: the stack that has least of a metric, the mean over kernels, among those whose mean of
/// another one is within a limit.
struct SearchGoal {
  std::string name, metric;
  std::string limit;  ///< metric; empty: none
  double at_most = 0;
};

/// Stacks that are made from what smaller ones gave (stack_search.h).
struct Search {
  std::string name, where;
  std::vector<std::string> from;  ///< variants that stacks are made of
  std::vector<SearchGoal> goals;
  int keep = 8;   ///< stacks of a size that are built on, by each goal
  int up_to = 4;  ///< variants of a stack
  int best = 10;  ///< stacks that it finds, by each goal
  Figure figure;  ///< goals' metrics of all stacks that there are: what the search looks at
};

/// What a command adds to a file.
struct Additions {
  std::vector<std::string> techniques;           ///< files of one's own (--with)
  run::Flags flags;                              ///< parameters of all runs, set by options
  std::vector<std::string> sets;                 ///< the same by --set, "path.key=value"
  std::vector<std::vector<std::string>> stacks;  ///< that searches try, by the names of their variants
  /// What searches that have ended found, best first: "search" by its first goal, "search:goal" by each.
  std::map<std::string, std::vector<std::string>> found;
};

/// A value of a figure: the mean over its kernels, or that of the only one.
struct FigurePlace {
  std::string figure, variant, value, metric;  ///< the last three empty where the figure has one alone
  std::string kernel;                          ///< empty: the mean
  std::string where;
};

/// One line at the head of a report.
struct Headline {
  std::string label;
  std::string published;  ///< id, or empty
  int item = -1;
  std::vector<FigurePlace> measured;  ///< by column
};

/// Half a page at the head of a report: what it found, before the figures say how.
struct Opening {
  std::vector<std::string> sizes;    ///< whose numbers the paragraphs speak of
  std::vector<std::string> columns;  ///< over the headlines' measured values
  std::vector<Headline> headlines;
  std::vector<std::string> holds, differs, decides, open;  ///< paragraphs
  std::vector<PublishedPlace> published;                   ///< published figures that these name
  /// What the paragraphs say of this size, and of no other.
  bool is_of(const std::string& size) const {
    return std::find(sizes.begin(), sizes.end(), size) != sizes.end();
  }
  bool empty() const {
    return headlines.empty() && holds.empty() && differs.empty() && decides.empty() && open.empty();
  }
};

struct ExperimentFile {
  std::string path, name, description, size;
  std::string launches;            ///< what the paper prints of its own
  std::vector<std::string> sizes;  ///< all that there are
  Opening opening;
  ConfigNode base;  ///< a scenario without its launch
  Assignments size_sets;
  std::vector<Kernel> kernels;
  std::vector<Variant> variants;
  std::map<std::string, std::vector<std::string>> groups;  ///< "@name" in lists of variants
  std::vector<Search> searches;
  Additions additions;
  std::vector<Sweep> sweeps;
  std::map<std::string, std::string> parts;                      ///< short names of parameters' paths
  Definitions define;                                            ///< named expressions
  std::map<std::string, Metric> metrics;                         ///< named metrics
  std::map<std::string, std::vector<std::string>> metric_lists;  ///< named lists of these
  std::vector<Figure> figures;
  std::vector<std::string> covers;  ///< patterns of published ids that need a place
  /// Published figures that no run of this experiment can give, and where they stand.
  std::vector<std::pair<std::string, std::string>> elsewhere;

  /// A path whose first key is one of the parts, in full.
  std::string full_path(const std::string& written) const;
  const Variant* find_variant(const std::string& name) const;
  const Sweep* find_sweep(const std::string& name) const;
  const Figure* find_figure(const std::string& id) const;
};

/// Reads a file for one of its sizes, with what a command adds. Throws Error (file, line, key, what is allowed).
ExperimentFile read_experiment(const std::string& path, const std::string& size,
                               const Additions& additions = {});

}  // namespace heddle::experiment

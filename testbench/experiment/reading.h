#pragma once

// Functions that several readers of parts of an experiment file use.

#include <string>
#include <vector>

#include "testbench/experiment/experiment_file.h"
#include "testbench/launch/object_reader.h"

namespace heddle::experiment {

using launch::ObjectReader;

/// Reads a text: a string, or a list of lines, which are joined by blanks.
ConfigNode whole_text(const ConfigNode& node);
/// Reads an optional text; empty if the key is absent.
std::string read_text(const ObjectReader& in, std::string_view key);

/// Throws Error if `name` is no valid name of a variant, sweep, figure or metric.
void check_name(const ConfigNode& node, const std::string& name);

/// Reads {"path.key": value, ...}. Returns nothing if the key is absent.
Assignments read_sets(const ConfigNode* node);

/// Returns the names of Heddle's own kernels, sorted.
std::vector<std::string> kernels_of_heddle();
/// Reads one of the experiment's "sizes": its kernels with their launch files, and settings for all its runs.
/// `all`: the result of kernels_of_heddle().
void read_size(const ConfigNode& node, const std::vector<std::string>& all, ExperimentFile& file);

enum class Selection { some, maybe_none };
/// Returns the names in `known` that match one of the patterns, in the order of `known`. Throws Error for a
/// pattern that matches no name in `known` and none in `elsewhere`. Unless `maybe_none`, also throws Error if
/// no name is selected.
std::vector<std::string> select(const ConfigNode* patterns, const std::vector<std::string>& known,
                                const std::vector<std::string>& elsewhere, const char* what,
                                Selection selection = Selection::some);

/// Names that lists in an experiment may contain: variants, the chosen kernels of the chosen size, and all
/// kernels of this size or of Heddle.
struct KnownNames {
  std::vector<std::string> variants, kernels, all_kernels;
  /// `maybe_none` if --kernels chooses some of the size's kernels. A list in the file may then select
  /// none of them.
  Selection selection = Selection::some;
};

/// Reads a list of variants. "@name" stands for the variants of a group or for the results of a search. If a
/// search has not ended, its name adds no variant, and `pending` is set. Throws Error for an unknown name.
std::vector<std::string> read_variant_names(const ConfigNode& node, const ExperimentFile& file,
                                            bool* pending = nullptr);
/// Returns true if the list contains "@name" of a search.
bool names_a_search(const ConfigNode* node, const ExperimentFile& file);
/// Returns the variants that a list selects by names, patterns and groups, in the order of `known`, followed
/// by results of searches, best first.
std::vector<std::string> select_variants(const ConfigNode* node, const std::vector<std::string>& known,
                                         const ExperimentFile& file, bool* pending = nullptr);

/// Reads "sweeps". Values are those of the file or, for a sweep that --sweep names, the chosen ones.
void read_sweeps(const ConfigNode& node, ExperimentFile& file, const KnownNames& known);
/// Adds values that --sweep leaves out but that are needed by base runs (runs to which others are compared).
void add_base_values(ExperimentFile& file);

/// Reads "groups", and only the names of "searches". read_searches() reads the searches later, because they
/// use metrics.
void read_groups(const ConfigNode* groups, const ConfigNode* searches, ExperimentFile& file);
void read_searches(const ConfigNode& node, ExperimentFile& file, const KnownNames& known);

/// Reads "define" and "metrics": named expressions, each of which may use the names before it.
void read_definitions(const ConfigNode& node, ExperimentFile& file);
void read_named_metrics(const ConfigNode& node, ExperimentFile& file);

/// Reads "opening". Call this function after the figures have been read, because the opening names figures.
Opening read_opening(const ConfigNode& node, const ExperimentFile& file);

Figure read_figure(const ConfigNode& node, const ExperimentFile& file, const KnownNames& known);

}  // namespace heddle::experiment

#pragma once

// Functions that the readers of an experiment file share.

#include <string>
#include <vector>

#include "testbench/experiment/experiment_file.h"
#include "testbench/launch/object_reader.h"

namespace heddle::experiment {

using launch::ObjectReader;

/// Reads a string, or a list of strings.
std::vector<std::string> read_names(const ConfigNode& node);

/// Reads a text: a string, or a list of lines that are joined by blanks.
ConfigNode whole_text(const ConfigNode& node);
/// Returns an empty text if the key is absent.
std::string read_text(const ObjectReader& in, std::string_view key);

/// Throws Error if `name` is no valid name of a variant, sweep, figure or metric.
void check_name(const ConfigNode& node, const std::string& name);

/// Reads {"path.key": value, ...}. Returns nothing if the key is absent.
Assignments read_sets(const ConfigNode* node);

/// Returns the kernels that come with Heddle, sorted by name.
std::vector<std::string> kernels_of_heddle();
/// Reads one of the experiment's "sizes": its kernels with their launch files, and changes that apply to all
/// its runs. `all`: the names that kernels_of_heddle() returns.
void read_size(const ConfigNode& node, const std::vector<std::string>& all, ExperimentFile& file);

enum class Selection { some, maybe_none };
/// Returns the names in `known` that match one of the patterns, in the order of `known`. Throws Error for a
/// pattern that matches no name in `known` and none in `elsewhere` and, unless `maybe_none`, for a selection of
/// no name.
std::vector<std::string> select(const ConfigNode* patterns, const std::vector<std::string>& known,
                                const std::vector<std::string>& elsewhere, const char* what,
                                Selection selection = Selection::some);

/// Names of the variants, of the chosen kernels of the chosen size, and of all kernels that the size has or that
/// come with Heddle.
struct KnownNames {
  std::vector<std::string> variants, kernels, all_kernels;
  /// `maybe_none` if --kernels chooses some of the size's kernels, which may be none of a list's.
  Selection selection = Selection::some;
};

/// Reads a list of variants' names. "@name" stands for the variants of a group or the results of a search.
/// Sets `pending` if a name refers to a search that has not ended; such a name adds no variant. Throws Error
/// for an unknown name.
std::vector<std::string> read_variant_names(const ConfigNode& node, const ExperimentFile& file,
                                            bool* pending = nullptr);
/// Returns true if the list names results of a search.
bool names_a_search(const ConfigNode* node, const ExperimentFile& file);
/// Returns the variants that a list chooses: names, patterns and groups in the order of `known`, then results
/// of searches, best first.
std::vector<std::string> select_variants(const ConfigNode* node, const std::vector<std::string>& known,
                                         const ExperimentFile& file, bool* pending = nullptr);

/// Reads "sweeps". Values are those of the file or, for a sweep that --sweep names, the chosen ones.
void read_sweeps(const ConfigNode& node, ExperimentFile& file, const KnownNames& known);
/// Adds the values at which bases of figures run although --sweep leaves them out.
void add_base_values(ExperimentFile& file);

/// Reads "groups" and the names of "searches". read_searches() reads the searches later, when metrics are
/// known.
void read_groups(const ConfigNode* groups, const ConfigNode* searches, ExperimentFile& file);
void read_searches(const ConfigNode& node, ExperimentFile& file, const KnownNames& known);

/// Reads "define" and "metrics", the expressions that figures name. Each expression may use those before it.
void read_definitions(const ConfigNode& node, ExperimentFile& file);
void read_named_metrics(const ConfigNode& node, ExperimentFile& file);

/// Reads "opening". Call it after the figures are read.
Opening read_opening(const ConfigNode& node, const ExperimentFile& file);

Figure read_figure(const ConfigNode& node, const ExperimentFile& file, const KnownNames& known);

}  // namespace heddle::experiment

#pragma once

// What the readers of an experiment file share.

#include <string>
#include <vector>

#include "testbench/experiment/experiment_file.h"
#include "testbench/launch/object_reader.h"

namespace heddle::experiment {

using launch::ObjectReader;

/// A string, or a list of strings.
std::vector<std::string> read_names(const ConfigNode& node);

/// A text: a string, or its lines, which are joined by blanks.
ConfigNode whole_text(const ConfigNode& node);
std::string read_text(const ObjectReader& in, std::string_view key);  ///< empty where there is none

/// Throws Error for what cannot be the name of a variant, sweep, figure or metric.
void check_name(const ConfigNode& node, const std::string& name);

/// {"path.key": value, ...}; nothing where there is none.
Assignments read_sets(const ConfigNode* node);

/// Those that come with Heddle, in the order of their names.
std::vector<std::string> kernels_of_heddle();
/// One of "sizes": its kernels and their launch files, and changes of all its runs. `all`: kernels_of_heddle().
void read_size(const ConfigNode& node, const std::vector<std::string>& all, ExperimentFile& file);

/// Names that fit one of the patterns, in the order of `known`; throws Error for a pattern that fits none, if
/// it fits none of `elsewhere` either.
std::vector<std::string> select(const ConfigNode* patterns, const std::vector<std::string>& known,
                                const std::vector<std::string>& elsewhere, const char* what);

/// Names of the variants, of the kernels of the chosen size, and of all kernels that come with Heddle.
struct KnownNames {
  std::vector<std::string> variants, kernels, all_kernels;
};

/// A list of names in which "@name" stands for the variants of a group, or for what a search has found. `pending`: set
/// if one of them is of a search that has not ended; such a name gives nothing. Throws Error for a name that is none.
std::vector<std::string> read_variant_names(const ConfigNode& node, const ExperimentFile& file,
                                            bool* pending = nullptr);
/// Whether a list names what a search finds.
bool names_a_search(const ConfigNode* node, const ExperimentFile& file);
/// Variants that a list chooses: names, patterns and groups in the order of `known`, then what searches found, best first.
std::vector<std::string> select_variants(const ConfigNode* node, const std::vector<std::string>& known,
                                         const ExperimentFile& file, bool* pending = nullptr);

/// "groups", the names of "searches", and, when metrics are known, these.
void read_groups(const ConfigNode* groups, const ConfigNode* searches, ExperimentFile& file);
void read_searches(const ConfigNode& node, ExperimentFile& file, const KnownNames& known);

/// "define" and "metrics": what figures name. Each may use what stands before it.
void read_definitions(const ConfigNode& node, ExperimentFile& file);
void read_named_metrics(const ConfigNode& node, ExperimentFile& file);

/// "opening". Figures have been read.
Opening read_opening(const ConfigNode& node, const ExperimentFile& file);

Figure read_figure(const ConfigNode& node, const ExperimentFile& file, const KnownNames& known);

}  // namespace heddle::experiment

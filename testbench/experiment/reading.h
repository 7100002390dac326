#pragma once

// Declares the functions that the readers of an experiment file share.

#include <string>
#include <vector>

#include "testbench/experiment/experiment_file.h"
#include "testbench/launch/object_reader.h"

namespace heddle::experiment {

using launch::ObjectReader;

/// Reads a string. A list of lines is joined to one string, with blanks between the lines.
ConfigNode whole_text(const ConfigNode& node);
std::string read_text(const ObjectReader& in, std::string_view key);

void check_name(const ConfigNode& node, const std::string& name);

/// Reads {"path.key": value, ...}; returns an empty list if the key is absent.
Assignments read_sets(const ConfigNode* node);

std::vector<std::string> kernels_of_heddle();
/// Reads an entry of "sizes": kernels with their launch files, and settings of all runs. `all`: the names
/// from kernels_of_heddle().
void read_size(const ConfigNode& node, const std::vector<std::string>& all, ExperimentFile& file);

enum class Selection { some, maybe_none };
/// Returns the names in `known` that match a pattern. Throws Error for a pattern that matches neither `known`
/// nor `elsewhere`. With Selection::some, also throws Error if no name is selected.
std::vector<std::string> select(const ConfigNode* patterns, const std::vector<std::string>& known,
                                const std::vector<std::string>& elsewhere, const char* what,
                                Selection selection = Selection::some);

/// Names that lists in an experiment file may contain. `kernels`: kernels that this execution of the
/// experiment includes. `all_kernels`: further kernels that a list may name without effect: all of Heddle's
/// and, with
/// --kernels, all of the experiment's chosen size.
struct KnownNames {
  std::vector<std::string> variants, kernels, all_kernels;
  /// `maybe_none`: a list in the file may select no kernel, because --kernels can exclude all kernels that
  /// the list names.
  Selection selection = Selection::some;
};

/// Reads a list of variants. "@name" means the variants of a group or the results of a search. A search that
/// has not ended adds no variant, and sets `pending`. Throws Error for an unknown name.
std::vector<std::string> read_variant_names(const ConfigNode& node, const ExperimentFile& file,
                                            bool* pending = nullptr);
bool names_a_search(const ConfigNode* node, const ExperimentFile& file);
/// Returns the variants that a list selects, in the order of `known`, then results of searches, best first.
std::vector<std::string> select_variants(const ConfigNode* node, const std::vector<std::string>& known,
                                         const ExperimentFile& file, bool* pending = nullptr);

void read_sweeps(const ConfigNode& node, ExperimentFile& file, const KnownNames& known);
/// Adds sweep values that --sweep does not select, if figures compare other runs with the runs of these
/// values.
void add_base_values(ExperimentFile& file);

/// Reads "groups", and only the names of the searches in "searches": searches use metrics, which are read
/// later.
void read_groups(const ConfigNode* groups, const ConfigNode* searches, ExperimentFile& file);
void read_searches(const ConfigNode& node, ExperimentFile& file, const KnownNames& known);

/// Read the keys "define" and "metrics" of an experiment file. An expression may use names that are defined
/// before it.
void read_definitions(const ConfigNode& node, ExperimentFile& file);
void read_named_metrics(const ConfigNode& node, ExperimentFile& file);

/// Reads the opening (first section of a report) from an experiment file. Call after the figures have been
/// read, because the opening names figures.
Opening read_opening(const ConfigNode& node, const ExperimentFile& file);

/// Reads "figure|variant|value|metric|kernel" and checks its names. Call after the figures have been read.
/// Throws Error, which names `where`.
FigurePlace read_figure_place(const std::string& text, const ExperimentFile& file, const std::string& where);

/// Reads the key "decides" of an experiment file: differences from papers, and their causes. Call after the
/// figures have been read.
std::vector<Cause> read_causes(const ConfigNode& node, const ExperimentFile& file);

Figure read_figure(const ConfigNode& node, const ExperimentFile& file, const KnownNames& known);

}  // namespace heddle::experiment

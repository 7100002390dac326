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

/// "define" and "metrics": what figures name. Each may use what stands before it.
void read_definitions(const ConfigNode& node, ExperimentFile& file);
void read_named_metrics(const ConfigNode& node, ExperimentFile& file);

/// "opening". Figures have been read.
Opening read_opening(const ConfigNode& node, const ExperimentFile& file);

Figure read_figure(const ConfigNode& node, const ExperimentFile& file, const KnownNames& known);

}  // namespace heddle::experiment

#pragma once

// The result file of one run of an experiment: the result, the run's identity, the version of the format, and
// a hash over all of these. The file is used only for the run with this identity.

#include <string>

#include "models/core/config_node.h"

namespace heddle::experiment {

/// Increase with every change of the file's contents or meaning. Files of other versions are not read.
inline constexpr int kPointFormat = 3;

/// Runs are equal if all hashes are equal.
struct PointIdentity {
  /// The run for readers, such as "hotspot, gates, break-even 9"; not compared.
  std::string label;
  std::string name;  ///< hash over the following members; also the name of the file
  std::string configuration;
  std::string inputs;  ///< hash of launch file, PTX and data
  std::string program;
};

std::string point_file_text(const PointIdentity& identity, const ConfigNode& result);

struct PointFile {
  std::string error;
  ConfigNode result;
};

/// Reads a result file. Sets `error` if the file is truncated, edited or unreadable, has another format, or
/// belongs to another run.
PointFile read_point_file(const std::string& file, const PointIdentity& identity);

}  // namespace heddle::experiment

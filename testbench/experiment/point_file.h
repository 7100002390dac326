#pragma once

// The result file of one run of an experiment. It contains the result, the run's identity, the version of the
// format, and a hash over these three. A file is used only for the run with the same identity.

#include <string>

#include "models/core/config_node.h"

namespace heddle::experiment {

/// Increase this number with every change of the file's contents or their meaning. Files with another number
/// are not read.
inline constexpr int kPointFormat = 3;

/// Two runs are the same if all hashes of their identities are equal.
struct PointIdentity {
  /// Name of the run for readers, such as "hotspot, gates, break-even 9"; not compared.
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

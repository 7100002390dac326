#pragma once

// The file with the result of one run of an experiment. The file holds the result, the identity of the run,
// the version of the format, and a hash over all of these. The file is used only for the run that has this
// identity.

#include <string>

#include "models/core/config_node.h"

namespace heddle::experiment {

/// Version of the file. Increase it with every change of the file's contents or meaning. Files of other
/// versions are not read.
inline constexpr int kPointFormat = 3;

/// Identity of a run: names for readers, and hashes. Runs are equal if all their hashes are equal.
struct PointIdentity {
  /// Description of the run for readers, such as "hotspot, gates, break-even 9"; not compared.
  std::string label;
  std::string name;           ///< hash over all following members; also the name of the file
  std::string configuration;  ///< hash of all parameters that affect the result of the run
  std::string inputs;         ///< hash of the run's input files: launch file, PTX and data
  std::string program;        ///< hash of the program and its plug-ins
};

std::string point_file_text(const PointIdentity& identity, const ConfigNode& result);

struct PointFile {
  std::string error;  ///< reason why the file cannot be used; empty if it can
  ConfigNode result;  ///< the stored result, as it was passed to point_file_text
};

/// Reads the result file of a run. `error` is set if the file is truncated or edited, has another format,
/// belongs to another run, or cannot be read.
PointFile read_point_file(const std::string& file, const PointIdentity& identity);

}  // namespace heddle::experiment

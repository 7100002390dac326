#pragma once

// File of a point, that is, of one run of an experiment. It holds the run's result, its key, the file's
// format, and a hash over all of these. Only the point that the key identifies accepts the file.

#include <string>

#include "models/core/config_node.h"

namespace heddle::experiment {

/// Version of the file. Increase it with every change of the file's contents or meaning. Files of other
/// versions are not read.
inline constexpr int kPointFormat = 3;

/// Identity of a run, as names for readers and as hashes. Two runs are equal if all their hashes are equal.
struct PointIdentity {
  std::string label;  ///< first place of the point, such as "hotspot, gates, break-even 9"; not compared
  std::string name;   ///< hash over all following members; name of the file
  std::string configuration;  ///< hash of every parameter that affects the result
  std::string inputs;         ///< hash of the launch file, PTX and data
  std::string program;        ///< hash of the program and of its plug-ins
};

/// Returns the text of a point's file.
std::string point_file_text(const PointIdentity& identity, const ConfigNode& result);

struct PointFile {
  std::string error;  ///< reason why the file is not accepted; empty if the file belongs to the point
  ConfigNode result;  ///< `result` as passed to point_file_text
};

/// Reads the file of a point (one run). `error` is set if the file is truncated, was edited, has another
/// format, belongs to another run, or cannot be read.
PointFile read_point_file(const std::string& file, const PointIdentity& identity);

}  // namespace heddle::experiment

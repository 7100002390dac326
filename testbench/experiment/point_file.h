#pragma once

// The file of a point: what a run gave, whose it is, in which format, and a seal over both. A file is believed
// only by the point that it names.

#include <string>

#include "models/core/config_node.h"

namespace heddle::experiment {

/// Rises with every change of what the file holds or means; files of other formats are not read.
inline constexpr int kPointFormat = 3;

/// Which run a point is, in names for people and in hashes. Two points are the same if all hashes are.
struct PointIdentity {
  std::string label;  ///< "hotspot, gates, break-even 9": where the point was run from; is not compared
  std::string name;   ///< of all that follows; names the file
  std::string configuration;  ///< hash of every parameter with an influence on the result
  std::string inputs;         ///< hash of the launch file, PTX and data
  std::string program;        ///< hash of the program and of its plug-ins
};

/// The text of a point's file.
std::string point_file_text(const PointIdentity& identity, const ConfigNode& result);

struct PointFile {
  std::string error;  ///< what is wrong with the file; empty if it is the point's own
  ConfigNode result;  ///< as given to point_file_text
};

/// Reads the file of a point. What is wrong with it is said in `error`: torn or edited, of another format, of
/// another run. Throws Error if it cannot be read.
PointFile read_point_file(const std::string& file, const PointIdentity& identity);

}  // namespace heddle::experiment

#pragma once

// Reads a trace in Perfetto's format. protoc decodes the file with the message definitions of this project.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::output {

struct TraceSlice {
  std::string process, track, category, name;
  std::map<std::string, std::string> arguments;
  std::uint64_t begin = 0, end = 0;  ///< cycles
  int depth = 0;                     ///< number of slices of the same track that contain this slice
  std::vector<std::uint64_t> flows_from, flows_to;
};

struct DecodedTrace {
  std::vector<TraceSlice> slices;
  std::vector<TraceSlice> instants;
  /// for each counter name: pairs of a cycle and the counter's value
  std::map<std::string, std::vector<std::pair<std::uint64_t, double>>> counters;
};

/// Decodes a file. The test fails in one of three cases: protoc does not accept the file, slices of a track
/// do not nest, or a packet names an unknown track or text.
DecodedTrace decode_trace(const std::string& path);

}  // namespace heddle::output

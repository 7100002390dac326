#pragma once

// Finds the files of a launch and their paths in a pack. Files keep their names and their relative positions,
// so a launch file with relative paths is packed unchanged.

#include <map>
#include <string>
#include <vector>

#include "testbench/pack/archive.h"

namespace heddle::pack {

/// Returns all files that a launch file names: PTX, data of buffers and variables, and captured memory.
/// Throws Error for a launch file that cannot be read.
std::vector<std::string> files_of_launch(const std::string& launch_file);

/// Paths of files in the pack, by their absolute paths on this machine.
class InputPlaces {
 public:
  /// Returns the absolute path without "." and ".." parts; an empty path stays empty.
  static std::string absolute(const std::string& file);

  /// `files`: all input files. Files of a folder configs/technology go to the pack's folder of technologies,
  /// other files to paths below "inputs".
  explicit InputPlaces(const std::vector<std::string>& files);
  /// Returns the path of an input file in the pack.
  const std::string& of(const std::string& file) const { return places_.at(absolute(file)); }
  bool has(const std::string& file) const { return places_.contains(absolute(file)); }
  /// Returns the relative path by which a file at `from` in the pack names an input file.
  std::string seen_from(const std::string& from, const std::string& file) const;

  /// Returns the entry of an input file. In a launch file or technology, absolute paths of inputs are
  /// replaced by relative paths. In a file of captured memory, pages that `launch_file` does not use are
  /// zero, so that page numbers stay valid.
  Entry entry(const std::string& file, const std::string& launch_file) const;

 private:
  std::map<std::string, std::string> places_;
};

}  // namespace heddle::pack

#pragma once

// Finds the files of a launch and their paths in a pack. Relative positions are kept, so a launch file with
// relative paths is packed unchanged.

#include <map>
#include <string>
#include <vector>

#include "testbench/pack/archive.h"

namespace heddle::pack {

/// Returns all files that a launch file names: PTX, data, captured memory. Throws Error for an unreadable
/// launch file.
std::vector<std::string> files_of_launch(const std::string& launch_file);

/// Maps absolute paths on this machine to paths in the pack.
class InputPlaces {
 public:
  static std::string absolute(const std::string& file);

  /// Files of a folder configs/technology go to the pack's folder of technologies, other files below
  /// "inputs".
  explicit InputPlaces(const std::vector<std::string>& files);
  const std::string& of(const std::string& file) const { return places_.at(absolute(file)); }
  bool has(const std::string& file) const { return places_.contains(absolute(file)); }
  /// Returns the relative path by which a file at `from` in the pack names an input.
  std::string seen_from(const std::string& from, const std::string& file) const;

  /// In a launch file or technology, absolute paths of inputs become relative. In captured memory, pages that
  /// `launch_file` does not use become zero, so that page numbers stay valid.
  Entry entry(const std::string& file, const std::string& launch_file) const;

 private:
  std::map<std::string, std::string> places_;
};

}  // namespace heddle::pack

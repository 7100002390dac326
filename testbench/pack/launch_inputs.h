#pragma once

// Finds the files of a launch, and chooses their paths in a pack. Files keep their positions relative to each
// other, so a launch file with relative paths can be packed unchanged.

#include <map>
#include <string>
#include <vector>

#include "testbench/pack/archive.h"

namespace heddle::pack {

/// Returns all files that a launch file names: PTX, data, captured memory. Throws Error for an unreadable
/// launch file.
std::vector<std::string> files_of_launch(const std::string& launch_file);

/// For the absolute path of each file on this machine, the path of the file in the pack.
class InputPlaces {
 public:
  static std::string absolute(const std::string& file);

  /// Files of a folder configs/technology go into the pack's folder of technologies. All other files go into
  /// the folder "inputs".
  explicit InputPlaces(const std::vector<std::string>& files);
  const std::string& of(const std::string& file) const { return places_.at(absolute(file)); }
  bool has(const std::string& file) const { return places_.contains(absolute(file)); }
  /// Returns the relative path with which the file at `from` in the pack refers to an input.
  std::string seen_from(const std::string& from, const std::string& file) const;

  /// Returns the entry of a file for the pack. In a launch file or technology, absolute paths of inputs are
  /// made relative. In captured memory, pages that `launch_file` does not use are set to zero; they are not
  /// removed, so that page numbers stay valid.
  Entry entry(const std::string& file, const std::string& launch_file) const;

 private:
  std::map<std::string, std::string> places_;
};

}  // namespace heddle::pack

#pragma once

// The files of a launch, and where a pack holds them. Files keep their names and their places relative to each
// other, so that a launch file with relative paths is packed unchanged.

#include <map>
#include <string>
#include <vector>

#include "testbench/pack/archive.h"

namespace heddle::pack {

/// Returns every file that a launch file names: PTX, data of buffers and symbols, pages. Throws Error for a launch
/// file that cannot be read.
std::vector<std::string> files_of_launch(const std::string& launch_file);

/// Places of files in the pack, by their absolute paths.
class InputPlaces {
 public:
  /// Returns the absolute, normal form of a path; that of an empty path is empty.
  static std::string absolute(const std::string& file);

  /// `files`: all inputs. Those in a folder configs/technology have their place in the pack's own folder of
  /// technologies; the others have their places below "inputs".
  explicit InputPlaces(const std::vector<std::string>& files);
  /// Returns the place of an input.
  const std::string& of(const std::string& file) const { return places_.at(absolute(file)); }
  bool has(const std::string& file) const { return places_.contains(absolute(file)); }
  /// Returns the path of an input as a file at `from` in the pack names it.
  std::string seen_from(const std::string& from, const std::string& file) const;

  /// Returns the entry of an input. A launch file or technology that names an input by an absolute path is
  /// rewritten with a relative one. A file of pages holds only the pages that `launch_file` uses; the others are
  /// zero, so that its page numbers stay valid.
  Entry entry(const std::string& file, const std::string& launch_file) const;

 private:
  std::map<std::string, std::string> places_;
};

}  // namespace heddle::pack

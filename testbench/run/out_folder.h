#pragma once

// The folder into which a run writes. The folder holds one run and belongs to one process at a time. All
// files of a run appear at the same time. The files of the previous run are removed at the same time. Files
// that no run of Heddle wrote are never replaced or removed.
//
// The list ".heddle" in the folder names Heddle's files and carries the process's lock. In a folder without
// the list, "files" of a result.json names them.

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "testbench/launch/new_file.h"

namespace heddle::run {

class OutFolder {
 public:
  /// Creates the folder if it is missing, and locks it. Throws Error if it cannot be written to, or if
  /// another process writes into it. Removes incomplete files of a killed run.
  explicit OutFolder(std::string path);
  ~OutFolder();
  OutFolder(const OutFolder&) = delete;
  OutFolder& operator=(const OutFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string path_of(const std::string& name) const { return path_ + "/" + name; }

  /// Declares the files that the run may write, and the files that it reads (`inputs`). `option` is the
  /// option that names the folder ("--out"). Throws Error if a file to be written is an input, or exists
  /// although no run of Heddle wrote it.
  void expect(const std::vector<std::string>& names, const std::vector<std::string>& inputs,
              const std::string& option);

  /// Returns a new file of the run. All files of the run get their names at the same time, at the end. Throws
  /// Error if the file cannot be opened.
  launch::NewFile& add(const std::string& name);
  void write(const std::string& name, const std::string& text) { add(name).write(text); }

  /// Returns the names of the run's files in the order in which they were added.
  std::vector<std::string> names() const;

  /// Discards all files of a failed run except this one.
  void keep_only(const std::string& name);

  /// Gives all files of the run their names, and removes the other files of the previous run, except inputs.
  /// If a file could not be written, throws Error and leaves the folder unchanged.
  void commit();

  /// Throws Error if `name` is not a plain file name: it must name no folder and not begin with a dot.
  static void check_name(const std::string& name, const std::string& where);

 private:
  void claim();
  void read_list();
  void write_list(const std::set<std::string>& names) const;
  void remove_parts(const std::set<std::string>& names) const;
  bool is_input(const std::string& file) const;

  std::string path_;
  int lock_ = -1;
  std::set<std::string> ours_;  ///< names of files that earlier runs have written
  std::vector<std::string> inputs_;
  std::vector<std::pair<std::string, std::unique_ptr<launch::NewFile>>> files_;
};

}  // namespace heddle::run

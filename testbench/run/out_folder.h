#pragma once

// The folder into which a run writes. The folder holds the files of one run, and one process at a time may
// use the folder. All files of a new run appear at the same time, and the files of the previous run
// disappear. Files that no run of Heddle wrote are never replaced or removed. The file ".heddle" lists
// Heddle's files in the folder, and the process locks it. If this file is missing, the list "files" of
// result.json is used instead.

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "testbench/launch/new_file.h"

namespace heddle::run {

class OutFolder {
 public:
  /// Creates and locks the folder. Throws Error if the folder cannot be written to, or if another process
  /// writes into it. Removes incomplete files of a killed run.
  explicit OutFolder(std::string path);
  ~OutFolder();
  OutFolder(const OutFolder&) = delete;
  OutFolder& operator=(const OutFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string path_of(const std::string& name) const { return path_ + "/" + name; }

  /// Declares the files that the run may write (`names`) and the files that it reads (`inputs`). `option`:
  /// the option that names the folder, for messages. Throws Error if a file to be written is an input, or
  /// exists although no run of Heddle wrote it.
  void expect(const std::vector<std::string>& names, const std::vector<std::string>& inputs,
              const std::string& option);

  /// Opens a new file, which gets the name `name` only at commit(). Throws Error if the file cannot be
  /// opened.
  launch::NewFile& add(const std::string& name);
  void write(const std::string& name, const std::string& text) { add(name).write(text); }
  /// Opens a new file, like add(), for a table that later commands read together with result.json.
  /// result.json holds the table's hash, so that these commands detect changes.
  launch::NewFile& add_table(const std::string& name);

  std::vector<std::string> names() const;
  /// Returns the name of each table, and the hash of all bytes that were written to it.
  std::vector<std::pair<std::string, std::string>> tables() const;

  void keep_only(const std::string& name);

  /// Gives all new files their names, and removes the other files of the previous run, except inputs. If a
  /// file could not be written, throws Error and changes nothing.
  void commit();

  /// Throws Error unless `name` is a plain file name. A plain name has no folder and does not begin with a
  /// dot.
  static void check_name(const std::string& name, const std::string& where);

 private:
  void claim();
  void read_list();
  void write_list(const std::set<std::string>& names) const;
  void remove_parts(const std::set<std::string>& names) const;
  bool is_input(const std::string& file) const;

  std::string path_;
  int lock_ = -1;
  std::set<std::string> ours_;
  std::vector<std::string> inputs_;
  std::vector<std::pair<std::string, std::unique_ptr<launch::NewFile>>> files_;
};

}  // namespace heddle::run

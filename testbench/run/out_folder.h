#pragma once

// The folder into which a run writes. It holds one run and belongs to one process at a time. All files of a
// run appear at the same time, when the files of the previous run disappear. Files that no run of Heddle
// wrote are never replaced or removed. The list ".heddle" in the folder names Heddle's files and carries the
// process's lock. Without the list, "files" of a result.json names Heddle's files.

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

  /// Declares the files that the run may write and reads (`inputs`). `option`: the option that names the
  /// folder. Throws Error if a file to be written is an input, or exists although no run of Heddle wrote it.
  void expect(const std::vector<std::string>& names, const std::vector<std::string>& inputs,
              const std::string& option);

  /// Returns a new file, which gets its name at commit(). Throws Error if it cannot be opened.
  launch::NewFile& add(const std::string& name);
  void write(const std::string& name, const std::string& text) { add(name).write(text); }
  /// Like add(), for a table that later commands read next to result.json. result.json holds the table's
  /// hash.
  launch::NewFile& add_table(const std::string& name);

  std::vector<std::string> names() const;
  /// Returns the names of the tables, and the hashes of all that was written to them.
  std::vector<std::pair<std::string, std::string>> tables() const;

  void keep_only(const std::string& name);

  /// Gives all files their names, and removes other files of the previous run, except inputs. If a file could
  /// not be written, throws Error and changes nothing.
  void commit();

  /// Throws Error unless `name` is a plain file name: no folder, and no dot at its beginning.
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

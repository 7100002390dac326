#pragma once

// The folder that a run writes into. It holds one run: it belongs to one process at a time, the files of a run take
// their places together, and those of the run before go with them. What no run of Heddle wrote is never replaced or
// removed.
//
// Which files are Heddle's is said by the list ".heddle" in the folder, which also is what a process locks; of a folder
// without one, by the "files" of a result.json.

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "testbench/run/new_file.h"

namespace heddle::run {

class OutFolder {
 public:
  /// Makes the folder if it is not there, and claims it. Throws Error if it cannot be written to, or if another process
  /// writes into it. Parts of files that a killed run left are removed.
  explicit OutFolder(std::string path);
  ~OutFolder();
  OutFolder(const OutFolder&) = delete;
  OutFolder& operator=(const OutFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string path_of(const std::string& name) const { return path_ + "/" + name; }

  /// The run will write files of these names, at most, and reads `inputs`; `option` says what names the folder
  /// ("--out"). Throws Error for a file that is read, and for one that stands in the folder and that no run of Heddle
  /// wrote.
  void expect(const std::vector<std::string>& names, const std::vector<std::string>& inputs,
              const std::string& option);

  /// A new file of the run; it takes its place with the others. Throws Error if it cannot be opened.
  NewFile& add(const std::string& name);
  void write(const std::string& name, const std::string& text) { add(name).write(text); }

  /// The names that were added, in this order.
  std::vector<std::string> names() const;

  /// Of what was added, this file alone is kept (of a run that failed).
  void keep_only(const std::string& name);

  /// All files that were added take their places; those of the run before that were not are removed, but for inputs.
  /// Throws Error, and leaves the folder as it was, if one could not be written.
  void commit();

  /// Throws Error unless `name` can be a file of a run's folder: no folders in it, no dot at its beginning.
  static void check_name(const std::string& name, const std::string& where);

 private:
  void claim();
  void read_list();
  void write_list(const std::set<std::string>& names) const;
  void remove_parts(const std::set<std::string>& names) const;
  bool is_input(const std::string& file) const;

  std::string path_;
  int lock_ = -1;
  std::set<std::string> ours_;  ///< what earlier runs left
  std::vector<std::string> inputs_;
  std::vector<std::pair<std::string, std::unique_ptr<NewFile>>> files_;
};

}  // namespace heddle::run

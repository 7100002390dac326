#pragma once

// Temporary folders that belong to one process of Heddle.

#include <string>

namespace heddle::launch {

/// A folder in TMPDIR (or /tmp) that the destructor removes. Its name contains host and process number. From
/// such names, the constructor finds and removes folders of killed processes of this host.
class TemporaryFolder {
 public:
  /// Creates the folder. `kind`: part of the folder's name, such as "exec". Throws Error, which names TMPDIR,
  /// on failure.
  explicit TemporaryFolder(const std::string& kind);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace heddle::launch

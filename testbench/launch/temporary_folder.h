#pragma once

// Temporary folders that belong to one process of Heddle.

#include <string>

namespace heddle::launch {

/// A new folder in TMPDIR (or /tmp), which the destructor removes with its contents. The folder's name holds
/// host and process. The constructor also removes folders of processes of this host that were killed.
class TemporaryFolder {
 public:
  /// `kind`: part of the folder's name, such as "exec". Throws Error, which names TMPDIR, if the folder
  /// cannot be created.
  explicit TemporaryFolder(const std::string& kind);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace heddle::launch

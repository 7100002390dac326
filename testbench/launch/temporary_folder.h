#pragma once

// Folders for files that no other process of Heddle may see.

#include <string>

namespace heddle::launch {

/// A new folder in TMPDIR (/tmp without it), removed with its contents. Its name holds host and process; the
/// constructor removes those that ended processes of this host have left (kill -9).
class TemporaryFolder {
 public:
  /// `kind`: in the name, "exec". Throws Error, which names TMPDIR, if the folder cannot be made.
  explicit TemporaryFolder(const std::string& kind);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace heddle::launch

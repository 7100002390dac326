#pragma once

// Files for readers that take a path.

#include <string>

#include "models/core/error.h"

namespace heddle::fuzz {

/// Returns true if `read` returns, false if it throws Error. Passes on any other exception.
template <class F>
bool takes(F&& read) {
  try {
    read();
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// A folder of this process, removed at its end.
class TargetFolder {
 public:
  TargetFolder();
  ~TargetFolder();
  TargetFolder(TargetFolder&& other) noexcept;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// A file, removed at the end of the object's life.
class TargetFile {
 public:
  /// An empty `path` is replaced by the name of a file in the folder of temporary files.
  explicit TargetFile(const std::string& content, std::string path = {});
  ~TargetFile();
  TargetFile(const TargetFile&) = delete;
  TargetFile& operator=(const TargetFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace heddle::fuzz

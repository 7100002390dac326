#pragma once

#include <string>

#include "models/core/error.h"

namespace heddle::fuzz {

/// Calls `read`. Returns false if `read` throws an Error. Any other exception passes through to the caller.
template <class F>
bool takes(F&& read) {
  try {
    read();
    return true;
  } catch (const Error&) {
    return false;
  }
}

class TargetFolder {
 public:
  TargetFolder();
  ~TargetFolder();
  TargetFolder(TargetFolder&& other) noexcept;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class TargetFile {
 public:
  /// Writes `content` to a file. If `path` is empty, the file is in the folder of temporary files.
  explicit TargetFile(const std::string& content, std::string path = {});
  ~TargetFile();
  TargetFile(const TargetFile&) = delete;
  TargetFile& operator=(const TargetFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace heddle::fuzz

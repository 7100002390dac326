#pragma once

// A new file that is compressed with gzip if its name ends in .gz. The same text always gives the same bytes,
// because the gzip header has no time and no file name.

#include <memory>
#include <string>
#include <string_view>

#include "testbench/launch/new_file.h"

namespace heddle::output {

class CompressedFile {
 public:
  /// Opens the file under a temporary name. Throws Error, with the reason, if the file cannot be opened.
  explicit CompressedFile(const std::string& path);
  ~CompressedFile();

  void write(std::string_view text);
  /// Finishes the file and renames it to its final name. Throws Error if the file could not be written.
  void commit();
  const std::string& path() const { return file_.path(); }

 private:
  struct Stream;
  void compress(std::string_view text, bool last);

  launch::NewFile file_;
  std::unique_ptr<Stream> stream_;  ///< nullptr: the file is not compressed
};

}  // namespace heddle::output

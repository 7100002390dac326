#pragma once

// Writing files so that nobody ever sees half of one, and never over what a run has read.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::run {

/// A file that takes its place when it is complete. Until then it stands beside it, under a name that no
/// other process uses; without commit() it is removed again. Devices and pipes (/dev/stdout) are written to
/// directly.
class NewFile {
 public:
  explicit NewFile(std::string path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Where to write.
  const std::string& part() const { return part_; }
  /// The file that is meant.
  const std::string& path() const { return path_; }
  /// Throws Error if the file cannot take its place.
  void commit();

 private:
  std::string path_, target_, part_;
  bool committed_ = false;
};

/// Throws Error if the file cannot be written; what was there before is there still then.
void write_text(const std::string& path, const std::string& text);

/// FNV-1a, 64 bits: as a number, and in hexadecimal digits.
std::uint64_t fnv1a64(std::string_view text);
std::string hash_of_text(std::string_view text);
/// The same of a file's bytes. Throws Error if it cannot be read.
std::string hash_of_file(const std::string& path);

/// Throws Error, with both names, if a file that will be written is one that is read, by whatever name.
/// `option` says what has to be changed: "--out".
void check_overwrites_no_input(const std::vector<std::string>& outputs,
                               const std::vector<std::string>& inputs, const std::string& option);

}  // namespace heddle::run

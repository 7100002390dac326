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
  /// Throws Error, with the reason, if the file cannot be opened.
  explicit NewFile(std::string path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Appends. What goes wrong here (a full disk) is told by finish(), so that whoever writes in the middle of a run
  /// need not care.
  void write(std::string_view text);
  /// Nothing more is written. Throws Error, with the reason, if anything could not be.
  void finish();
  /// Finishes, and the file takes its place. Throws Error if it cannot.
  void commit();

  /// The file that is meant.
  const std::string& path() const { return path_; }
  /// Whether `part` is the name, without its folder, of a part of a file called `name`.
  static bool is_part_of(const std::string& part, const std::string& name);
  /// Whether it is that of a part of any file, of a process of this machine that is no more.
  static bool is_left_over(const std::string& part);

 private:
  void write_all(std::string_view text);
  void flush();

  std::string path_, target_, part_;
  std::string buffer_;
  int descriptor_ = -1;
  int failure_ = 0;  ///< errno of the first write that failed
  bool committed_ = false;
};

/// Throws Error, with the reason, if the file cannot be written; what was there before is there still then.
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

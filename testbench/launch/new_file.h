#pragma once

// Writes files so that no reader sees a partial file, and never over an input of the run.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::launch {

/// A file that appears under its name when the file is complete. Until then, the file has a name that no
/// other process uses, in the same folder. Without commit() the file is removed. Devices and pipes
/// (/dev/stdout) are written to directly.
class NewFile {
 public:
  /// Opens the file under its temporary name. Throws Error, with the reason, if this fails.
  explicit NewFile(std::string path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Appends bytes. Errors such as a full disk are reported only by finish(), so that callers in the middle
  /// of a run need not handle them.
  void write(std::string_view text);
  /// Ends writing. Throws Error, with the reason, if anything could not be written.
  void finish();
  /// Finishes and gives the file its name. Throws Error on failure.
  void commit();

  /// Returns the path that the file has after commit().
  const std::string& path() const { return path_; }
  /// Returns true if `part`, a name without folder, belongs to an incomplete file `name`.
  static bool is_part_of(const std::string& part, const std::string& name);
  /// Returns the name of an incomplete file `name` of this process.
  static std::string part_of(const std::string& name);
  /// Returns true if `part` belongs to an incomplete file of a process of this machine that has ended.
  static bool is_left_over(const std::string& part);

 private:
  void write_all(std::string_view text);
  void flush();

  std::string path_, target_, part_;
  std::string buffer_;
  int descriptor_ = -1;
  int failure_ = 0;  ///< errno of the first write that failed; 0: none
  bool committed_ = false;
};

/// Removes a link, a pipe or a folder with its contents, if one exists at this path. Use it only for names
/// that Heddle alone uses in its own stores.
void remove_unless_file(const std::string& path);

/// Writes a whole file. Throws Error, with the reason, if this fails; an existing file is then unchanged.
void write_text(const std::string& path, const std::string& text);

/// Returns the FNV-1a hash with 64 bits: as a number, or in hexadecimal digits.
std::uint64_t fnv1a64(std::string_view text);
std::string hash_of_text(std::string_view text);
/// Returns the FNV-1a hash of a file's bytes. Throws Error if the file cannot be read.
std::string hash_of_file(const std::string& path);

/// Throws Error, with both names, if an output file is the same file as an input, even under another name.
/// `option` names the option to change, such as "--out".
void check_overwrites_no_input(const std::vector<std::string>& outputs,
                               const std::vector<std::string>& inputs, const std::string& option);

}  // namespace heddle::launch

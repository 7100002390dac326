#pragma once

// Writes files so that no reader sees a partial file, and so that no input of the run is overwritten.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::launch {

/// A file that gets its name when it is complete. Until then it has a unique name in the same folder. Without
/// commit(), the destructor removes the file. Devices and pipes (/dev/stdout) are written to directly.
class NewFile {
 public:
  explicit NewFile(std::string path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Errors such as a full disk are reported only by finish(), so that callers in the middle of a run need
  /// not handle them.
  void write(std::string_view text);
  /// Throws Error, with the reason, if anything could not be written.
  void finish();
  /// Finishes and gives the file its name. Throws Error on failure.
  void commit();

  const std::string& path() const { return path_; }
  /// Returns true if `part` is the temporary name of an incomplete file `name`.
  static bool is_part_of(const std::string& part, const std::string& name);
  static std::string part_of(const std::string& name);
  /// Returns true if `part` is an incomplete file of an ended process of this machine.
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

/// Removes a link, pipe or folder with its contents at this path. Use only for names in Heddle's own stores.
void remove_unless_file(const std::string& path);

/// Writes a whole file. Throws Error on failure; an existing file is then unchanged.
void write_text(const std::string& path, const std::string& text);

/// Return the FNV-1a hash with 64 bits, as a number or in hexadecimal digits.
std::uint64_t fnv1a64(std::string_view text);
std::string hash_of_text(std::string_view text);
/// Returns the FNV-1a hash of a file's bytes. Throws Error if the file cannot be read.
std::string hash_of_file(const std::string& path);

/// Throws Error if an output file is an input, even under another name. `option`: the option to change, such
/// as "--out".
void check_overwrites_no_input(const std::vector<std::string>& outputs,
                               const std::vector<std::string>& inputs, const std::string& option);

}  // namespace heddle::launch

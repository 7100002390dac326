#pragma once

// Writes files so that no reader sees a partial file, and so that no input of the run is overwritten.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::launch {

/// Returns the FNV-1a hash with 64 bits. `before`: the hash of the text in front of this text.
constexpr std::uint64_t kEmptyHash = 0xcbf29ce484222325;
std::uint64_t fnv1a64(std::string_view text, std::uint64_t before = kEmptyHash);
/// Returns the hash in hexadecimal digits.
std::string hash_digits(std::uint64_t hash);

/// A file that gets its name when it is complete. Until then it has a unique name in the same folder. Without
/// commit(), the destructor removes the file. Devices and pipes (/dev/stdout) are written to directly; a pipe
/// without a reader is an error.
class NewFile {
 public:
  explicit NewFile(std::string path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Errors such as a full disk are reported only by finish(), so that callers in the middle of a run need
  /// not handle them.
  void write(std::string_view text);
  /// Begins the hash of all that is written from now on (fnv1a64).
  void begin_hash() { hash_ = kEmptyHash; }
  std::optional<std::uint64_t> hash() const { return hash_; }
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
  std::optional<std::uint64_t> hash_;
  int descriptor_ = -1;
  int failure_ = 0;  ///< errno of the first write that failed; 0: none
  bool committed_ = false;
};

/// Removes a link, pipe or folder with its contents at this path. Use only for names in Heddle's own stores.
void remove_unless_file(const std::string& path);

/// Removes incomplete files of this name, which killed processes left in the folder of the path.
void remove_left_over(const std::string& path);

/// Writes a whole file. Throws Error on failure; an existing file is then unchanged.
void write_text(const std::string& path, const std::string& text);
/// Like write_text(), for a file that the user names. Also removes its incomplete files of killed processes.
void write_named(const std::string& path, const std::string& text);

std::string hash_of_text(std::string_view text);
/// Returns the FNV-1a hash of a file's bytes. Throws Error if the file cannot be read.
std::string hash_of_file(const std::string& path);

/// Throws Error if an output file is an input, even under another name. `option`: the option to change, such
/// as "--out".
void check_overwrites_no_input(const std::vector<std::string>& outputs,
                               const std::vector<std::string>& inputs, const std::string& option);

}  // namespace heddle::launch

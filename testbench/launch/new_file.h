#pragma once

// Writes files so that no reader sees an incomplete file, and so that no input file of the run is
// overwritten.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::launch {

/// Returns the 64-bit FNV-1a hash of a text. To hash a text in pieces, pass the hash of the pieces so far as
/// `before`.
constexpr std::uint64_t kEmptyHash = 0xcbf29ce484222325;
std::uint64_t fnv1a64(std::string_view text, std::uint64_t before = kEmptyHash);
/// Returns the hash in hexadecimal digits.
std::string hash_digits(std::uint64_t hash);

/// A file that gets its final name only when it is complete. Until commit(), it has a unique temporary name
/// in the same folder. Without commit(), the destructor removes the file. Devices and pipes (/dev/stdout)
/// have no temporary name; they are written to directly. A pipe without a reader is an error.
class NewFile {
 public:
  explicit NewFile(std::string path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Writes a text. Errors such as a full disk are stored, and only finish() reports them. Callers in the
  /// middle of a run therefore need not handle errors.
  void write(std::string_view text);
  /// Begins a hash of everything that is written from now on (fnv1a64).
  void begin_hash() { hash_ = kEmptyHash; }
  std::optional<std::uint64_t> hash() const { return hash_; }
  /// Writes the rest of the file. Throws Error, with the reason, if any write has failed.
  void finish();
  /// Calls finish(), and then gives the file its name. Throws Error on failure.
  void commit();

  const std::string& path() const { return path_; }
  /// Returns true if `part` is a temporary name that an incomplete file `name` may have.
  static bool is_part_of(const std::string& part, const std::string& name);
  static std::string part_of(const std::string& name);
  /// Returns true if `part` is the temporary name of an incomplete file whose process, on this machine, has
  /// ended.
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

/// Removes a link, a pipe, or a folder with its contents at this path. Keeps an ordinary file. Use only for
/// paths in Heddle's own stores.
void remove_unless_file(const std::string& path);

/// Removes incomplete files for this path, which killed processes have left.
void remove_left_over(const std::string& path);

/// Writes a whole file. If this fails, throws Error and leaves an existing file unchanged.
void write_text(const std::string& path, const std::string& text);
/// Writes a whole file whose path the user gives, like write_text(). Also removes incomplete files that
/// killed processes have left for this path (remove_left_over).
void write_named(const std::string& path, const std::string& text);

std::string hash_of_text(std::string_view text);
/// Returns the FNV-1a hash of a file's contents. Throws Error if the file cannot be read.
std::string hash_of_file(const std::string& path);

/// Throws Error if an output file is the same file as an input, even under another name. `option`: the option
/// that the user must change, such as "--out".
void check_overwrites_no_input(const std::vector<std::string>& outputs,
                               const std::vector<std::string>& inputs, const std::string& option);

}  // namespace heddle::launch

#pragma once

// Reads files that the user names. Throws Error with the file's name for folders, unreadable files, and files
// above a size limit.

#include <cstdint>
#include <string>

namespace heddle {

inline constexpr std::uint64_t kMostTextBytes = std::uint64_t{256} << 20;

/// Throws Error if the path is a folder, a pipe or a device: opening a pipe could block forever, and a run
/// reads its inputs more than once.
void require_file(const std::string& path);

/// Returns the contents of a file of at most `most_bytes` bytes. `what`: kind of file for errors, such as
/// "the PTX file".
std::string read_whole_file(const std::string& path, const std::string& what, std::uint64_t most_bytes);

/// Returns the contents of a text file of at most kMostTextBytes bytes, without a byte-order mark.
std::string read_text_file(const std::string& path, const std::string& what);

/// Returns the text in a form for terminals. Line breaks stay. Other control characters and invalid UTF-8 are
/// written as \xNN. Words of more than about 100 characters and texts of more than a few thousand characters
/// are shortened in the middle.
std::string printable(const std::string& text);

std::string on_one_line(std::string text);

}  // namespace heddle

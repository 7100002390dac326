#pragma once

// Reads whole files that the user names. Throws Error with the file's name for folders, unreadable files, and
// files above a size limit (such as an endless device).

#include <cstdint>
#include <string>

namespace heddle {

/// Largest size of a text file in bytes.
inline constexpr std::uint64_t kMostTextBytes = std::uint64_t{256} << 20;

/// Throws Error if the path is a folder, a pipe or a device. Pipes are refused because opening one blocks
/// until a writer opens it, and because a run reads its inputs more than once.
void require_file(const std::string& path);

/// Returns the contents of a file of at most `most_bytes` bytes. `what`: kind of file for errors, such as
/// "the PTX file" or "this file".
std::string read_whole_file(const std::string& path, const std::string& what, std::uint64_t most_bytes);

/// Returns the contents of a text file of at most kMostTextBytes bytes, without a byte-order mark at the
/// start.
std::string read_text_file(const std::string& path, const std::string& what);

/// Returns the text as one line that can be printed on a terminal. Control characters and invalid UTF-8 are
/// written as \xNN. Words of more than about a hundred characters, and texts of more than a few thousand
/// characters, are shortened in the middle.
std::string printable(const std::string& text);

/// Returns the lines of a text, joined by "; ".
std::string on_one_line(std::string text);

}  // namespace heddle

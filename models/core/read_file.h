#pragma once

// Reads whole files of the user. Throws one Error with the file's name for folders, unreadable files, and
// files above a size limit (such as an endless device).

#include <cstdint>
#include <string>

namespace heddle {

inline constexpr std::uint64_t kMostTextBytes = std::uint64_t{256} << 20;  ///< limit for text files

/// Throws Error for a folder, a pipe or a device. A pipe would block until a writer opens it, and a run
/// reads its inputs more than once.
void require_file(const std::string& path);

/// `what` names the kind of file in errors ("the PTX file", "this file").
std::string read_whole_file(const std::string& path, const std::string& what, std::uint64_t most_bytes);

/// As read_whole_file, with the limit kMostTextBytes and without a leading byte-order mark.
std::string read_text_file(const std::string& path, const std::string& what);

/// Returns the text as one line for a terminal. Control characters and invalid UTF-8 become \xNN. Words of
/// more than about a hundred characters and texts of some thousands are shortened in the middle.
std::string printable(const std::string& text);

/// Joins the lines of a text with "; ".
std::string on_one_line(std::string text);

}  // namespace heddle

#pragma once

// Files of the user, read whole: one error that names the file for a folder, for what cannot be read, and for
// what is larger than any such file would be (a device that never ends).

#include <cstdint>
#include <string>

namespace heddle {

inline constexpr std::uint64_t kMostTextBytes = std::uint64_t{256} << 20;  ///< of a text file

/// `what` names the kind in errors ("the PTX file", "this file").
std::string read_whole_file(const std::string& path, const std::string& what, std::uint64_t most_bytes);

/// As read_whole_file, up to kMostTextBytes, without a leading byte-order mark.
std::string read_text_file(const std::string& path, const std::string& what);

/// One line for a terminal: control characters and broken UTF-8 as \xNN, words beyond a hundred and some
/// characters and texts beyond some thousands shortened in the middle.
std::string printable(const std::string& text);

/// The lines of a text with "; " between them.
std::string on_one_line(std::string text);

}  // namespace heddle

#pragma once

// Returns true if the program Node.js is installed, which some tests need to draw the pictures of reports.

#include <cstdlib>

namespace heddle::test {

inline bool has_node() { return std::system("command -v node >/dev/null 2>&1") == 0; }

}  // namespace heddle::test

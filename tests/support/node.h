#pragma once

// Returns true if Node.js, which draws the pictures of reports, is installed.

#include <cstdlib>

namespace heddle::test {

inline bool has_node() { return std::system("command -v node >/dev/null 2>&1") == 0; }

}  // namespace heddle::test

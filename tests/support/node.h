#pragma once

// True if pictures can be drawn here: reports draw them with Node.

#include <cstdlib>

namespace heddle::test {

inline bool has_node() { return std::system("command -v node >/dev/null 2>&1") == 0; }

}  // namespace heddle::test

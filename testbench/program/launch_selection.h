#pragma once

// Which launches of a program are meant, by position and by kernel (`heddle exec --launches`).

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace heddle::program {

class LaunchSelection {
 public:
  enum class Choice : std::uint8_t {
    no,
    yes,
    first_of_kind,  ///< if no launch before was like it (testbench/run/launch_kinds.h), which shows when it has run
  };

  /// Items with commas between them: a position ("7", counted from 0), positions ("10-19"), a pattern of kernels' names
  /// ("bfs*"), or of these the first launches ("bfs*:5", "*:5"); "representatives": the first of each kind. No item:
  /// every launch. Throws Error that names `option` for anything else.
  LaunchSelection(const std::string& text, const std::string& option);

  /// Asked once for every launch, in their order. A pattern fits the mangled name or the plain one.
  Choice choose(std::uint64_t position, const std::string& mangled, const std::string& plain);
  bool asks_for_representatives() const { return representatives_; }

 private:
  struct Item {
    std::uint64_t first = 0, last = 0;                               ///< positions
    std::string pattern;                                             ///< or this; empty: none
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max();  ///< launches of a kernel
    std::map<std::string, std::uint64_t> seen;                       ///< by mangled name
  };
  static Item read(const std::string& text, const std::string& option);
  std::vector<Item> items_;
  bool representatives_ = false;
};

}  // namespace heddle::program

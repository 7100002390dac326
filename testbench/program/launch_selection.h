#pragma once

// Selects launches of a program by position and by kernel (`heddle exec --launches`).

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
    /// The launch is selected if no earlier launch is of its kind: same kernel and shape, and similar numbers
    /// of instructions and memory accesses (testbench/run/launch_kinds.h). Whether the launch is selected is
    /// known only after it has run.
    first_of_kind,
  };

  /// Reads a list of items, separated by commas. An item is a position ("7", from 0), a range ("10-19"), a
  /// pattern of kernel names ("bfs*"), or a pattern and a number of launches ("bfs*:5"). The item
  /// "representatives" selects the first launch of each kind (a kind is a set of similar launches, see
  /// Choice::first_of_kind). Without items, all launches are selected. Throws Error, which names `option`,
  /// for anything else.
  LaunchSelection(const std::string& text, const std::string& option);

  /// Returns whether a launch is selected. Call once for every launch, in order. Patterns are compared with
  /// the mangled and the plain name.
  Choice choose(std::uint64_t position, const std::string& mangled, const std::string& plain);
  bool selects_representatives() const { return representatives_; }

 private:
  struct Item {
    std::uint64_t first = 0, last = 0;
    std::string pattern;
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    std::map<std::string, std::uint64_t> seen;
  };
  static Item read(const std::string& text, const std::string& option);
  std::vector<Item> items_;
  bool representatives_ = false;
};

}  // namespace heddle::program

#pragma once

// What an SM has left of its resources, as families show them to each other.

#include <vector>

namespace heddle {

/// Physical warp-wide register entries of one partition, by bank.
struct RegisterBudget {
  std::vector<int> free;
  std::vector<int> capacity;
};

struct ResourceView {
  std::vector<RegisterBudget> registers;  ///< by partition
};

}  // namespace heddle

#pragma once

// Finds the storage arrays of the SM's parts (models/core/part_arrays.h), and computes the arrays' sizes in a
// configuration. An account either prices an array or lists it as not priced.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/part_arrays.h"

namespace heddle::power {

struct SizedArray {
  std::string part;  ///< type of the part, such as "renaming"
  std::string name, ports;
  std::uint64_t entries = 0, bits = 0;  ///< entries in one partition of the SM; bits of an entry
  std::vector<std::string> structures;

  bool operator==(const SizedArray&) const = default;
};

struct ArrayList {
  std::vector<SizedArray> arrays;
  std::vector<std::string> undeclared;  ///< types of parts that declare nothing about arrays
};

/// Returns the arrays of all parts that the configuration names. Leaves out arrays of size 0.
/// `configuration`: tree of the run's parameters. Throws Error if a size is not a whole number, or uses a
/// name that is not allowed.
ArrayList arrays_of(const ConfigNode& configuration);

/// Returns "family: part" for each registered part of the SM that has not declared its arrays.
std::vector<std::string> find_undeclared_parts();

}  // namespace heddle::power

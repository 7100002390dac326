#pragma once

// A configuration as one hash a field, so that of many configurations that differ in few fields only these are
// hashed again.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "testbench/run/run_parameters.h"

namespace heddle::experiment {

/// Every field of RunParameters that has an influence on a point's result, by its path: all but what names files
/// (description, launch, output, watch.untimed_store), on how many threads a run goes, and what energy costs (power): energies are priced
/// afterwards. Analyses count.
class FieldHashes {
 public:
  explicit FieldHashes(run::RunParameters& parameters);

  /// Of all fields.
  std::uint64_t hash() const;
  /// Of all fields, if those at some paths (field_at) were as in other parameters.
  std::uint64_t hash_with(run::RunParameters& others, const std::set<std::string>& paths) const;

 private:
  std::map<std::string, std::size_t> positions_;  ///< by path
  std::vector<std::uint64_t> hashes_;
};

/// The field that a parameter's path is, or leads into; empty for groups of fields, and where there is none.
std::string field_at(const std::string& path);

}  // namespace heddle::experiment

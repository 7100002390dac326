#pragma once

// Hashes a configuration field by field. If many configurations differ in few fields, only these fields are
// hashed again.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "testbench/run/run_parameters.h"

namespace heddle::experiment {

/// Hashes of every field of RunParameters that affects a point's result, by path. Analyses are included. The
/// hashes leave out names of files (description, launch, output, watch.untimed_store), the number of threads,
/// what the GPU reports of itself (gpu.device), and energy prices (power), because prices are applied to stored
/// results.
class FieldHashes {
 public:
  explicit FieldHashes(run::RunParameters& parameters);

  /// Returns the hash over all fields.
  std::uint64_t hash() const;
  /// Returns the hash over all fields. The fields at some paths (field_at) are taken from `others`.
  std::uint64_t hash_with(run::RunParameters& others, const std::set<std::string>& paths) const;

 private:
  std::map<std::string, std::size_t> positions_;  ///< hash of each field, by path
  std::vector<std::uint64_t> hashes_;
};

/// Returns the field that a path names or lies inside of. Returns an empty text for groups of fields and for
/// unknown paths.
std::string field_at(const std::string& path);

}  // namespace heddle::experiment

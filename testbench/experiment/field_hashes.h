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

/// Hashes of all fields of RunParameters that affect a run's result, by path. Leaves out file names
/// (description, launch, output, watch.untimed_store), the number of threads, and gpu.device, because these
/// fields do not affect the result. Also leaves out energy prices (power), because prices are applied to
/// stored results.
class FieldHashes {
 public:
  explicit FieldHashes(run::RunParameters& parameters);

  std::uint64_t hash() const;
  /// Returns the hash over all fields, with the fields at `paths` taken from `others`.
  std::uint64_t hash_with(run::RunParameters& others, const std::set<std::string>& paths) const;

 private:
  std::map<std::string, std::size_t> positions_;
  std::vector<std::uint64_t> hashes_;
};

/// Returns the path of the field to which a parameter path belongs; empty for groups of fields and unknown
/// paths.
std::string field_at(const std::string& path);

}  // namespace heddle::experiment

#pragma once

// Finds, for the reason of a wait such as "memory", the instruction or source line at which warps waited longest. The
// data is the profile.csv of a run (--profile).

#include <optional>
#include <string>

#include "models/core/config_node.h"
#include "testbench/output/csv_table.h"

namespace heddle::why {

class Places {
 public:
  Places() = default;
  /// Reads profile.csv in the folder of a result.json, if the file exists. Throws Error if profile.csv
  /// belongs to another run.
  Places(const ConfigNode& result, const std::string& folder);
  static Places of_text(const std::string& profile_csv);

  /// Returns true if there is a profile, but none of its instructions has a source line.
  bool lacks_lines() const;
  /// Returns a text such as "kernel.cu:17, 62 % of these waits". If the program has no source lines, the text
  /// names the PTX line and the instruction. Empty without a profile, and if the profile does not count waits
  /// with this reason.
  std::string most(const std::string& kernel, const std::string& reason) const;

 private:
  std::optional<output::CsvTable> profile_;
};

}  // namespace heddle::why

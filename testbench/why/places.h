#pragma once

// The place in a program where warps waited most for a reason, from the profile.csv of a run (--profile).

#include <optional>
#include <string>

#include "models/core/config_node.h"
#include "testbench/output/csv_table.h"

namespace heddle::why {

class Places {
 public:
  Places() = default;
  /// Reads profile.csv in the folder of a result.json, if the file exists. Throws Error for another run's.
  Places(const ConfigNode& result, const std::string& folder);
  static Places of_text(const std::string& profile_csv);

  /// True if there is a profile, and no instruction of it has a source line.
  bool lacks_lines() const;
  /// Returns "kernel.cu:17, 62 % of these waits", with the PTX line and the instruction where the program has
  /// no source lines. Empty without a profile, and for a reason that is no wait of an instruction.
  std::string most(const std::string& kernel, const std::string& reason) const;

 private:
  std::optional<output::CsvTable> profile_;
};

}  // namespace heddle::why

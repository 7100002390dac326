#pragma once

// Runs a kernel at its small size, with its outputs in a temporary folder.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "testbench/output/profile_counts.h"
#include "testbench/output/run_outputs.h"

namespace heddle::output {

class ObservedRun {
 public:
  /// Runs the kernel. `settings`: settings in the form of the option --set; a setting without "=" is the name
  /// of a technique.
  ObservedRun(const std::string& kernel, const std::vector<std::string>& settings);
  ~ObservedRun();

  run::RunSession& session() { return *session_; }
  const std::vector<ProgramProfile>& profiles() const { return outputs_->profiles(); }
  const std::string& folder() const { return folder_; }
  std::string file(const std::string& name) const { return folder_ + "/" + name; }
  bool has(const std::string& name) const;
  std::string text(const std::string& name) const;
  /// Returns a counter's sum over units of the same kind and over all launches, such as "sm.issue.issued".
  std::uint64_t counter(const std::string& name) const;

 private:
  std::string folder_;
  std::unique_ptr<RunOutputs> outputs_;
  std::unique_ptr<run::RunSession> session_;
};

/// Returns the rows of a CSV text. Each row maps column names to values. Quoted fields may contain commas and
/// doubled quotes.
std::vector<std::map<std::string, std::string>> read_csv(const std::string& text);

std::uint64_t sum_of(const std::vector<std::map<std::string, std::string>>& rows, const std::string& column);

}  // namespace heddle::output

#include "testbench/output/run_totals.h"

#include <filesystem>
#include <system_error>

namespace heddle::output {

std::string relative_to(const std::string& path, const std::string& folder) {
  std::error_code ec;
  const std::filesystem::path relative = std::filesystem::relative(path, folder.empty() ? "." : folder, ec);
  return ec || relative.empty() ? path : relative.generic_string();
}

std::vector<std::uint64_t> total_counters(run::RunSession& session) {
  std::vector<std::uint64_t> total(session.stats().counters().size());
  for (const auto& record : session.result().launches)
    for (std::size_t i = 0; i < record.counters.size(); ++i) total[i] += record.counters[i];
  return total;
}

Cycle total_cycles(const run::RunResult& result) {
  Cycle cycles = 0;
  for (const auto& record : result.launches) cycles += record.cycles;
  return cycles;
}

}  // namespace heddle::output

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
  std::vector<std::uint64_t> total = session.result().totals.counters;
  total.resize(session.stats().counters().size());
  return total;
}

Cycle total_cycles(const run::RunResult& result) { return result.totals.cycles; }

}  // namespace heddle::output

#pragma once

// result.json and stats.csv (docs/formats/result.md). Nothing in them depends on the host or on the time of
// day.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/run/run_session.h"

namespace heddle::output {

/// The version of result.json that is written, and the oldest that is read.
inline constexpr int kResultFormat = 2;
inline constexpr int kOldestResultFormat = 1;

/// The version of a result.json that was read. Throws Error for one of another version, and for what is none.
int result_format(const ConfigNode& result);

/// [x, y, z] of a grid or a block.
ConfigNode extents_node(const isa::Dim3& d);

/// Names of all counters and where they stand in the registry, by name.
using CountersByName = std::vector<std::pair<std::string, std::size_t>>;
CountersByName counters_by_name(const StatsRegistry& stats);

/// "configuration": the parameters of a run with what names files relative to `folder`.
ConfigNode configuration_node(run::RunParameters parameters, const std::string& folder);

/// Entries of "launches", of one run.
class LaunchEntries {
 public:
  /// The session's GPU has been built. It outlives this.
  explicit LaunchEntries(run::RunSession& session) : session_(&session) {}
  ConfigNode entry(const run::LaunchRecord& record);

 private:
  void add_counts(ConfigNode& node, const run::LaunchRecord& record) const;
  void add_short(ConfigNode& node, const run::LaunchRecord& record);

  run::RunSession* session_;
  std::vector<std::size_t> issued_;  ///< places of the counters of issued instructions, once they are needed
};

/// The whole of result.json, but for launches that the session does not keep (RunResult::launches). Paths in it are
/// relative to `folder`.
ConfigNode make_result(run::RunSession& session, const std::string& folder);

/// Writes result.json while the run goes on, so that launches take no memory. Its text is that of make_result().
class ResultWriter {
 public:
  using Write = std::function<void(std::string_view)>;
  /// The session's GPU has been built. Paths are relative to `folder`.
  ResultWriter(run::RunSession& session, std::string folder, Write write);
  void launch_ended(const run::LaunchRecord& record);
  /// The run has ended. `files`: what it wrote into its folder, if it has one.
  void end(const std::vector<std::string>& files, CountersByName order);

 private:
  void put(const ConfigNode& members);

  run::RunSession* session_;
  std::string folder_;
  Write write_;
  LaunchEntries entries_;
  bool any_member_ = false, any_launch_ = false;
};

/// One row a counter: owner, name, unit, description, the total, and one column a launch.
std::string make_stats_csv(run::RunSession& session, const CountersByName& order);

}  // namespace heddle::output

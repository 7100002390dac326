#pragma once

// Writes result.json and stats.csv (docs/formats/result.md). Their contents do not depend on the computer or
// on the time of day.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/run/out_folder.h"
#include "testbench/run/run_session.h"

namespace heddle::output {

/// version of result.json that Heddle writes, and the oldest that it reads
inline constexpr int kResultFormat = 2;
inline constexpr int kOldestResultFormat = 1;

/// Returns the format version that a result.json states. Throws Error for an unsupported version, and for a
/// file of another kind.
int result_format(const ConfigNode& result);

ConfigNode extents_node(const isa::Dim3& d);

/// Returns the member "load_waits" of a launch in result.json.
ConfigNode load_waits_node(const compiler::LoadWaits& waits);

/// Positions of all counters in the registry, sorted by the counters' full names.
using CountersByName = std::vector<std::size_t>;
CountersByName counters_by_name(const StatsRegistry& stats);

ConfigNode configuration_node(run::RunParameters parameters, const std::string& folder);

class LaunchEntries {
 public:
  /// Makes the entries of launches in result.json. Call after the session has built its GPU. The session must
  /// outlive this object.
  explicit LaunchEntries(run::RunSession& session) : session_(&session) {}
  ConfigNode entry(const run::LaunchRecord& record);

 private:
  void add_counts(ConfigNode& node, const run::LaunchRecord& record) const;
  void add_short(ConfigNode& node, const run::LaunchRecord& record);

  run::RunSession* session_;
  std::vector<std::size_t> issued_;
};

/// Returns the whole result.json. The list of launches in it equals RunResult::launches. Paths are relative
/// to `folder`.
ConfigNode make_result(run::RunSession& session, const std::string& folder);

/// Writes result.json while the run proceeds, so that launches need not stay in memory. The text is the same
/// as that of make_result().
class ResultWriter {
 public:
  using Write = std::function<void(std::string_view)>;
  /// Writes the beginning of result.json. Call after the session has built its GPU. Paths in the file are
  /// relative to `folder`.
  ResultWriter(run::RunSession& session, std::string folder, Write write);
  void launch_ended(const run::LaunchRecord& record);
  /// Writes the rest of result.json. `folder`: the output folder, whose files are listed in result.json;
  /// nullptr: no files are listed.
  void end(const run::OutFolder* folder, const CountersByName& order);

 private:
  void put(const ConfigNode& members);

  run::RunSession* session_;
  std::string folder_;
  Write write_;
  LaunchEntries entries_;
  bool any_member_ = false, any_launch_ = false;
};

/// Returns stats.csv. It has one row for each counter, with owner, name, unit, description, total, and one
/// column for each launch.
std::string make_stats_csv(run::RunSession& session, const CountersByName& order);

}  // namespace heddle::output

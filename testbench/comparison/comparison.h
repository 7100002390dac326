#pragma once

// Compares runs. A saving is a share of the first run's energy: (energy of the first run - energy of another
// run) / energy of the first run.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/estimate/paired_places.h"
#include "testbench/run/differences.h"

namespace heddle::comparison {

struct PricedBy {
  std::string name;
  std::string hash;
  /// True if power.stand_back lists this technology (a table of energies per event). The technology then
  /// applies only to events that are in no other technology of the run.
  bool stands_back = false;
  bool operator==(const PricedBy&) const = default;
};

/// Holds the values that a comparison needs of one run. The values come from a result.json or, for a program,
/// from a program.json.
struct ComparedRun {
  /// Name of the run in the text of the comparison, such as "plain", "hybrid+warped-gates" or
  /// "fermi-gtx480,gpu.sms=1".
  std::string name;
  std::string file;
  std::string stored;  ///< the result.json or program.json that was read; of a pack, the unpacked file
  std::string launch;
  std::string command;
  /// Names and hashes of the executed files, and the arguments of the program.
  std::string program;
  std::string check;
  std::string version;
  std::uint64_t cycles = 0;
  std::vector<std::string> notes;  ///< remarks on how the run was executed, one sentence each
  std::vector<std::string> techniques;
  std::vector<PricedBy> account;
  /// Names and hashes of the technology tables that the run's technologies extend, and the value of
  /// power.corners.
  std::string extended;
  ConfigNode configuration;
  std::string folder;  ///< folder to which paths in `configuration` are relative
  ConfigNode metrics;
  /// structures whose energies are included; empty if the result does not name them
  std::vector<std::string> scope;
  /// "cycles" and "counters" of the whole run, from which energies can be computed again; null if the file
  /// lacks them.
  ConfigNode counted;
  ConfigNode energy;  ///< energy of the whole run; null if the run has no account
  std::shared_ptr<const void> files;
  estimate::PairedRun paired;  ///< CTA windows measured with estimate.paired_share; empty for other runs
  const std::string& runs() const { return command.empty() ? launch : command; }
};

/// Reads a result.json or program.json. `folder`: the paths in the file are relative to this folder. Throws
/// Error, which names `where`, for other contents, for an incomplete run, and for a program without timed
/// launches.
ComparedRun compared_run(const std::string& name, const ConfigNode& result, const std::string& folder,
                         const std::string& where);
/// Reads a result.json or program.json from a file. Throws Error in the same cases as compared_run().
ComparedRun read_compared_run(const std::string& file);
bool is_result(const ConfigNode& tree);

/// Values of one metric, one for each run; empty for a run that lacks the metric.
struct Row {
  std::string name;
  std::vector<std::optional<double>> values;
  bool whole = false;
};

/// Energies in nJ, one for each run: of a structure ("register_file.mrf"), a group of structures
/// ("register_file") or the whole run ("total").
struct EnergyRow {
  Row total, dynamic, leakage, overhead;
  const std::string& name() const { return total.name; }
};

/// Returns the share of the first run's value that a run saves: 1 - run/first. Empty if a value is missing,
/// or if the first run's value is 0.
std::optional<double> saved(const Row& row, std::size_t run);

using Runs = std::vector<ComparedRun>;

/// Returns the ratio of a run's cycles to the first run's cycles, with a 90 % interval. Empty unless both
/// runs are estimates that time the same CTAs (estimate.paired_share).
std::optional<estimate::PairedDifference> paired_difference(const Runs& runs, std::size_t run);

/// Returns the ratio of a run's energy to the first run's energy, with a 90 % interval. Empty if
/// paired_difference() is empty, or if a run has no energy account.
std::optional<estimate::PairedDifference> paired_energy(const Runs& runs, std::size_t run);

std::vector<Row> measures(const Runs& runs);
std::vector<EnergyRow> energies(const Runs& runs);
std::vector<run::ParameterDifference> differing_parameters(const Runs& runs);
/// Returns true if the energies of this run and of the first run were computed with the same technologies.
bool same_account(const Runs& runs, std::size_t run);
/// Returns warnings, one sentence each, if programs, energy accounts or versions of Heddle differ between the
/// runs.
std::vector<std::string> remarks(const Runs& runs);
/// Returns one line for each run except the first. The line states how many cycles and how much energy the
/// run takes less or more than the first run. It names both runs.
std::vector<std::string> conclusions(const Runs& runs);
/// Returns the changes of prices (energies per event) that would turn a run's saving into a loss, or a loss
/// into a saving. A change is another account that power.account allows, or the low or high end of the range
/// that a technology states for a price. Computes the energies of both runs again for each change. Returns
/// nothing if no change has this effect, if the accounts of the runs differ, or if a run has no stored
/// counters.
std::vector<std::string> sign_depends_on(const Runs& runs, std::size_t run);
bool all_equal(const Runs& runs);

}  // namespace heddle::comparison

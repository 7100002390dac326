#pragma once

// Runs beside each other. A saving is a difference between two runs, and names both: the first run of a comparison
// is the one that all others are held against. `heddle run --against` and `heddle compare` both come here.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/estimate/paired_places.h"
#include "testbench/run/differences.h"

namespace heddle::comparison {

/// One technology of a run's energy account.
struct PricedBy {
  std::string name;
  std::string hash;          ///< of its file; empty if the result does not say
  bool stands_back = false;  ///< power.stand_back names it
  bool operator==(const PricedBy&) const = default;
};

/// What a comparison knows of a run, from its result.json, or of a whole program, from its program.json.
struct ComparedRun {
  std::string name;     ///< "plain", "hybrid+warped-gates", "fermi-gtx480,gpu.sms=1"
  std::string file;     ///< the result.json that it was read from; empty if it was run for the comparison
  std::string launch;   ///< the launch file; empty for a program
  std::string command;  ///< of a program, with its arguments
  std::string
      program;  ///< names and hashes of what it ran (launch file, PTX, data; or program), and its arguments
  std::string check;    ///< "equal", "DIFFERENT" or "unchecked"
  std::string version;  ///< of the Heddle that made it
  std::uint64_t cycles = 0;
  std::vector<std::string> notes;  ///< what is to be said of how it was made, a sentence each
  std::vector<std::string> techniques;
  std::vector<PricedBy> account;   ///< sorted by name
  std::string extended;            ///< names and hashes of the tables that those extend, and power.corners
  ConfigNode configuration;        ///< the effective parameters
  std::string folder;              ///< to which paths in these are relative
  ConfigNode metrics;              ///< of the total, by name
  std::vector<std::string> scope;  ///< what the energies are of; empty if the result does not say
  ConfigNode counted;              ///< "cycles" and "counters" of the whole; null if the result has none
  ConfigNode energy;               ///< of the total; null if the run has no account
  estimate::PairedRun paired;      ///< of a run that is estimated at paired places; else without any
  const std::string& runs() const { return command.empty() ? launch : command; }
};

/// From the contents of a result.json or program.json whose paths are relative to `folder`. Throws Error, which names `where`,
/// for what is neither, for one that was ended early, and for a program of which nothing was timed.
ComparedRun compared_run(const std::string& name, const ConfigNode& result, const std::string& folder,
                         const std::string& where);
/// The same from a file.
ComparedRun read_compared_run(const std::string& file);
/// Whether this tree is a result.json or a program.json.
bool is_result(const ConfigNode& tree);

/// A value of every run, in their order; none where a run has no such thing.
struct Row {
  std::string name;
  std::vector<std::optional<double>> values;
  bool whole = false;  ///< counts
};

/// Energy of a structure ("register_file.mrf"), a group ("register_file") or all ("total") in every run, in nJ.
struct EnergyRow {
  Row total, dynamic, leakage, overhead;
  const std::string& name() const { return total.name; }
};

/// 1 - value of the run / value of the first run: what it takes less, as a share. None where one is missing or the
/// first is 0.
std::optional<double> saved(const Row& row, std::size_t run);

using Runs = std::vector<ComparedRun>;

/// How well the run's cycles beside those of the first are known; none where they are not estimated at paired places.
std::optional<estimate::PairedDifference> paired_difference(const Runs& runs, std::size_t run);

/// The same of the energies; none where cycles have none, or a run has no account.
std::optional<estimate::PairedDifference> paired_energy(const Runs& runs, std::size_t run);

/// Cycles, speed-up over the first run, and the metrics that any run has. Without energies, which are rows of
/// energies(), and without what a run is below its own baseline, which is no saving.
std::vector<Row> measures(const Runs& runs);
/// "total" first, then every group before its structures. Empty if no run has an account.
std::vector<EnergyRow> energies(const Runs& runs);
/// Every parameter that differs.
std::vector<run::ParameterDifference> differing_parameters(const Runs& runs);
/// Whether the energies of this run are of the same prices as those of the first.
bool same_account(const Runs& runs, std::size_t run);
/// What a reader has to know: other programs, other accounts, other versions of Heddle. One sentence each.
std::vector<std::string> remarks(const Runs& runs);
/// For each run but the first, what it costs and saves in one line that names both.
std::vector<std::string> conclusions(const Runs& runs);
/// What the sign of a run's saving depends on, one item each: the account ("account (papers: 13.5 % more)"), where another one
/// of power.account gives another sign, and every range of the account that alone turns it. Empty if nothing does, or
/// if the energies of the two are not of one account or not priced from counters. Prices both runs anew.
std::vector<std::string> sign_depends_on(const Runs& runs, std::size_t run);
/// Whether no run's outputs differ from the reference.
bool all_equal(const Runs& runs);

}  // namespace heddle::comparison

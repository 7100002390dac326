#pragma once

// Writes the energy of a run: the section of result.json, energy.csv, columns of intervals.csv, and lines of
// the terminal summary. Without an energy account, all of these are empty.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "power/energy_account.h"
#include "testbench/output/metrics.h"
#include "testbench/run/run_session.h"

namespace heddle::output {

/// Returns the energy of the whole run; an empty report without an account.
power::EnergyReport total_energy(run::RunSession& session);

/// Returns "energy" of a launch or of the total in result.json.
ConfigNode energy_node(const power::EnergyReport& report);

/// Returns the names, descriptions and files of the technologies, with paths relative to `folder`.
ConfigNode technologies_node(const power::EnergyAccount& account, const std::string& folder);

/// Returns the parts of the machine whose energy no technology prices. "events" lists parts without a price
/// for accesses, "leakage" parts without static power.
ConfigNode not_priced_node(const power::NotPriced& not_priced);

/// Joins the names of the structures that the energies cover, as in "SM, L1 and DRAM".
std::string scope_text(const std::vector<std::string>& scope);

/// Returns the energy metrics of a launch or a run.
std::vector<Metric> energy_metrics(const power::EnergyReport& report);

/// Returns true if energy_metrics() has a metric of this name.
bool is_energy_metric(const std::string& name);

/// These functions return lines of energy.csv: the first line, and the rows of a launch or of the total.
std::string energy_csv_heading();
std::string energy_csv_rows(const std::string& launch, const power::EnergyReport& report);

/// Returns the text of energy.csv: one row for each entry of a technology, for the total and then for every
/// timed launch.
std::string make_energy_csv(run::RunSession& session);

/// Returns the lines of the terminal summary that show energies.
std::string energy_summary(const power::EnergyReport& report);

}  // namespace heddle::output

#pragma once

// Writes the energy of a run: for result.json, energy.csv, columns of intervals.csv, and the terminal
// summary. Without an energy account, all outputs of this file are empty.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "power/energy_account.h"
#include "testbench/output/metrics.h"
#include "testbench/run/run_session.h"

namespace heddle::output {

/// Returns the energy of the whole run; empty without an account.
power::EnergyReport total_energy(run::RunSession& session);

ConfigNode energy_node(const power::EnergyReport& report);

/// Returns names, descriptions and paths of the account's technologies (files of prices). The paths are
/// relative to `folder`.
ConfigNode technologies_node(const power::EnergyAccount& account, const std::string& folder);

/// Returns the structures that lack prices. The list "events" names structures without a price for accesses, the list
/// "leakage" structures without static power.
ConfigNode not_priced_node(const power::NotPriced& not_priced);

/// Joins the names of the structures whose energy the run's technologies state, as in "SM, L1 and DRAM".
std::string scope_text(const std::vector<std::string>& scope);

std::vector<Metric> energy_metrics(const power::EnergyReport& report);

bool is_energy_metric(const std::string& name);

/// energy_csv_heading() returns the first line of energy.csv; energy_csv_rows() returns the rows of a launch,
/// or of the whole run.
std::string energy_csv_heading();
std::string energy_csv_rows(const std::string& launch, const power::EnergyReport& report);

std::string make_energy_csv(run::RunSession& session);

std::string energy_summary(const power::EnergyReport& report);

}  // namespace heddle::output

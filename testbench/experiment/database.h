#pragma once

// Makes results.sqlite (docs/formats/tables.md): runs with settings, metrics, counters and energies, the
// figures, and published values, one value per row. SQLite 3 reads the file without Heddle.

#include <string>
#include <vector>

#include "testbench/experiment/figure_data.h"
#include "testbench/experiment/run_table.h"

namespace heddle::experiment {

/// Version of the tables, stored as "pragma user_version".
inline constexpr int kDatabaseFormat = 1;

/// Returns the bytes of the database. Equal results give equal bytes.
std::string database_of(const ExperimentFile& file, const Plan& plan, const Results& results,
                        const RunTable& table, const std::vector<FigureData>& figures,
                        const Published& published, const output::DescribedValues& described);

}  // namespace heddle::experiment

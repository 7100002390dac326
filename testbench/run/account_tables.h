#pragma once

// The technology tables of the accounts that power.account names, for runs that name no technologies.

#include <string>
#include <vector>

#include "testbench/run/techniques.h"

namespace heddle::run {

/// Returns the names of the accounts: "machine", "papers".
const std::vector<std::string>& account_names();

/// Returns the technologies of an account for a run with these techniques. "machine": one table, independent
/// of the techniques. "papers": the base tables, then the tables that the techniques name, each once. Throws
/// Error for another name.
std::vector<std::string> account_tables(const std::string& account, const Techniques& techniques);

}  // namespace heddle::run

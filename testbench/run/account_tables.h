#pragma once

// The tables of the accounts that power.account names, for runs that name no technologies.

#include <string>
#include <vector>

#include "testbench/run/techniques.h"

namespace heddle::run {

/// The names of the accounts: "machine", "papers".
const std::vector<std::string>& account_names();

/// Technologies of an account for a run with these techniques. "machine": one table, whatever the techniques name.
/// "papers": the base tables, then those that the techniques name, each once. Throws Error for another name.
std::vector<std::string> account_tables(const std::string& account, const Techniques& techniques);

}  // namespace heddle::run

#pragma once

// Technology tables for runs that name no technologies. The run's parameter power.account chooses the
// tables.

#include <string>
#include <vector>

#include "testbench/run/techniques.h"

namespace heddle::run {

const std::vector<std::string>& account_names();

/// Returns the tables of an account. "machine": one table, the same with and without techniques. "papers": the two
/// tables that every run with this account uses, and the tables that the techniques name, each once. Throws Error for
/// another name.
std::vector<std::string> account_tables(const std::string& account, const Techniques& techniques);

}  // namespace heddle::run

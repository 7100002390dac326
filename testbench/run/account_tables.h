#pragma once

// Technology tables of the accounts in power.account, for runs that name no technologies.

#include <string>
#include <vector>

#include "testbench/run/techniques.h"

namespace heddle::run {

const std::vector<std::string>& account_names();

/// Returns the tables of an account. "machine": one table, which does not depend on the techniques. "papers":
/// the base tables, then each table that a technique names, once. Throws Error for another name.
std::vector<std::string> account_tables(const std::string& account, const Techniques& techniques);

}  // namespace heddle::run

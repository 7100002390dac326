#pragma once

// Gives a number to each function of a module if the program takes the function's address. The numbers serve as
// addresses.

#include <cstdint>
#include <set>

namespace heddle::ptx {

class Module;

std::set<std::uint64_t> function_addresses(const Module& module);

}  // namespace heddle::ptx

#pragma once

// Numbers the functions of a module whose address is taken. The numbers serve as addresses.

#include <cstdint>
#include <set>

namespace heddle::ptx {

class Module;

std::set<std::uint64_t> function_addresses(const Module& module);

}  // namespace heddle::ptx

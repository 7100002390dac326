#pragma once

// Numbers the functions of a module whose address is taken. The number stands for the function's address.

#include <cstdint>
#include <set>

namespace heddle::ptx {

class Module;

std::set<std::uint64_t> function_addresses(const Module& module);

}  // namespace heddle::ptx

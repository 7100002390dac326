#pragma once

// The numbers that stand for the addresses of a module's functions, where their addresses are taken.

#include <cstdint>
#include <set>

namespace heddle::ptx {

class Module;

std::set<std::uint64_t> function_addresses(const Module& module);

}  // namespace heddle::ptx

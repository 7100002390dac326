#pragma once

// Assigns numbers that stand for the addresses of functions, to each function of a module whose address is
// taken.

#include <cstdint>
#include <set>

namespace heddle::ptx {

class Module;

std::set<std::uint64_t> function_addresses(const Module& module);

}  // namespace heddle::ptx

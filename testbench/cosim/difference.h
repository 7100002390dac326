#pragma once

// The first difference between model and RTL ends the run.

#include <fmt/format.h>

#include <string>

#include "models/core/error.h"
#include "models/core/ids.h"

namespace heddle::cosim {

enum class Mode : std::uint8_t {
  lockstep,  ///< the model decides, the RTL must agree
  drive      ///< the RTL decides
};

[[noreturn]] inline void differ(const std::string& instance, Cycle cycle, const std::string& signal,
                                const std::string& model, const std::string& rtl) {
  throw Error(instance, fmt::format("co-simulation: cycle {}: {} is {} in the model and {} in the RTL", cycle,
                                    signal, model, rtl));
}

/// Throws Error if the two differ.
template <class Value>
void compare(const std::string& instance, Cycle cycle, const char* signal, Value model, Value rtl) {
  if (model != rtl) [[unlikely]]
    differ(instance, cycle, signal, fmt::format("{}", model), fmt::format("{}", rtl));
}

}  // namespace heddle::cosim

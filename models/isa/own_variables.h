#pragma once

// Identifies module variables that Heddle's run time defines instead of the program, such as the printf
// buffer (runtime_call.h).

#include <string>

namespace heddle::isa {

bool is_of_run_time(const std::string& variable);

}  // namespace heddle::isa

#pragma once

// Returns true for module variables that Heddle's run time defines, such as the printf buffer.

#include <string>

namespace heddle::isa {

bool is_of_run_time(const std::string& variable);

}  // namespace heddle::isa

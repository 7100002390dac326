#pragma once

// True for variables of a module that the run time defines, not the program (runtime_call.h).

#include <string>

namespace heddle::isa {

bool is_of_run_time(const std::string& variable);

}  // namespace heddle::isa

#pragma once

// "test-delay": a passing stage with a declared latency and a limited number of accesses below it. Stands in
// for the caching and mapping stages that the register path is built for.

namespace heddle {

/// Keeps the object file, and with it the registration, in the program.
const char* test_delay_stage();

}  // namespace heddle

#pragma once

// "test-delay": a register stage that only delays accesses. The stage has a declared latency and a limited
// number of outstanding accesses. Tests use it in place of a caching or mapping stage.

namespace heddle {

/// Call this function so that the linker includes the object file, which registers the stage.
const char* test_delay_stage();

}  // namespace heddle

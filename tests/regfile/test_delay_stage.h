#pragma once

// "test-delay": a register stage with a declared latency and a limited number of outstanding accesses, in
// place of a caching or mapping stage.

namespace heddle {

/// A call makes the linker include the object file, which registers the stage.
const char* test_delay_stage();

}  // namespace heddle

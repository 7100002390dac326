#pragma once

// "test-delay": a stage with a declared latency and a limited number of accesses in the stages below it. It
// represents caching and mapping stages in tests of the path.

namespace heddle {

/// A call links the object file, which registers the stage.
const char* test_delay_stage();

}  // namespace heddle

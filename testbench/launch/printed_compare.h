#pragma once

// Compares the text that two runs printed.

#include "testbench/launch/output_compare.h"
#include "testbench/launch/printed.h"

namespace heddle::launch {

/// Compares what every thread of every launch printed, in the thread's order. The order between threads may
/// differ.
BufferComparison compare_printed(const Printed& actual, const Printed& expected);

}  // namespace heddle::launch

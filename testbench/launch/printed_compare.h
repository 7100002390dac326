#pragma once

// Compares the text that two runs printed.

#include "testbench/launch/output_compare.h"
#include "testbench/launch/printed.h"

namespace heddle::launch {

/// Compares the text of each thread of every launch. The order of the texts of different threads may differ
/// between the runs.
BufferComparison compare_printed(const Printed& actual, const Printed& expected);

}  // namespace heddle::launch

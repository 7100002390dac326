#pragma once

// Compares the text that two runs printed.

#include "testbench/launch/output_compare.h"
#include "testbench/launch/printed.h"

namespace heddle::launch {

/// True if every thread of every launch printed the same in the same order. The order of threads is free.
BufferComparison compare_printed(const Printed& actual, const Printed& expected);

}  // namespace heddle::launch

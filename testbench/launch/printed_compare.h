#pragma once

// What two runs have printed, beside each other.

#include "testbench/launch/output_compare.h"
#include "testbench/launch/printed.h"

namespace heddle::launch {

/// Whether every thread of every launch has printed the same, in the same order. Threads print in any order.
BufferComparison compare_printed(const Printed& actual, const Printed& expected);

}  // namespace heddle::launch

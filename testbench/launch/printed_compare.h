#pragma once

#include "testbench/launch/output_compare.h"
#include "testbench/launch/printed.h"

namespace heddle::launch {

/// Compares the text of each thread of every launch. The order between threads may differ.
BufferComparison compare_printed(const Printed& actual, const Printed& expected);

}  // namespace heddle::launch

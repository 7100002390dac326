#pragma once

#include "testbench/launch/output_compare.h"
#include "testbench/launch/printed.h"

namespace heddle::launch {

/// Compares the text that each thread of every launch has printed. The order between different threads may
/// differ.
BufferComparison compare_printed(const Printed& actual, const Printed& expected);

}  // namespace heddle::launch

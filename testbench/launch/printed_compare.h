#pragma once

#include "testbench/launch/output_compare.h"
#include "testbench/launch/printed.h"

namespace heddle::launch {

/// Compares, for each thread of every launch, the text that the thread has printed in two runs. The order in
/// which different threads print may differ.
BufferComparison compare_printed(const Printed& actual, const Printed& expected);

}  // namespace heddle::launch

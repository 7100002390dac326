#pragma once

// Inputs for tests of an operation. If there are few possible inputs, all are used. Otherwise the inputs are
// special values of every format and random values.

#include <cstdint>
#include <random>
#include <vector>

#include "tests/semantics/form_table.h"

namespace heddle::on_gpu {

/// Returns `rows` input tuples for the columns. If there is only one 16-bit column, it gets its 65,536 values
/// in order, then random ones.
std::vector<std::vector<std::uint64_t>> input_tuples(const std::vector<semantics::TableColumn>& columns,
                                                     std::size_t rows, std::mt19937_64& random);

}  // namespace heddle::on_gpu

#pragma once

// Chooses inputs for an operation. A single 16-bit operand gets all 65,536 values. Other operands get special
// values of every format, and random values.

#include <cstdint>
#include <random>
#include <vector>

#include "tests/semantics/form_table.h"

namespace heddle::on_gpu {

/// Returns rows of inputs. If there is only one column and it has 16 bits, the rows are first its 65,536
/// values in order, and then random values.
std::vector<std::vector<std::uint64_t>> input_tuples(const std::vector<semantics::TableColumn>& columns,
                                                     std::size_t rows, std::mt19937_64& random);

}  // namespace heddle::on_gpu

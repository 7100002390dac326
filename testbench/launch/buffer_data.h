#pragma once

// Makes the initial contents of buffers and module variables of a launch file.

#include <cstdint>
#include <optional>
#include <vector>

#include "testbench/launch/launch_format.h"

namespace heddle::launch {

/// Returns `count` elements of a data source (file, list or generator); without `count`, all its elements.
/// Throws Error for values that do not fit the type, unreadable files, files of the wrong size, and sizes
/// beyond kMaxBufferBytes.
std::vector<std::uint8_t> make_data(const DataSource& source, ElementType type,
                                    const std::optional<Expression>& count, const Scope& scope);

void store_element(ElementType type, std::uint64_t bits, std::uint8_t* into);

}  // namespace heddle::launch

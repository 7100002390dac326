#pragma once

// Makes the initial contents of buffers and module variables of a launch file.

#include <cstdint>
#include <optional>
#include <vector>

#include "testbench/launch/launch_format.h"

namespace heddle::launch {

/// Returns `count` elements of a source, or without a count all elements of the source. Throws Error for
/// values that do not fit the type, files that cannot be read or have the wrong size, and sizes beyond
/// kMaxBufferBytes.
std::vector<std::uint8_t> make_data(const DataSource& source, ElementType type,
                                    const std::optional<Expression>& count, const Scope& scope);

/// Writes an element: copies the lowest bytes of `bits` to `into`, as many as an element of `type` has.
void store_element(ElementType type, std::uint64_t bits, std::uint8_t* into);

}  // namespace heddle::launch

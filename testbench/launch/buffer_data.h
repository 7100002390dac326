#pragma once

// Initial contents of buffers and symbols.

#include <cstdint>
#include <optional>
#include <vector>

#include "testbench/launch/launch_format.h"

namespace heddle::launch {

/// Bytes of `count` elements from `source`; without a count, all of the source. Throws Error for values that
/// do not fit the type, files that cannot be read or have the wrong size, and sizes beyond kMaxBufferBytes.
std::vector<std::uint8_t> make_data(const DataSource& source, ElementType type,
                                    const std::optional<Expression>& count, const Scope& scope);

/// Writes the lowest bytes of `bits`, as many as `type` has, at `into`.
void store_element(ElementType type, std::uint64_t bits, std::uint8_t* into);

}  // namespace heddle::launch

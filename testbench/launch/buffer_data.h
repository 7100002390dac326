#pragma once

// Initial contents of buffers and symbols.

#include <cstdint>
#include <optional>
#include <vector>

#include "testbench/launch/launch_format.h"

namespace heddle::launch {

/// Bytes of `count` elements from `source`; without a count, as many as the source has. Throws Error for
/// values that do not fit the type, files that cannot be read or do not fit, and sizes beyond
/// kMaxBufferBytes.
std::vector<std::uint8_t> make_data(const DataSource& source, ElementType type,
                                    const std::optional<Expression>& count, const Scope& scope);

/// `type`'s bytes of `bits` at `into`.
void store_element(ElementType type, std::uint64_t bits, std::uint8_t* into);

}  // namespace heddle::launch

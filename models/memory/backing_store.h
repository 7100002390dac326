#pragma once

// Executes generic payloads on the memory image, which holds the contents of device memory. A read of a line
// with allocated bytes returns poison for its unallocated bytes. A read of a line without allocated bytes,
// and a write of an unallocated byte, are address errors.

#include <cstdint>
#include <tlm>

#include "models/core/memory_image.h"

namespace heddle {

bool access_image(MemoryImage& image, tlm::tlm_generic_payload& payload);

bool read_image(const MemoryImage& image, std::uint64_t address, std::uint8_t* into, unsigned bytes);
/// Writes bytes to the memory image. `enables`: byte enables of a generic payload; nullptr: all bytes.
/// Returns false if one of the bytes is not allocated.
bool write_image(MemoryImage& image, std::uint64_t address, const std::uint8_t* from, unsigned bytes,
                 const std::uint8_t* enables, unsigned enable_length);

/// Fault injection: inverts one bit. Returns false if the byte is not allocated.
bool flip_image_bit(MemoryImage& image, std::uint64_t address, unsigned bit);

}  // namespace heddle

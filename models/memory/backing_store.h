#pragma once

// Executes a generic payload on the memory image. Reads of a line that an allocation covers only in part get
// poison for the rest; an access without any allocated byte, or a write of an unallocated one, is an address
// error.

#include <cstdint>
#include <tlm>

#include "models/core/memory_image.h"

namespace heddle {

/// Sets the response status; returns whether it is TLM_OK_RESPONSE.
bool access_image(MemoryImage& image, tlm::tlm_generic_payload& payload);

bool read_image(const MemoryImage& image, std::uint64_t address, std::uint8_t* into, unsigned bytes);
/// `enables` as in a generic payload, nullptr: all.
bool write_image(MemoryImage& image, std::uint64_t address, const std::uint8_t* from, unsigned bytes,
                 const std::uint8_t* enables, unsigned enable_length);

/// Inverts a bit of the image; false if there is no such byte.
bool flip_image_bit(MemoryImage& image, std::uint64_t address, unsigned bit);

}  // namespace heddle

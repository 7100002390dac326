#pragma once

// Executes generic payloads on the memory image. A read of a line that is only partly allocated gets poison
// for the rest. A read without any allocated byte and a write of an unallocated byte are address errors.

#include <cstdint>
#include <tlm>

#include "models/core/memory_image.h"

namespace heddle {

/// Executes the payload and sets its response status. Returns true for TLM_OK_RESPONSE.
bool access_image(MemoryImage& image, tlm::tlm_generic_payload& payload);

bool read_image(const MemoryImage& image, std::uint64_t address, std::uint8_t* into, unsigned bytes);
/// `enables` as in a generic payload; nullptr for all bytes.
bool write_image(MemoryImage& image, std::uint64_t address, const std::uint8_t* from, unsigned bytes,
                 const std::uint8_t* enables, unsigned enable_length);

/// Inverts a bit of the image. Returns false if the byte does not exist.
bool flip_image_bit(MemoryImage& image, std::uint64_t address, unsigned bit);

}  // namespace heddle

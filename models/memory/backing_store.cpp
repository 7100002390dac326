#include "models/memory/backing_store.h"

#include <cstring>

#include "models/core/lanes.h"

namespace heddle {

bool read_image(const MemoryImage& image, std::uint64_t address, std::uint8_t* into, unsigned bytes) {
  if (const std::uint8_t* from = image.find(address, bytes)) {
    std::memcpy(into, from, bytes);
    return true;
  }
  bool any = false;
  for (unsigned i = 0; i < bytes; ++i) {
    const std::uint8_t* from = image.find(address + i, 1);
    into[i] = from ? *from : static_cast<std::uint8_t>(kPoison >> (address + i) % 4 * 8);
    any |= from != nullptr;
  }
  return any;
}

bool write_image(MemoryImage& image, std::uint64_t address, const std::uint8_t* from, unsigned bytes,
                 const std::uint8_t* enables, unsigned enable_length) {
  std::uint8_t* to = image.find(address, bytes);
  if (to && !enables) {
    std::memcpy(to, from, bytes);
    return true;
  }
  for (unsigned i = 0; i < bytes; ++i) {
    if (enables && enables[i % enable_length] == TLM_BYTE_DISABLED) continue;
    std::uint8_t* byte = to ? to + i : image.find(address + i, 1);
    if (!byte) return false;
    *byte = from[i];
  }
  return true;
}

bool access_image(MemoryImage& image, tlm::tlm_generic_payload& payload) {
  bool ok = true;
  if (payload.is_read())
    ok = read_image(image, payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
  else if (payload.is_write())
    ok = write_image(image, payload.get_address(), payload.get_data_ptr(), payload.get_data_length(),
                     payload.get_byte_enable_ptr(), payload.get_byte_enable_length());
  payload.set_response_status(ok ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  return ok;
}

bool flip_image_bit(MemoryImage& image, std::uint64_t address, unsigned bit) {
  std::uint8_t* byte = image.find(address, 1);
  if (!byte || bit > 7) return false;
  *byte ^= static_cast<std::uint8_t>(1u << bit);
  return true;
}

}  // namespace heddle

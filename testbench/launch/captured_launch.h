#pragma once

// A launch captured by heddle exec --capture. A draft takes values from its parameter bytes and its memory.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "testbench/launch/element_type.h"
#include "testbench/launch/launch_format.h"

namespace heddle::launch {

class CapturedLaunch {
 public:
  /// Throws Error for a launch file that is not a capture.
  explicit CapturedLaunch(const std::string& path);

  const LaunchFile& file() const { return file_; }
  const Step& step() const { return file_.steps.front(); }

  struct Place {
    const BufferSpec* buffer = nullptr;
    std::uint64_t offset = 0;  ///< byte offset of the address in the buffer
  };
  /// Returns the buffer to which an address points; nothing if there is none.
  std::optional<Place> find(std::uint64_t address) const;

  /// Returns some bytes of the parameter block.
  std::span<const std::uint8_t> bytes(std::uint32_t offset, std::uint32_t count) const;
  /// Returns an unsigned number of up to 8 bytes in the parameter block.
  std::uint64_t number(std::uint32_t offset, std::uint32_t count) const;
  /// Returns a number of this type as JSON; empty for values that JSON cannot represent (NaN, infinities, -0,
  /// 2^63 and above).
  std::string text(std::uint32_t offset, ElementType type) const;
  std::string hexadecimal(std::uint32_t offset, std::uint32_t count) const;

  /// Returns true if module variables or headers of textures contain addresses of buffers.
  bool variables_hold_addresses() const;
  /// Returns the text `"count": ..., "pages": ...` for a buffer, with elements of this type, and with or
  /// without the buffer's address.
  static std::string contents(const BufferSpec& buffer, ElementType type, bool with_address);

 private:
  LaunchFile file_;
};

}  // namespace heddle::launch

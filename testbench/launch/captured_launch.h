#pragma once

// A launch that heddle exec has captured, as a draft takes its values from: the bytes of its parameters, its memory.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "testbench/launch/element_type.h"
#include "testbench/launch/launch_format.h"

namespace heddle::launch {

class CapturedLaunch {
 public:
  /// Throws Error for a launch file that is no capture.
  explicit CapturedLaunch(const std::string& path);

  const LaunchFile& file() const { return file_; }
  const Step& step() const { return file_.steps.front(); }

  struct Place {
    const BufferSpec* buffer = nullptr;
    std::uint64_t offset = 0;  ///< bytes
  };
  /// Where an address points; nothing for one of no buffer.
  std::optional<Place> find(std::uint64_t address) const;

  /// A part of the parameters.
  std::span<const std::uint8_t> bytes(std::uint32_t offset, std::uint32_t count) const;
  std::uint64_t number(std::uint32_t offset, std::uint32_t count) const;  ///< of up to 8 bytes
  /// A number of this type as JSON; empty for one that JSON's numbers do not keep (no number, -0, 2^63 and above).
  std::string text(std::uint32_t offset, ElementType type) const;
  std::string hexadecimal(std::uint32_t offset, std::uint32_t count) const;

  /// Variables, or the headers of textures, hold addresses of buffers.
  bool variables_hold_addresses() const;
  /// `"count": ..., "pages": ...` of a buffer, as elements of this type, with its address or without.
  static std::string contents(const BufferSpec& buffer, ElementType type, bool with_address);

 private:
  LaunchFile file_;
};

}  // namespace heddle::launch

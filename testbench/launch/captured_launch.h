#pragma once

// A launch captured by heddle exec --capture: parameter bytes and memory.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "testbench/launch/element_type.h"
#include "testbench/launch/launch_format.h"

namespace heddle::launch {

class CapturedLaunch {
 public:
  /// Reads the launch file of a captured launch. Throws Error for any other launch file.
  explicit CapturedLaunch(const std::string& path);

  const LaunchFile& file() const { return file_; }
  const Step& step() const { return file_.steps.front(); }

  struct Place {
    const BufferSpec* buffer = nullptr;
    std::uint64_t offset = 0;
  };
  std::optional<Place> find(std::uint64_t address) const;

  std::span<const std::uint8_t> bytes(std::uint32_t offset, std::uint32_t count) const;
  /// Returns an unsigned number of `count` (up to 8) bytes in the parameter block.
  std::uint64_t number(std::uint32_t offset, std::uint32_t count) const;
  /// Returns a number in the parameter block as JSON. Empty if JSON cannot represent it (NaN, infinities, -0,
  /// 2^63 and above).
  std::string text(std::uint32_t offset, ElementType type) const;
  std::string hexadecimal(std::uint32_t offset, std::uint32_t count) const;

  /// Returns true if a module variable or texture header contains the address of a buffer.
  bool variables_hold_addresses() const;
  /// Returns `"count": ..., "pages": ...` for a buffer; `with_address`: also with the buffer's address.
  static std::string contents(const BufferSpec& buffer, ElementType type, bool with_address);

 private:
  LaunchFile file_;
};

}  // namespace heddle::launch

#include "testbench/launch/captured_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "models/core/error.h"
#include "models/isa/address_size.h"

namespace heddle::launch {
namespace {

std::uint64_t bytes_of_buffer(const BufferSpec& buffer) { return buffer.source.pages.bytes; }

std::string real_text(double value, const std::string& shortest) {
  if (!std::isfinite(value) || (value == 0 && std::signbit(value))) return {};
  return shortest;
}

}  // namespace

CapturedLaunch::CapturedLaunch(const std::string& path) : file_(read_launch_file(path)) {
  const auto is_captured = [](const BufferSpec& b) {
    return b.source.kind == DataSource::Kind::pages && b.address;
  };
  if (file_.steps.size() != 1 || !file_.steps.front().parameters || file_.ptx.size() != 1 ||
      !std::all_of(file_.buffers.begin(), file_.buffers.end(), is_captured))
    throw Error(path, "no captured launch", "a PTX file, or a launch of heddle exec --capture");
}

std::optional<CapturedLaunch::Place> CapturedLaunch::find(std::uint64_t address) const {
  for (const BufferSpec& buffer : file_.buffers)
    if (address >= *buffer.address && address - *buffer.address < bytes_of_buffer(buffer))
      return Place{&buffer, address - *buffer.address};
  return std::nullopt;
}

std::span<const std::uint8_t> CapturedLaunch::bytes(std::uint32_t offset, std::uint32_t count) const {
  const std::vector<std::uint8_t>& all = *step().parameters;
  if (offset + count > all.size())
    throw Error(file_.path,
                fmt::format("{} bytes of parameters; the kernel reads byte {}", all.size(), offset + count));
  return std::span(all).subspan(offset, count);
}

std::uint64_t CapturedLaunch::number(std::uint32_t offset, std::uint32_t count) const {
  std::uint64_t value = 0;
  const auto part = bytes(offset, count);
  std::memcpy(&value, part.data(), std::min<std::size_t>(sizeof value, part.size()));
  return value;
}

std::string CapturedLaunch::text(std::uint32_t offset, ElementType type) const {
  const unsigned size = bytes_of(type);
  const std::uint64_t value = number(offset, size);
  if (type == ElementType::f32) {
    const float real = std::bit_cast<float>(static_cast<std::uint32_t>(value));
    return real_text(real, fmt::format("{}", real));
  }
  if (type == ElementType::f64) {
    const double real = std::bit_cast<double>(value);
    return real_text(real, fmt::format("{}", real));
  }
  const unsigned unused = 64 - 8 * size;
  if (is_signed(type)) return fmt::format("{}", static_cast<std::int64_t>(value << unused) >> unused);
  return value >> 63 ? "" : fmt::format("{}", value);
}

std::string CapturedLaunch::hexadecimal(std::uint32_t offset, std::uint32_t count) const {
  std::string text;
  for (const std::uint8_t byte : bytes(offset, count)) text += fmt::format("{:02x}", byte);
  return text;
}

bool CapturedLaunch::variables_hold_addresses() const {
  const isa::AddressLayout layout = isa::address_layout(isa::kWideAddressBits);
  for (const BufferSpec& buffer : file_.buffers) {
    if (buffer.variable.empty() && *buffer.address >= layout.buffers) continue;
    const std::vector<std::uint8_t> data = read_pages(buffer.source.pages);
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= data.size(); at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, data.data() + at, sizeof word);
      const auto place = find(word);
      if (place && place->buffer->variable.empty()) return true;
    }
  }
  return false;
}

std::string CapturedLaunch::contents(const BufferSpec& buffer, ElementType type, bool with_address) {
  std::string runs;
  for (const PageRun& run : buffer.source.pages.runs)
    runs += fmt::format("{}[{}, {}]", runs.empty() ? "" : ", ", run.first, run.count);
  return fmt::format("\"count\": {}, \"pages\": [{}], \"hash\": \"{}\"{}",
                     bytes_of_buffer(buffer) / bytes_of(type), runs, buffer.source.pages.hash,
                     with_address ? fmt::format(", \"address\": {}", *buffer.address) : "");
}

}  // namespace heddle::launch

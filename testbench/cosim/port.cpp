#include "testbench/cosim/port.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"

namespace heddle::cosim {

std::uint64_t Port::wide_field(int low, int width) const {
  const auto* words = static_cast<const std::uint32_t*>(storage_);
  std::uint64_t value = 0;
  for (int taken = 0; taken < width;) {
    const int bit = (low + taken) % 32, bits = std::min(32 - bit, width - taken);
    value |= (words[(low + taken) / 32] >> bit & low_bits(bits)) << taken;
    taken += bits;
  }
  return value;
}

void Port::put_wide_field(int low, int width, std::uint64_t value) {
  auto* words = static_cast<std::uint32_t*>(storage_);
  for (int put = 0; put < width;) {
    const int bit = (low + put) % 32, bits = std::min(32 - bit, width - put);
    const auto mask = static_cast<std::uint32_t>(low_bits(bits) << bit);
    std::uint32_t& word = words[(low + put) / 32];
    word = (word & ~mask) | (static_cast<std::uint32_t>(value >> put << bit) & mask);
    put += bits;
  }
}

void Port::not_so_many(int count) const {
  throw InternalError(
      fmt::format("co-simulation: port {} of the RTL has {} bits, and the model {} element(s) for it", name_,
                  width_, count));
}

void Port::does_not_fit(std::uint64_t value, int width) const {
  throw InternalError(
      fmt::format("co-simulation: {} does not fit into the {} bits that port {} of the RTL has for it", value,
                  width, name_));
}

Elements::Elements(const LaneVec& lanes, LaneMask compared) : count_(kLanes), compared_(compared) {
  for (int i = 0; i < kLanes; ++i) values_[static_cast<std::size_t>(i)] = lanes[i];
}

void put_elements(Port& port, const Elements& value) {
  for (int i = 0; i < value.count(); ++i) port.put_element(i, value.count(), value[i]);
}

Elements elements_of(const Port& port, int count) {
  Elements value;
  for (int i = 0; i < count; ++i) value.add(port.element(i, count));
  return value;
}

int difference(const Port& port, const Elements& value) {
  for (int i = 0; i < value.count(); ++i)
    if (value.is_compared(i) && port.element(i, value.count()) != value[i]) return i;
  return -1;
}

}  // namespace heddle::cosim

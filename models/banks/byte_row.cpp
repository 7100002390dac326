#include "models/banks/byte_row.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "models/isa/rows.h"

namespace heddle {
namespace {

constexpr std::uint8_t poison_byte(int byte) { return static_cast<std::uint8_t>(kPoison >> 8 * byte); }

std::uint64_t load(const std::uint8_t* from) {
  std::uint64_t bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  return bytes;
}

/// Pointers to the four byte positions of a register, byte 0 first. Each pointer addresses one byte per lane.
template <class Byte>
using Planes = std::array<Byte*, kWordBytes>;

constexpr std::array<std::uint8_t, kLanes> filled(std::uint8_t byte) {
  std::array<std::uint8_t, kLanes> bytes{};
  bytes.fill(byte);
  return bytes;
}
constexpr std::array<std::uint8_t, kLanes> kZeroPlane = filled(0), kOnesPlane = filled(0xff);

std::uint64_t spread(LaneMask mask) {
  const std::uint64_t own = (mask & 0xff) * 0x0101010101010101u & 0x8040201008040201u;
  return ((own + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u) * 0xff;
}

void read_some(const ByteRow& row, std::uint8_t sub_banks, Width width, bool left, WidthRule rule,
               LaneVec& into) {
  expand(opened(row, sub_banks, left), width, left, rule, into);
}

}  // namespace

void align(LaneVec& values, bool left) {
  if (!left) return;
  for (std::uint32_t& lane : values.lane) lane = __builtin_bswap32(lane);
}

ByteRow opened(const ByteRow& row, std::uint8_t sub_banks, bool left) {
  ByteRow delivered = row;
  for (int byte = 0; byte < kWordBytes; ++byte)
    if (const int s = sub_bank_of(byte, left); !(sub_banks >> s & 1))
      std::fill_n(delivered.bytes[s], kLanes, poison_byte(byte));
  return delivered;
}

void expand(const ByteRow& delivered, Width width, bool left, WidthRule rule, LaneVec& into) {
  const std::uint8_t* const above = width.ones ? kOnesPlane.data() : kZeroPlane.data();
  const auto plane = [&](int byte) {
    return byte < width.bytes ? delivered.bytes[sub_bank_of(byte, left)] : above;
  };
  const Planes<const std::uint8_t> planes{plane(0), plane(1), plane(2), plane(3)};
  isa::kRows.interleave(planes.data(), into);
  if (rule == WidthRule::uniform || width.bytes == kWordBytes) return;
  const int shift = 8 * (kWordBytes - width.bytes);
  for (int lane = 0; lane < kLanes; ++lane)
    into[lane] = static_cast<std::uint32_t>(static_cast<std::int32_t>(into[lane] << shift) >> shift);
}

void read(const ByteRow& row, std::uint8_t sub_banks, Width width, bool left, WidthRule rule, LaneVec& into) {
  if (sub_banks_of(width.bytes, left) & ~sub_banks) return read_some(row, sub_banks, width, left, rule, into);
  expand(row, width, left, rule, into);
}

LaneMask signs(const ByteRow& row, int bytes, bool left) {
  LaneMask negative = 0;
  const auto& top = row.bytes[sub_bank_of(bytes - 1, left)];
  for (int lane = 0; lane < kLanes; ++lane) negative |= LaneMask{top[lane] >> 7 != 0} << lane;
  return negative;
}

// Writes the lanes of the mask; the lanes outside the mask keep their stored bytes. If the register becomes
// wider, each lane outside the mask also gets new high bytes: 0xff if its value is negative, otherwise 0x00.
void store_some(ByteRow& row, const LaneVec& values, const ByteWrite& write, bool left) {
  std::uint8_t taken[kWordBytes][kLanes];
  const Planes<std::uint8_t> planes{taken[0], taken[1], taken[2], taken[3]};
  isa::kRows.split(values, planes.data());
  for (int byte = 0; byte < write.after.bytes; ++byte) {
    std::uint8_t* const bytes = row.bytes[sub_bank_of(byte, left)];
    const bool kept = byte < write.before.bytes;
    for (int lane = 0; lane < kLanes; lane += 8) {
      const std::uint64_t written = spread(write.mask >> lane), old = load(bytes + lane);
      const std::uint64_t stays = kept ? old : spread(write.negative >> lane);
      const std::uint64_t merged = (load(taken[byte] + lane) & written) | (stays & ~written);
      std::memcpy(bytes + lane, &merged, sizeof merged);
    }
  }
}

void store(ByteRow& row, const LaneVec& values, const ByteWrite& write, bool left) {
  if (write.mask != kAllLanes) return store_some(row, values, write, left);
  std::uint8_t unused[kLanes];
  const auto plane = [&](int byte) {
    return byte < write.after.bytes ? row.bytes[sub_bank_of(byte, left)] : unused;
  };
  const Planes<std::uint8_t> planes{plane(0), plane(1), plane(2), plane(3)};
  isa::kRows.split(values, planes.data());
}

void spoil(ByteRow& row, int from_byte, int to_byte, bool left) {
  for (int byte = from_byte; byte < to_byte; ++byte)
    std::fill_n(row.bytes[sub_bank_of(byte, left)], kLanes, poison_byte(byte));
}

}  // namespace heddle

#include "models/regfile/byte_row.h"

#include <algorithm>

namespace heddle {
namespace {

constexpr std::uint8_t poison_byte(int byte) { return static_cast<std::uint8_t>(kPoison >> 8 * byte); }

}  // namespace

LaneVec aligned(const LaneVec& values, bool left) {
  if (!left) return values;
  LaneVec swapped;
  for (int lane = 0; lane < kLanes; ++lane) swapped[lane] = __builtin_bswap32(values[lane]);
  return swapped;
}

ByteRow opened(const ByteRow& row, std::uint8_t sub_banks, bool left) {
  ByteRow delivered = row;
  for (int byte = 0; byte < kWordBytes; ++byte)
    if (const int s = sub_bank_of(byte, left); !(sub_banks >> s & 1))
      std::fill_n(delivered.bytes[s], kLanes, poison_byte(byte));
  return delivered;
}

LaneVec expanded(const ByteRow& delivered, Width width, bool left, WidthRule rule) {
  LaneVec words;
  const auto& b = delivered.bytes;
  for (int lane = 0; lane < kLanes; ++lane)
    words[lane] = b[0][lane] | std::uint32_t{b[1][lane]} << 8 | std::uint32_t{b[2][lane]} << 16 |
                  std::uint32_t{b[3][lane]} << 24;
  if (left)
    for (int lane = 0; lane < kLanes; ++lane) words[lane] = __builtin_bswap32(words[lane]);
  if (width.bytes == kWordBytes) return words;
  const int above = 8 * (kWordBytes - width.bytes);
  if (rule == WidthRule::extended) {
    for (int lane = 0; lane < kLanes; ++lane)
      words[lane] = static_cast<std::uint32_t>(static_cast<std::int32_t>(words[lane] << above) >> above);
    return words;
  }
  const std::uint32_t kept = ~std::uint32_t{0} >> above, fill = width.ones ? ~kept : 0;
  for (int lane = 0; lane < kLanes; ++lane) words[lane] = (words[lane] & kept) | fill;
  return words;
}

LaneMask signs(const ByteRow& row, int bytes, bool left) {
  LaneMask negative = 0;
  const auto& top = row.bytes[sub_bank_of(bytes - 1, left)];
  for (int lane = 0; lane < kLanes; ++lane) negative |= LaneMask{top[lane] >> 7 != 0} << lane;
  return negative;
}

void store(ByteRow& row, const LaneVec& words, const ByteWrite& write, bool left) {
  for (int byte = 0; byte < write.after.bytes; ++byte) {
    const int s = sub_bank_of(byte, left);
    auto& bytes = row.bytes[s];
    if (write.mask == kAllLanes) {
      for (int lane = 0; lane < kLanes; ++lane) bytes[lane] = static_cast<std::uint8_t>(words[lane] >> 8 * s);
      continue;
    }
    const bool kept = byte < write.before.bytes;
    for (int lane = 0; lane < kLanes; ++lane) {
      if (write.mask >> lane & 1)
        bytes[lane] = static_cast<std::uint8_t>(words[lane] >> 8 * s);
      else if (!kept)
        bytes[lane] = write.negative >> lane & 1 ? 0xff : 0x00;
    }
  }
}

void spoil(ByteRow& row, int from_byte, int to_byte, bool left) {
  for (int byte = from_byte; byte < to_byte; ++byte)
    std::fill_n(row.bytes[sub_bank_of(byte, left)], kLanes, poison_byte(byte));
}

}  // namespace heddle

#include "models/banks/byte_row.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace heddle {
namespace {

constexpr std::uint8_t poison_byte(int byte) { return static_cast<std::uint8_t>(kPoison >> 8 * byte); }

static_assert(std::endian::native == std::endian::little);
using Bytes = std::uint8_t __attribute__((vector_size(16)));
using Pairs = std::uint16_t __attribute__((vector_size(16)));

// The words of all lanes from their bytes, the lowest first: by vectors, since every read goes through here.
LaneVec interleaved(const std::uint8_t* b0, const std::uint8_t* b1, const std::uint8_t* b2,
                    const std::uint8_t* b3) {
  LaneVec words;
  auto* out = reinterpret_cast<std::uint8_t*>(&words[0]);
  for (int lane = 0; lane < kLanes; lane += 16) {
    Bytes v[4];
    const std::uint8_t* const from[4] = {b0, b1, b2, b3};
    for (int i = 0; i < 4; ++i) std::memcpy(&v[i], from[i] + lane, sizeof v[i]);
    const auto low = [](Bytes a, Bytes b) {
      return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    };
    const auto high = [](Bytes a, Bytes b) {
      return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    };
    const Bytes halves[2][2] = {{low(v[0], v[1]), low(v[2], v[3])}, {high(v[0], v[1]), high(v[2], v[3])}};
    for (const auto& half : halves) {
      const auto lower = (Pairs)half[0], upper = (Pairs)half[1];
      const Pairs first = __builtin_shufflevector(lower, upper, 0, 8, 1, 9, 2, 10, 3, 11);
      const Pairs second = __builtin_shufflevector(lower, upper, 4, 12, 5, 13, 6, 14, 7, 15);
      std::memcpy(out, &first, sizeof first);
      std::memcpy(out + sizeof first, &second, sizeof second);
      out += 2 * sizeof first;
    }
  }
  return words;
}

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
  const auto& b = delivered.bytes;
  LaneVec words = left ? interleaved(b[3], b[2], b[1], b[0]) : interleaved(b[0], b[1], b[2], b[3]);
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

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

using Words = std::uint32_t __attribute__((vector_size(16)));

// As the host's own unpacking does it: bytes and pairs of two vectors in turn.
template <class V>
V unpack_low(V a, V b) {
  if constexpr (sizeof(a[0]) == 1)
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  else
    return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}
template <class V>
V unpack_high(V a, V b) {
  if constexpr (sizeof(a[0]) == 1)
    return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  else
    return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}
template <class V, class T>
V load(const T* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

// The words of all lanes from their bytes, the lowest first: by vectors, since every read goes through here.
LaneVec interleaved(const std::uint8_t* b0, const std::uint8_t* b1, const std::uint8_t* b2,
                    const std::uint8_t* b3) {
  LaneVec words;
  std::uint32_t* out = &words[0];
  for (int lane = 0; lane < kLanes; lane += 16, out += 16) {
    const auto v0 = load<Bytes>(b0 + lane), v1 = load<Bytes>(b1 + lane);
    const auto v2 = load<Bytes>(b2 + lane), v3 = load<Bytes>(b3 + lane);
    const auto low_even = (Pairs)unpack_low(v0, v1), low_odd = (Pairs)unpack_low(v2, v3);
    const auto high_even = (Pairs)unpack_high(v0, v1), high_odd = (Pairs)unpack_high(v2, v3);
    const Pairs quarters[4] = {unpack_low(low_even, low_odd), unpack_high(low_even, low_odd),
                               unpack_low(high_even, high_odd), unpack_high(high_even, high_odd)};
    std::memcpy(out, quarters, sizeof quarters);
  }
  return words;
}

// One byte of every lane's word. Of the even bytes of words, and then of pairs, halves of vectors become whole ones.
void take_byte(const LaneVec& values, int byte, std::uint8_t* into) {
  for (int lane = 0; lane < kLanes; lane += 16) {
    Words words[4];
    for (int i = 0; i < 4; ++i) words[i] = load<Words>(&values.lane[lane + 4 * i]) >> (8 * byte);
    const auto even_pairs = [](Words a, Words b) {
      return __builtin_shufflevector((Pairs)a, (Pairs)b, 0, 2, 4, 6, 8, 10, 12, 14);
    };
    const auto a = (Bytes)even_pairs(words[0], words[1]), b = (Bytes)even_pairs(words[2], words[3]);
    const Bytes bytes =
        __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    std::memcpy(into + lane, &bytes, sizeof bytes);
  }
}

std::uint64_t load8(const std::uint8_t* from) { return load<std::uint64_t>(from); }
void store8(std::uint8_t* into, std::uint64_t bytes) { std::memcpy(into, &bytes, sizeof bytes); }

// A byte for each of the lowest eight lanes: 0xff for those of the mask.
std::uint64_t spread(LaneMask mask) {
  const std::uint64_t own = (mask & 0xff) * 0x0101010101010101u & 0x8040201008040201u;
  return ((own + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u) * 0xff;
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

void store(ByteRow& row, const LaneVec& values, const ByteWrite& write, bool left) {
  for (int byte = 0; byte < write.after.bytes; ++byte) {
    auto& bytes = row.bytes[sub_bank_of(byte, left)];
    if (write.mask == kAllLanes) {
      take_byte(values, byte, bytes);
      continue;
    }
    std::uint8_t taken[kLanes];
    take_byte(values, byte, taken);
    const bool kept = byte < write.before.bytes;
    for (int lane = 0; lane < kLanes; lane += 8) {
      const std::uint64_t written = spread(write.mask >> lane), old = load8(bytes + lane);
      const std::uint64_t stays = kept ? old : spread(write.negative >> lane);
      store8(bytes + lane, (load8(taken + lane) & written) | (stays & ~written));
    }
  }
}

void spoil(ByteRow& row, int from_byte, int to_byte, bool left) {
  for (int byte = from_byte; byte < to_byte; ++byte)
    std::fill_n(row.bytes[sub_bank_of(byte, left)], kLanes, poison_byte(byte));
}

}  // namespace heddle

#include "models/banks/byte_row.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace heddle {
namespace {

constexpr std::uint8_t poison_byte(int byte) { return static_cast<std::uint8_t>(kPoison >> 8 * byte); }

static_assert(std::endian::native == std::endian::little);
using Bytes = std::uint8_t __attribute__((vector_size(16)));
using Pairs = std::uint16_t __attribute__((vector_size(16)));

// Interleaves the bytes or pairs of two vectors, as the unpack instructions of x86 do.
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
template <class V, class T>
void store(T* into, V v) {
  std::memcpy(into, &v, sizeof v);
}

/// The byte positions of a register, each with the bytes of all lanes; byte 0 first.
template <class Byte>
using Planes = std::array<Byte*, kWordBytes>;

// Assembles the words of all lanes from their bytes. Uses vectors, because every read calls this function.
void interleave(const Planes<const std::uint8_t>& bytes, LaneVec& into) {
  std::uint32_t* out = &into[0];
  for (int lane = 0; lane < kLanes; lane += 16, out += 16) {
    const auto v0 = load<Bytes>(bytes[0] + lane), v1 = load<Bytes>(bytes[1] + lane);
    const auto v2 = load<Bytes>(bytes[2] + lane), v3 = load<Bytes>(bytes[3] + lane);
    const auto low_even = (Pairs)unpack_low(v0, v1), low_odd = (Pairs)unpack_low(v2, v3);
    const auto high_even = (Pairs)unpack_high(v0, v1), high_odd = (Pairs)unpack_high(v2, v3);
    store(out, unpack_low(low_even, low_odd));
    store(out + 4, unpack_high(low_even, low_odd));
    store(out + 8, unpack_low(high_even, high_odd));
    store(out + 12, unpack_high(high_even, high_odd));
  }
}

Bytes evens(Bytes a, Bytes b) {
  return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
}
Bytes odds(Bytes a, Bytes b) {
  return __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}

// Splits the words of all lanes into their bytes, one plane for each byte position.
void split(const LaneVec& values, const Planes<std::uint8_t>& into) {
  for (int lane = 0; lane < kLanes; lane += 16) {
    const std::uint32_t* const words = &values.lane[lane];
    const auto a = load<Bytes>(words), b = load<Bytes>(words + 4);
    const auto c = load<Bytes>(words + 8), d = load<Bytes>(words + 12);
    const Bytes even_low = evens(a, b), even_high = evens(c, d);
    store(into[0] + lane, evens(even_low, even_high));
    store(into[2] + lane, odds(even_low, even_high));
    const Bytes odd_low = odds(a, b), odd_high = odds(c, d);
    store(into[1] + lane, evens(odd_low, odd_high));
    store(into[3] + lane, odds(odd_low, odd_high));
  }
}

constexpr std::array<std::uint8_t, kLanes> filled(std::uint8_t byte) {
  std::array<std::uint8_t, kLanes> bytes{};
  bytes.fill(byte);
  return bytes;
}
constexpr std::array<std::uint8_t, kLanes> kZeroPlane = filled(0), kOnesPlane = filled(0xff);

// Returns one byte for each of the lowest eight lanes: 0xff for lanes of the mask.
std::uint64_t spread(LaneMask mask) {
  const std::uint64_t own = (mask & 0xff) * 0x0101010101010101u & 0x8040201008040201u;
  return ((own + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u) * 0xff;
}

// Reads a register of which some bytes are not opened; these are poison.
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
  interleave({plane(0), plane(1), plane(2), plane(3)}, into);
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

// Writes some lanes. The other lanes keep their bytes. Bytes above their old width get the fill value.
void store_some(ByteRow& row, const LaneVec& values, const ByteWrite& write, bool left) {
  std::uint8_t taken[kWordBytes][kLanes];
  split(values, {taken[0], taken[1], taken[2], taken[3]});
  for (int byte = 0; byte < write.after.bytes; ++byte) {
    std::uint8_t* const bytes = row.bytes[sub_bank_of(byte, left)];
    const bool kept = byte < write.before.bytes;
    for (int lane = 0; lane < kLanes; lane += 8) {
      const std::uint64_t written = spread(write.mask >> lane), old = load<std::uint64_t>(bytes + lane);
      const std::uint64_t stays = kept ? old : spread(write.negative >> lane);
      store(bytes + lane, (load<std::uint64_t>(taken[byte] + lane) & written) | (stays & ~written));
    }
  }
}

void store(ByteRow& row, const LaneVec& values, const ByteWrite& write, bool left) {
  if (write.mask != kAllLanes) return store_some(row, values, write, left);
  std::uint8_t unused[kLanes];
  const auto plane = [&](int byte) {
    return byte < write.after.bytes ? row.bytes[sub_bank_of(byte, left)] : unused;
  };
  split(values, {plane(0), plane(1), plane(2), plane(3)});
}

void spoil(ByteRow& row, int from_byte, int to_byte, bool left) {
  for (int byte = from_byte; byte < to_byte; ++byte)
    std::fill_n(row.bytes[sub_bank_of(byte, left)], kLanes, poison_byte(byte));
}

}  // namespace heddle

#include "models/memory/lane_transfer.h"

#include <bit>
#include <cstring>

#include "models/isa/rows.h"

namespace heddle {
namespace {

template <class Function>
inline void for_lanes(LaneMask lanes, Function&& f) {
  if (lanes == kAllLanes) {
    for (int i = 0; i < kLanes; ++i) f(i);
  } else {
    for (LaneMask left = lanes; left != 0; left &= left - 1) f(std::countr_zero(left));
  }
}

bool side_by_side(LaneMask lanes, const WarpAddresses& addresses) {
  return lanes == kAllLanes && addresses.consecutive && addresses.bytes == 4;
}

/// Loads one element for each lane. All addresses of an access lie within 2^31 bytes, so the difference of
/// the low 32 bits of two addresses is their distance in bytes.
template <class T>
void load_element(LaneMask lanes, const LaneVec& at, const std::uint8_t* origin, std::uint32_t origin_address,
                  int bits, LaneVec* const* to) {
  const std::uint32_t keep = bits < 32 ? (1u << bits) - 1 : ~0u;
  LaneVec& low = *to[0];
  for_lanes(lanes, [&](int i) {
    T value;
    std::memcpy(&value, origin + (at[i] - origin_address), sizeof value);
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): signed bytes are sign-extended
    const auto wide = static_cast<std::int64_t>(value);
    low[i] = static_cast<std::uint32_t>(wide) & keep;
    if (to[1]) (*to[1])[i] = static_cast<std::uint32_t>(static_cast<std::uint64_t>(wide) >> 32);
  });
}

void load_words(LaneMask lanes, const LaneVec& at, const std::uint8_t* origin, std::uint32_t origin_address,
                LaneVec& to) {
  isa::kRows.gather(origin, at, origin_address, lanes, to);
}

void load_one(const isa::Instruction& instruction, int element, LaneVec* const* to, LaneMask lanes,
              const WarpAddresses& addresses, const std::uint8_t* origin, std::uint32_t origin_address) {
  const LaneVec& at = addresses.low_word;
  const bool is_signed = isa::is_signed(instruction.type);
  const int bits = instruction.dst[element].bits;
  switch (instruction.memory.element_bytes) {
    case 1:
      return is_signed ? load_element<std::int8_t>(lanes, at, origin, origin_address, bits, to)
                       : load_element<std::uint8_t>(lanes, at, origin, origin_address, bits, to);
    case 2:
      return is_signed ? load_element<std::int16_t>(lanes, at, origin, origin_address, bits, to)
                       : load_element<std::uint16_t>(lanes, at, origin, origin_address, bits, to);
    case 4:
      if (to[1] || bits < 32)
        return is_signed ? load_element<std::int32_t>(lanes, at, origin, origin_address, bits, to)
                         : load_element<std::uint32_t>(lanes, at, origin, origin_address, bits, to);
      if (side_by_side(lanes, addresses)) {
        std::memcpy(to[0]->lane, origin + (at[0] - origin_address), sizeof(LaneVec));
        return;
      }
      return load_words(lanes, at, origin, origin_address, *to[0]);
    default:
      load_words(lanes, at, origin, origin_address, *to[0]);
      if (to[1]) load_words(lanes, at, origin + 4, origin_address, *to[1]);
  }
}

template <unsigned Bytes>
void store_words(LaneMask lanes, const LaneVec& at, std::uint8_t* origin, std::uint32_t origin_address,
                 const LaneVec& from) {
  for_lanes(lanes, [&](int i) { std::memcpy(origin + (at[i] - origin_address), &from.lane[i], Bytes); });
}

}  // namespace

void load_lanes(const isa::Instruction& instruction, isa::LaneOperands& operands, LaneMask lanes,
                const WarpAddresses& addresses, const std::uint8_t* origin, std::uint64_t origin_address,
                BlockPart part) {
  const LaneVec& at = addresses.low_word;
  const auto origin_word = static_cast<std::uint32_t>(origin_address);
  const unsigned size = instruction.memory.element_bytes;
  if (size > part.bytes) {
    LaneVec* const to = operands.dst[part.first / size][part.first / 4 % 2];
    if (to) load_words(lanes, at, origin, origin_word, *to);
    return;
  }
  int element = static_cast<int>(part.first / size);
  for (unsigned offset = 0; offset < part.bytes; offset += size, ++element) {
    LaneVec* const* to = operands.dst[element];
    if (to[0]) load_one(instruction, element, to, lanes, addresses, origin + offset, origin_word);
  }
}

void store_lanes(const isa::Instruction& instruction, const isa::LaneOperands& operands, LaneMask lanes,
                 const WarpAddresses& addresses, std::uint8_t* origin, std::uint64_t origin_address,
                 BlockPart part) {
  const LaneVec& at = addresses.low_word;
  const auto origin_word = static_cast<std::uint32_t>(origin_address);
  static const LaneVec zero{};
  const unsigned size = instruction.memory.element_bytes;
  if (size > part.bytes) {
    const LaneVec* from = operands.src[1 + part.first / size][part.first / 4 % 2];
    return store_words<4>(lanes, at, origin, origin_word, from ? *from : zero);
  }
  for (unsigned offset = 0; offset < part.bytes; offset += size) {
    const LaneVec* const* from = operands.src[1 + (part.first + offset) / size];
    std::uint8_t* to = origin + offset;
    switch (size) {
      case 1:
        store_words<1>(lanes, at, to, origin_word, *from[0]);
        break;
      case 2:
        store_words<2>(lanes, at, to, origin_word, *from[0]);
        break;
      case 4:
        if (side_by_side(lanes, addresses))
          std::memcpy(to + (at[0] - origin_word), from[0]->lane, sizeof(LaneVec));
        else
          store_words<4>(lanes, at, to, origin_word, *from[0]);
        break;
      default:
        store_words<4>(lanes, at, to, origin_word, *from[0]);
        store_words<4>(lanes, at, to + 4, origin_word, from[1] ? *from[1] : zero);
    }
  }
}

std::uint64_t apply_atomic_at(std::uint8_t* at, unsigned bytes, isa::AtomicOp operation, isa::DataType type,
                              std::uint64_t b, std::uint64_t c) {
  std::uint64_t old = 0;
  std::memcpy(&old, at, bytes);
  const std::uint64_t fresh = isa::apply_atomic(operation, type, old, b, c);
  std::memcpy(at, &fresh, bytes);
  return old;
}

void return_old_value(const isa::Instruction& instruction, isa::LaneOperands& operands, int lane,
                      std::uint64_t old) {
  if (instruction.num_dst == 0 || !operands.dst[0][0]) return;
  (*operands.dst[0][0])[lane] = static_cast<std::uint32_t>(old);
  if (operands.dst[0][1]) (*operands.dst[0][1])[lane] = static_cast<std::uint32_t>(old >> 32);
}

}  // namespace heddle

// Copies data between memory and the registers of lanes.

#include <bit>
#include <cstring>

#include "models/isa/rows.h"
#include "models/reference/lane_memory.h"

namespace heddle::reference {
namespace {

template <class T>
void gather_as(const ResolvedAccess& access, int element, LaneVec& low) {
  for (int i = 0; i < kLanes; ++i) {
    T value;
    std::memcpy(&value, access.at(i) + static_cast<std::size_t>(element) * sizeof(T), sizeof(T));
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): signed bytes are sign-extended
    low[i] = static_cast<std::uint32_t>(value);
  }
}

bool lie_in_rows(const ResolvedAccess& access, LaneMask active) {
  return access.near->active == active && lie_in_rows(*access.near);
}

}  // namespace

void gather_words(const ResolvedAccess& access, int offset, LaneMask active, LaneVec& into) {
  if (!access.base) {
    for (LaneMask left = active; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      std::memcpy(&into[lane], access.at(lane) + offset, sizeof into[lane]);
    }
  } else if (lie_in_rows(access, active)) {
    isa::kRows.load(access.base + offset, access.near->begin[0], access.near->begin[1], active, into);
  } else {
    isa::kRows.gather(access.base + offset, access.near->distance, 0, active, into);
  }
}

void scatter_words(const ResolvedAccess& access, LaneMask active, const LaneVec& from) {
  if (access.base && lie_in_rows(access, active))
    return isa::kRows.store(access.base, access.near->begin[0], access.near->begin[1], active, from);
  for (LaneMask left = active; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    std::memcpy(access.at(lane), &from.lane[lane], sizeof from.lane[lane]);
  }
}

void gather(const ResolvedAccess& access, const isa::MemoryAccess& form, int element, bool is_signed,
            int bits, LaneVec& low, LaneVec* high) {
  switch (form.element_bytes) {
    case 1:
      if (is_signed)
        gather_as<std::int8_t>(access, element, low);
      else
        gather_as<std::uint8_t>(access, element, low);
      break;
    case 2:
      if (is_signed)
        gather_as<std::int16_t>(access, element, low);
      else
        gather_as<std::uint16_t>(access, element, low);
      break;
    default:
      gather_words(access, element * form.element_bytes, kAllLanes, low);
  }
  if (bits < 32) {
    for (auto& word : low.lane) word &= (1u << bits) - 1;
  }
  if (!high) return;
  if (form.element_bytes == 8)
    return gather_words(access, element * form.element_bytes + 4, kAllLanes, *high);
  for (int i = 0; i < kLanes; ++i)
    high->lane[i] = is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(low[i]) >> 31) : 0;
}

std::uint64_t read_element(const std::uint8_t* pointer, int element_bytes) {
  const auto read_as = [pointer]<class T>(T value) {
    std::memcpy(&value, pointer, sizeof value);
    return std::uint64_t{value};
  };
  switch (element_bytes) {
    case 1:
      return read_as(std::uint8_t{});
    case 2:
      return read_as(std::uint16_t{});
    case 8:
      return read_as(std::uint64_t{});
    default:
      return read_as(std::uint32_t{});
  }
}

void scatter(std::uint8_t* pointer, int element_bytes, std::uint32_t low, std::uint32_t high) {
  switch (element_bytes) {
    case 1:
      *pointer = static_cast<std::uint8_t>(low);
      break;
    case 2: {
      const auto half = static_cast<std::uint16_t>(low);
      std::memcpy(pointer, &half, 2);
      break;
    }
    case 8:
      std::memcpy(pointer + 4, &high, 4);
      [[fallthrough]];
    default:
      std::memcpy(pointer, &low, 4);
  }
}

}  // namespace heddle::reference

// How the words of an access get from memory to lanes and back (lane_memory.h).

#include <algorithm>
#include <cstring>

#include "models/reference/lane_memory.h"

namespace heddle::reference {
namespace {

template <class T>
void gather_as(const ResolvedAccess& access, int element, LaneVec& low) {
  for (int i = 0; i < kLanes; ++i) {
    T value;
    std::memcpy(&value, access.pointer[i] + static_cast<std::size_t>(element) * sizeof(T), sizeof(T));
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): signed bytes extend
    low[i] = static_cast<std::uint32_t>(value);
  }
}

}  // namespace

void ResolvedAccess::spread() {
  pointer.fill(run[0].pointer);
  for (int r = 0; r < runs; ++r)
    for (int i = 0; i < run[r].lanes; ++i) pointer[run[r].lane + i] = run[r].pointer + (same ? 0 : 4 * i);
}

void gather(const ResolvedAccess& access, const isa::MemoryAccess& form, int element, bool is_signed,
            int bits, LaneVec& low, LaneVec* high) {
  if (form.element_bytes == 4 && access.consecutive) {
    std::memcpy(low.lane, access.pointer[0], sizeof low.lane);
  } else {
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
      default: {
        const std::size_t offset = static_cast<std::size_t>(element) * form.element_bytes;
        for (int i = 0; i < kLanes; ++i) std::memcpy(&low.lane[i], access.pointer[i] + offset, 4);
      }
    }
  }
  if (bits < 32) {
    for (auto& word : low.lane) word &= (1u << bits) - 1;
  }
  if (!high) return;
  if (form.element_bytes == 8) {
    const std::size_t offset = static_cast<std::size_t>(element) * 8 + 4;
    for (int i = 0; i < kLanes; ++i) std::memcpy(&high->lane[i], access.pointer[i] + offset, 4);
  } else {
    for (int i = 0; i < kLanes; ++i)
      high->lane[i] = is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(low[i]) >> 31) : 0;
  }
}

namespace {

// Most runs are of all lanes, or of a half.
template <class Copy>
void for_each_run(const ResolvedAccess& access, Copy&& copy) {
  for (int r = 0; r < access.runs; ++r) {
    const auto& [lane, lanes, pointer] = access.run[r];
    if (lanes == kLanes)
      copy(lane, pointer, sizeof(LaneVec));
    else if (lanes == kLanes / 2)
      copy(lane, pointer, sizeof(LaneVec) / 2);
    else
      copy(lane, pointer, static_cast<std::size_t>(lanes) * sizeof(std::uint32_t));
  }
}

}  // namespace

void load_runs(const ResolvedAccess& access, LaneVec& into) {
  if (access.same) {
    for (int r = 0; r < access.runs; ++r) {
      const auto& [lane, lanes, pointer] = access.run[r];
      std::uint32_t word;
      std::memcpy(&word, pointer, sizeof word);
      if (lanes == kLanes / 2)
        std::fill_n(into.lane + lane, kLanes / 2, word);
      else
        std::fill_n(into.lane + lane, lanes, word);
    }
    return;
  }
  for_each_run(access, [&](int lane, const std::uint8_t* pointer, std::size_t bytes) {
    std::memcpy(into.lane + lane, pointer, bytes);
  });
}

void store_runs(const ResolvedAccess& access, const LaneVec& from) {
  for_each_run(access, [&](int lane, std::uint8_t* pointer, std::size_t bytes) {
    std::memcpy(pointer, from.lane + lane, bytes);
  });
}

bool equal_runs(const ResolvedAccess& access, const LaneVec& words) {
  bool equal = true;
  for_each_run(access, [&](int lane, const std::uint8_t* pointer, std::size_t bytes) {
    equal = equal && std::memcmp(words.lane + lane, pointer, bytes) == 0;
  });
  return equal;
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

#include "models/memory/bank_conflicts.h"

namespace heddle {

BankConflicts::BankConflicts(int banks, int bank_width_bytes)
    : banks_(static_cast<unsigned>(banks)),
      width_(static_cast<unsigned>(bank_width_bytes)),
      width_bits_(static_cast<unsigned>(std::countr_zero(width_))),
      power_of_two_(std::has_single_bit(banks_)) {}

BankUse BankConflicts::access(const WarpAddresses& addresses, LaneMask lanes) {
  if (addresses.pattern == 0) return all_groups(addresses, lanes, true);
  const unsigned within_word = addresses.low_word[0] & (width_ - 1);
  Remembered& known = remembered_[addresses.pattern % AddressPatterns::kMost];
  if (known.pattern == addresses.pattern && known.lanes == lanes && known.within_word == within_word)
    return known.use;
  known = {addresses.pattern, lanes, within_word, all_groups(addresses, lanes, true)};
  return known.use;
}

BankUse BankConflicts::atomic(const WarpAddresses& addresses, LaneMask lanes) const {
  return all_groups(addresses, lanes, false);
}

BankUse BankConflicts::all_groups(const WarpAddresses& addresses, LaneMask lanes, bool broadcast) const {
  const unsigned group_lanes = addresses.bytes <= width_ ? 32u : 32u * width_ / addresses.bytes;
  if (group_lanes == 32) return group(addresses, lanes, broadcast);
  BankUse use;
  const LaneMask first = (1u << group_lanes) - 1;
  for (unsigned at = 0; at < 32; at += group_lanes) {
    const LaneMask members = lanes & (first << at);
    if (members == 0) continue;
    const BankUse part = group(addresses, members, broadcast);
    use.passes += part.passes;
    use.words += part.words;
  }
  return use;
}

// Fast path for accesses without bank conflicts and with one bank word per lane. Returns the bit mask of the
// accessed banks, or 0 if two words lie in one bank.
std::uint32_t BankConflicts::conflict_free(const WarpAddresses& addresses, LaneMask lanes) const {
  std::uint32_t word_of[32];
  std::uint32_t asked = 0;
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const std::uint32_t word = addresses.low_word[std::countr_zero(left)] >> width_bits_;
    const std::uint32_t bank = word & (banks_ - 1);
    if ((asked >> bank) & 1) {
      if (word_of[bank] != word) return 0;
      continue;
    }
    asked |= 1u << bank;
    word_of[bank] = word;
  }
  return asked;
}

BankUse BankConflicts::group(const WarpAddresses& addresses, LaneMask lanes, bool broadcast) const {
  if (broadcast && power_of_two_ && addresses.bytes <= width_)
    if (const std::uint32_t asked = conflict_free(addresses, lanes))
      return {1, static_cast<unsigned>(std::popcount(asked))};
  // Bank words that the lanes access, without duplicates: at most 32 words. A linked list for each bank
  // contains the words of this bank.
  std::uint32_t word_at[32];
  std::int8_t next[32];
  std::int8_t head[32];
  std::uint8_t depth[32] = {};
  for (auto& h : head) h = -1;
  const unsigned words_per_lane = addresses.bytes <= width_ ? 1 : addresses.bytes / width_;
  BankUse use;
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const auto first = static_cast<std::uint32_t>(addresses.at(std::countr_zero(left)) >> width_bits_);
    for (std::uint32_t word = first; word < first + words_per_lane; ++word) {
      const unsigned bank = bank_of(word);
      std::int8_t seen = head[bank];
      while (broadcast && seen >= 0 && word_at[seen] != word) seen = next[seen];
      if (broadcast && seen >= 0) continue;
      word_at[use.words] = word;
      next[use.words] = head[bank];
      head[bank] = static_cast<std::int8_t>(use.words);
      ++use.words;
      use.passes = std::max<unsigned>(use.passes, ++depth[bank]);
    }
  }
  return use;
}

}  // namespace heddle

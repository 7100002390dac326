#include "models/stages/availability.h"

#include <algorithm>
#include <bit>
#include <string>

#include "models/core/error.h"

namespace heddle {

Availability::Availability(std::uint32_t entries, std::uint32_t subarrays, Packing packing)
    : entries_(entries),
      length_((entries + subarrays - 1) / subarrays),
      free_(entries),
      packing_(packing),
      last_(entries - 1),
      bits_((entries + 63) / 64, ~std::uint64_t{0}),
      taken_(subarrays),
      pins_(subarrays),
      room_(subarrays) {
  reserve(0);
}

void Availability::reserve(std::uint32_t entries) {
  if (occupied() != 0) fail("entries are reserved while some are allocated");
  reserved_ = entries;
  free_ = entries_ - entries;
  for (std::uint32_t e = 0; e < entries_; ++e) {
    const std::uint64_t bit = std::uint64_t{1} << (e % 64);
    bits_[e / 64] = e < entries ? bits_[e / 64] & ~bit : bits_[e / 64] | bit;
  }
  if (entries_ % 64) bits_.back() &= (std::uint64_t{1} << (entries_ % 64)) - 1;
  for (std::uint32_t s = 0; s < room_.size(); ++s) {
    const std::uint32_t first = std::min(s * length_, entries_), end = std::max(first, end_of(s));
    room_[s] = end - std::clamp(entries, first, end);
  }
}

bool Availability::unpin(std::uint32_t entry) {
  const std::uint32_t s = subarray_of(entry);
  if (pins_[s] == 0) fail("a free entry is freed");
  if (--pins_[s] != 0) return false;
  pinned_ &= ~(DomainSet{1} << s);
  return taken_[s] == 0;
}

void Availability::fail(const char* what) { throw InternalError(std::string("availability: ") + what); }

std::uint32_t Availability::first_free(std::uint32_t from, std::uint32_t end) const {
  for (std::uint32_t at = from; at < end; at = (at | 63u) + 1) {
    const std::uint64_t rest = bits_[at / 64] >> (at % 64);
    if (rest == 0) continue;
    const std::uint32_t found = at + static_cast<std::uint32_t>(std::countr_zero(rest));
    return found < end ? found : kNone;
  }
  return kNone;
}

std::uint32_t Availability::next_in_turn() const {
  const std::uint32_t next = first_free(last_ + 1, entries_);
  return next == kNone ? first_free(0, last_ + 1) : next;
}

std::uint32_t Availability::choose_among(DomainSet awake) const {
  if (free_ == 0) return kNone;
  if (packing_ == Packing::round_robin) {
    const std::uint32_t next = next_in_turn();
    return awake >> subarray_of(next) & 1 ? next : kNone;
  }
  for (DomainSet rest = awake; rest; rest &= rest - 1) {
    const auto s = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (s * length_ >= entries_) break;
    if (has_room(s)) return first_free(s * length_, end_of(s));
  }
  return kNone;
}

DomainSet Availability::to_wake(DomainSet awake) const {
  if (packing_ == Packing::round_robin) {
    const std::uint32_t next = next_in_turn();
    return next == kNone ? 0 : DomainSet{1} << subarray_of(next);
  }
  for (std::uint32_t s = 0; s * length_ < entries_; ++s)
    if (!(awake >> s & 1) && has_room(s)) return DomainSet{1} << s;
  return 0;
}

}  // namespace heddle

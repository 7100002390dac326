#include "models/banks/collector_ports.h"

#include <bit>

namespace heddle {

void CollectorPorts::begin(Kind kind, int limit) {
  kind_ = kind;
  limit_ = kind == Kind::widths ? 4 * limit : limit;
  for (const std::uint16_t source : touched_) taken_[source].fill(0);
  touched_.clear();
}

std::array<int, 4> CollectorPorts::slices_of(const WaitingAccess& read) const {
  switch (kind_) {
    case Kind::whole:
      return {1};
    case Kind::widths:
      return {std::popcount(read.sub_banks)};
    case Kind::sides:
      return {read.left ? 0 : 1, read.left ? 1 : 0};
    case Kind::sliced:
      break;
  }
  return {read.sub_banks & 1, read.sub_banks >> 1 & 1, read.sub_banks >> 2 & 1, read.sub_banks >> 3 & 1};
}

bool CollectorPorts::has_room(const WaitingAccess& read) const {
  if (read.source >= taken_.size()) return true;
  const std::array<int, 4> slices = slices_of(read);
  const auto& taken = taken_[read.source];
  for (std::size_t s = 0; s < taken.size(); ++s)
    if (slices[s] != 0 && taken[s] + slices[s] > limit_) return false;
  return true;
}

bool CollectorPorts::take(const WaitingAccess& read) {
  if (!has_room(read)) return false;
  if (read.source >= taken_.size()) return true;
  const std::array<int, 4> slices = slices_of(read);
  auto& taken = taken_[read.source];
  for (std::size_t s = 0; s < taken.size(); ++s) taken[s] += slices[s];
  touched_.push_back(read.source);
  return true;
}

}  // namespace heddle

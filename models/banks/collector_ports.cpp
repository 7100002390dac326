#include "models/banks/collector_ports.h"

namespace heddle {

void CollectorPorts::begin(bool sliced, int limit) {
  sliced_ = sliced;
  limit_ = limit;
  for (const std::uint16_t source : touched_) taken_[source].fill(0);
  touched_.clear();
}

bool CollectorPorts::has_room(const WaitingAccess& read) const {
  if (read.source >= taken_.size()) return true;
  const unsigned slices = sliced_ ? read.sub_banks : 1u;
  const auto& taken = taken_[read.source];
  for (unsigned s = 0; s < taken.size(); ++s)
    if ((slices >> s & 1) && taken[s] >= limit_) return false;
  return true;
}

bool CollectorPorts::take(const WaitingAccess& read) {
  if (!has_room(read)) return false;
  if (read.source >= taken_.size()) return true;
  const unsigned slices = sliced_ ? read.sub_banks : 1u;
  auto& taken = taken_[read.source];
  for (unsigned s = 0; s < taken.size(); ++s) taken[s] += static_cast<int>(slices >> s & 1);
  touched_.push_back(read.source);
  return true;
}

}  // namespace heddle

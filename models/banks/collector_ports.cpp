#include "models/banks/collector_ports.h"

#include <array>
#include <bit>

namespace heddle {
namespace {

/// Slice i takes a word by bit i.
constexpr auto kByBit = [] {
  std::array<std::uint64_t, 16> slices{};
  for (unsigned bits = 0; bits < slices.size(); ++bits)
    for (unsigned i = 0; i < 4; ++i)
      if (bits >> i & 1) slices[bits] |= std::uint64_t{1} << 16 * i;
  return slices;
}();

}  // namespace

void CollectorPorts::begin(Kind kind, int limit) {
  kind_ = kind;
  limit_ = static_cast<Slices>(kind == Kind::widths ? 4 * limit : limit) * kEach;
  for (const std::uint16_t source : touched_) taken_[source] = 0;
  touched_.clear();
}

CollectorPorts::Slices CollectorPorts::slices_of(const WaitingAccess& read) const {
  switch (kind_) {
    case Kind::whole:
      return 1;
    case Kind::widths:
      return static_cast<Slices>(std::popcount(read.sub_banks));
    case Kind::sides:
      return kByBit[read.left ? 2 : 1];
    case Kind::sliced:
      break;
  }
  return kByBit[read.sub_banks & 15];
}

bool CollectorPorts::has_room(const WaitingAccess& read) const {
  return read.source >= taken_.size() || fits(taken_[read.source] + slices_of(read));
}

bool CollectorPorts::take(const WaitingAccess& read) {
  if (read.source >= taken_.size()) return true;
  Slices& taken = taken_[read.source];
  const Slices more = taken + slices_of(read);
  if (!fits(more)) return false;
  taken = more;
  touched_.push_back(read.source);
  return true;
}

}  // namespace heddle

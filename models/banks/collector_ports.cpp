#include "models/banks/collector_ports.h"

#include <bit>

#include "models/banks/quarters.h"

namespace heddle {

void CollectorPorts::begin(Kind kind, int limit) {
  if (kind != kind_) table_ = table_of(kind);
  kind_ = kind;
  limit_ = static_cast<Slices>(kind == Kind::widths ? 4 * limit : limit) * kEach;
  for (const std::uint16_t source : touched_) taken_[source] = 0;
  touched_.clear();
}

CollectorPorts::Table CollectorPorts::table_of(Kind kind) const {
  Table table{};
  for (unsigned key = 0; key < table.size(); ++key) {
    const unsigned quarters = quarters_of(key & 255, sub_banks_);
    Slices& slices = table[key];
    switch (kind) {
      case Kind::whole:
        slices = 1;
        break;
      case Kind::sliced:
        for (unsigned i = 0; i < 4; ++i) slices |= Slices{quarters >> i & 1} << 16 * i;
        break;
      case Kind::widths:
        slices = static_cast<Slices>((4 * std::popcount(key & 255) + sub_banks_ - 1) / sub_banks_);
        break;
      case Kind::sides:
        slices = key < 256 ? 1 : Slices{1} << 16;
        break;
    }
  }
  return table;
}

}  // namespace heddle

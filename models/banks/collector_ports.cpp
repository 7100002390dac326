#include "models/banks/collector_ports.h"

#include <bit>

namespace heddle {

void CollectorPorts::begin(Kind kind, int limit) {
  if (kind != kind_) table_ = table_of(kind);
  kind_ = kind;
  limit_ = static_cast<Slices>(kind == Kind::widths ? 4 * limit : limit) * kEach;
  for (const std::uint16_t source : touched_) taken_[source] = 0;
  touched_.clear();
}

CollectorPorts::Table CollectorPorts::table_of(Kind kind) {
  Table table{};
  for (unsigned key = 0; key < table.size(); ++key) {
    const unsigned sub_banks = key & 15;
    Slices& slices = table[key];
    switch (kind) {
      case Kind::whole:
        slices = 1;
        break;
      case Kind::sliced:
        for (unsigned i = 0; i < 4; ++i) slices |= Slices{sub_banks >> i & 1} << 16 * i;
        break;
      case Kind::widths:
        slices = static_cast<Slices>(std::popcount(sub_banks));
        break;
      case Kind::sides:
        slices = key < 16 ? 1 : Slices{1} << 16;
        break;
    }
  }
  return table;
}

}  // namespace heddle

#include "testbench/run/read_order_law.h"

#include <fmt/format.h>

#include "models/core/error.h"

namespace heddle::run {

void ReadOrderLaw::issued(const InFlight& item) {
  if (item.mask == 0) return;
  std::vector<Reader>& readers = of(item.warp());
  if (interlocked_) refuse(readers, item, "issues a write of");
  if (item.collects() && item.footprint->reads.any()) readers.push_back({item.uid, item.footprint, item.pc});
}

void ReadOrderLaw::reads_held(const InFlight& item) {
  std::erase_if(of(item.warp()), [&](const Reader& reader) { return reader.uid == item.uid; });
}

void ReadOrderLaw::completed(const InFlight& item) { refuse(of(item.warp()), item, "has written"); }

std::vector<ReadOrderLaw::Reader>& ReadOrderLaw::of(WarpId warp) {
  if (readers_.size() <= warp.value) readers_.resize(warp.value + std::size_t{1});
  return readers_[warp.value];
}

void ReadOrderLaw::refuse(const std::vector<Reader>& readers, const InFlight& item, const char* what) const {
  for (const Reader& reader : readers)
    if (reader.uid < item.uid && reader.footprint->reads.intersects(item.footprint->writes))
      throw InternalError(
          fmt::format("{}: warp {}: the instruction at {}, issued in cycle {}, {} a register that the "
                      "instruction at {} has not read "
                      "yet",
                      sm_, item.warp().value, item.pc, item.issued, what, reader.pc));
}

}  // namespace heddle::run

#pragma once

// Releases that the issue stage sees to itself (001, 6.2): lists of registers at the start of a block, which
// act when its first instruction issues, and flags of instructions that take no collector. (Collectors see to
// the flags of all others.) A register with a pending read or write is released when that ends. Until the
// register path has taken a release, nobody may write the register: it counts as one that is still read. So are
// registers given up that have been written out to memory (register_spiller.h).

#include <vector>

#include "models/core/warp_set.h"
#include "models/isa/release_flags.h"
#include "models/operands/register_port.h"
#include "models/ports/in_flight.h"
#include "models/sm/warp_table.h"

namespace heddle {

class RegisterReleases {
 public:
  RegisterReleases(WarpTable& warps, int partitions)
      : warps_(warps),
        ports_(static_cast<std::size_t>(partitions)),
        deferred_(static_cast<std::size_t>(warps.slots())) {}

  void connect(std::size_t partition, RegisterPort& port);
  /// Stages of some partition want the releases that flags name; without that issued() need not be called.
  bool listens() const { return listens_; }

  /// Whether issued() has to be called for an instruction with this attached. `collects`: it takes a collector.
  static bool concerned(std::uint64_t attached, bool collects) {
    return !collects || isa::ReleaseLatch(attached).lists() != 0;
  }
  /// The instruction is issued, before the scoreboard hears of it.
  void issued(Cycle now, WarpId warp, std::uint32_t pc, std::uint64_t attached, bool collects);
  /// The register is released, at once or when its pending reads and writes have ended.
  void release(Cycle now, WarpId warp, std::uint32_t reg);
  /// Something that the warp had in flight has ended.
  void freed(Cycle now, WarpId warp) {
    if (waiting_.contains(warp)) look(now, warp);
  }
  /// The warp has ended.
  void ended(Cycle now, WarpId warp);
  bool has_sent() const {
    for (const RegisterPort* port : ports_)
      if (port && port->has_sent_releases()) return true;
    return false;
  }
  /// What the register paths took in earlier cycles: warps of which something can be written again.
  WarpSet take_sent(Cycle now);

 private:
  void look(Cycle now, WarpId warp);
  void send(Cycle now, WarpId warp, std::uint32_t reg);

  WarpTable& warps_;
  std::vector<RegisterPort*> ports_;   ///< by partition; nullptr where there are no releases
  std::vector<RegisterSet> deferred_;  ///< by warp
  WarpSet waiting_ = 0;                ///< with deferred ones
  bool listens_ = false;
};

}  // namespace heddle

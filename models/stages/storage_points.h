#pragma once

// Probe points of register stages, for observers and Verilog blocks. The points belong to:
// - the sets of a register cache
// - slots: a slot is a warp's share of a register cache or operand file
// - the operand window of a warp: a small table above the banks, with the registers that the warp accessed last
// - the registers that are exchanged when a warp changes from one register interval to the next

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/core/register_set.h"

namespace heddle {

/// Probe point of one cache set. Events: a register is looked up, a line is chosen for a register without a
/// line, or a line changes. A Verilog block may replace the results of look-ups and choices.
struct CacheSetPoint {
  struct Owner {
    int ways = 0;
    bool lru = false;
  };
  struct View {
    enum What : std::uint8_t { finds, chooses, takes, gives_up, touches, writes, fills, drops };
    What what = finds;
    std::uint32_t key = 0;  ///< for the events `finds` and `takes`: warp and register
    std::uint32_t way = 0;
    LaneMask lanes = 0;
    /// for the event `writes`: true if the compiler has marked the written values as never read
    bool dead = false;
  };
  struct Answer {
    bool hit = false;
    std::uint32_t way = 0;
    LaneMask valid = 0, dirty = 0;
  };
};

/// Probe point at which a warp gets a slot: its share of a register cache or operand file. Events: a warp
/// requests a slot, or frees its slot.
struct SlotsPoint {
  struct Owner {
    int warps = 0;
  };
  struct View {
    bool leaves = false;
    WarpId warp{};
  };
  using Answer = std::size_t;
};

/// Probe point of the operand window of one warp. Events: the stage checks which entries leave (`slides`);
/// registers are looked up; an entry is chosen for a register without an entry; an entry changes. A Verilog
/// block may replace the results of look-ups and choices, and the set of leaving entries.
struct WindowPoint {
  static constexpr std::size_t kSources = 3;
  struct Owner {
    int entries = 0, instructions = 0;
    bool extends = false;
  };
  struct View {
    enum What : std::uint8_t {
      slides,
      announces,
      reads,
      finds,
      chooses,
      takes,
      awaits,
      requests,
      fills,
      writes,
      passes,
      cleans,
      gives_up,
      clears
    };
    What what = slides;
    bool advances = false;  ///< for the event `slides`: true if an instruction is announced
    bool pending = false;   ///< for the event `slides`: true if an announced instruction lacks operands
    bool hinted = false;    ///< for the event `writes`: true if the compiler has marked the result
    /// for the event `slides`: age of the oldest announced instruction that lacks operands, as the number of
    /// instructions that the warp has announced since
    std::uint64_t oldest = 0;
    std::uint8_t sources = 0;  ///< number of registers in `source`
    std::array<std::uint8_t, kSources> source{};
    std::uint8_t result = 0;  ///< register that is looked up by the result port
    LaneMask lanes = 0;
    std::uint32_t way = 0;
  };
  struct Answer {
    std::array<bool, kSources> found{}, hit{};
    std::array<std::uint32_t, kSources> ways{};
    bool result_found = false;
    std::uint32_t result_way = 0;
    bool can_take = false;
    std::uint32_t victim = 0;
    /// for the event `slides`: bit masks of ways (entries of the window). `leaves`: ways that leave the
    /// window. `backs`: those of them whose values are written to the stage below.
    std::uint64_t leaves = 0, backs = 0;
  };
};

/// Probe point of the change of a warp from one register interval to the next. The stage interval-file makes
/// two decisions here: which registers leave the interval-file, and which register is loaded next. A Verilog
/// block may replace both.
struct MovePoint {
  static constexpr std::uint32_t kBanks = 4;
  struct Owner {};
  struct View {
    bool enters = false;  ///< true: the register to load next is chosen; false: the registers that leave
    RegisterSet held{}, dirty{}, live{}, set{};
  };
  struct Answer {
    RegisterSet leaves,
        backs;  ///< registers that leave the interval-file; registers written to the stage below
    /// For each bank: the register to load next (`next`), whether there is one (`valid`), and whether its
    /// value must be read from the stage below (`reads`). Register r belongs to bank r modulo kBanks.
    std::array<bool, kBanks> valid{}, reads{};
    std::array<std::uint8_t, kBanks> next{};
  };
};

}  // namespace heddle

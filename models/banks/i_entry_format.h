#pragma once

// Family "entry format": defines how the rows of the register banks store registers. Plain C++. The format
// object holds the only copy of the banks' contents. The banks read and write rows only through the format,
// and call it to get the sub-banks that an access opens.
//
// A row has 128 bytes in four sub-banks of 32 bytes. Bit s of a set stands for sub-bank s. Each sub-bank has
// its own row address and its own read/write control. Two accesses to one bank can be served together if they
// open no common sub-bank. The arbiter decides whether to do so.

#include <cstdint>
#include <vector>

#include "models/core/lanes.h"
#include "models/core/probe.h"
#include "models/ports/i_life_listener.h"
#include "models/ports/register_place.h"

namespace heddle {

inline constexpr int kSubBanks = 4;
inline constexpr std::uint8_t kAllSubBanks = (1u << kSubBanks) - 1;

/// A register of a warp, with the bank and entry that store it.
struct StoredRegister {
  RegisterPlace place;
  WarpId warp{};
  RegId home{};  ///< number of the architected register
};

/// The sub-banks and the row that one access opens.
struct RowDrive {
  /// Row of the bank. `row` differs from the entry of the register's place if the format stores the register
  /// in another row.
  std::uint32_t row = 0;
  std::uint8_t sub_banks = kAllSubBanks;
  /// True if a write needs the row's old contents. The write then takes one additional access that reads
  /// them, at least one cycle earlier.
  bool read_first = false;
  std::uint8_t first_sub_banks = kAllSubBanks;  ///< sub-banks that the additional read opens
  std::uint32_t first_row = 0;                  ///< row that the additional read opens
  bool partial = false;                         ///< true: a write that keeps the old value in some live lanes
  bool widens = false;  ///< true: a partial write after which the register stores more bytes than before
  bool left = false;    ///< true: the register is left-aligned in its row (byte 0 in sub-bank 3)
  /// For a write: a result of write_drive() that the format needs again in write(), for example the
  /// register's new width.
  std::uint8_t note = 0;
};

class EntryFormat {
 public:
  struct Context {
    std::vector<int> depths;  ///< number of rows of every bank
  };
  static constexpr const char* kFamily = "entry format";
  static constexpr const char* kPlace = "gpu.sm.register_file.banks.format";
  virtual ~EntryFormat() = default;

  /// Current cycle, for probes. The banks set it, except when they copy rows directly (rows()).
  Cycle now = 0;

  /// Returns true if every access opens all four sub-banks of the row that the register's place names. The
  /// banks then call neither read_drive() nor write_drive().
  virtual bool opens_whole_rows() const = 0;
  /// Returns the consecutive rows of a bank if the format opens whole rows and stores values unchanged. The
  /// banks may then copy lanes directly instead of calling read() and write(). Returns nullptr for other
  /// formats.
  virtual LaneVec* rows(BankId /*bank*/) { return nullptr; }
  /// Cycles that the format adds to the way of a read value to the collector, or of a written value to its
  /// row.
  virtual int read_cycles() const { return 0; }
  virtual int write_cycles() const { return 0; }
  /// Called when a warp begins. `fixed`: places of the warp's registers, which do not change until the warp
  /// ends. nullptr: a stage nearer to the collectors maps the registers dynamically.
  virtual void warp_begins(const WarpBegins&, const RegisterMapping* /*fixed*/) {}
  /// Returns an order number for the register. The banks keep the order of accesses with the same number in
  /// one bank, because an earlier write may change the sub-banks that a later access opens.
  virtual std::uint32_t order_of(const StoredRegister& r) const { return r.place.entry; }
  /// Returns the sub-banks and the row that a read opens. write_drive() returns them for a write of the lanes
  /// in `mask`. Both are called only when no older write with the same order_of() number waits. `live`:
  /// threads of the warp that have not exited. A write that covers all live threads keeps no old value.
  virtual RowDrive read_drive(const StoredRegister& r) const = 0;
  virtual RowDrive write_drive(const StoredRegister& r, const LaneVec& values, LaneMask mask,
                               LaneMask live) const = 0;

  /// Reads the register's value from the opened sub-banks. Bytes in other sub-banks are poison.
  virtual void read(const StoredRegister& r, std::uint8_t sub_banks, LaneVec& into) const = 0;
  /// Writes the lanes of `mask`. `note`: the member RowDrive::note that the most recent write_drive()
  /// returned for this write.
  virtual void write(const StoredRegister& r, const LaneVec& values, LaneMask mask, LaneMask live,
                     std::uint8_t note) = 0;
  /// Poisons lanes of a register without an access, because the register was released or its row lost power.
  virtual void poison(const StoredRegister& r, LaneMask lanes) = 0;
  /// Flips the stored bit of a lane, for fault injection. Returns false if the format does not store this
  /// bit.
  virtual bool flip_bit(const StoredRegister& r, int lane, int bit) = 0;
  /// Flips one of the 256 bit cells of a sub-bank in the register's row, for fault injection. Returns false
  /// if no value uses the cell.
  virtual bool flip_cell(const StoredRegister& r, int sub_bank, int cell) = 0;

  /// Adds the format's probe points, at which observers and RTL blocks see its decisions
  /// (models/core/probe.h).
  virtual void probes(const ProbeScope&) {}
};

}  // namespace heddle

#pragma once

// Interface of the entry formats. An entry format defines how the rows of the register banks store registers.
// The format object holds the only copy of the values, and computes which sub-banks an access opens.
//
// A row has 128 bytes in four sub-banks of 32 bytes, each with its own row address and read/write control. In
// a set of sub-banks, bit s stands for sub-bank s. Two accesses to one bank can be served in one cycle if
// they open no common sub-bank.

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
  RegId home{};
};

/// The sub-banks and the row that one access opens.
struct RowDrive {
  std::uint32_t row = 0;
  std::uint8_t sub_banks = kAllSubBanks;
  /// True: a write first needs the row's old contents. One additional access reads them at least one cycle
  /// earlier.
  bool read_first = false;
  std::uint8_t first_sub_banks = kAllSubBanks;
  std::uint32_t first_row = 0;
  bool partial = false;  ///< True: a write that keeps the old value in some live lanes.
  bool widens = false;
  bool left = false;
  /// For a write: a result of write_drive() that write() needs again, for example the register's new width.
  std::uint8_t note = 0;
};

class EntryFormat {
 public:
  struct Context {
    std::vector<int> depths;
  };
  static constexpr const char* kFamily = "entry format";
  static constexpr const char* kPlace = "gpu.sm.register_file.banks.format";
  virtual ~EntryFormat() = default;

  Cycle now = 0;

  /// Returns true if every access opens all four sub-banks of the register's row. The banks then call neither
  /// read_drive() nor write_drive().
  virtual bool opens_whole_rows() const = 0;
  /// Returns the consecutive rows of a bank if the format opens whole rows and stores values unchanged,
  /// otherwise nullptr. The banks may copy lanes in these rows directly.
  virtual LaneVec* rows(BankId /*bank*/) { return nullptr; }
  /// Cycles that the format adds: read_cycles() between the bank and the collector, write_cycles() before the
  /// row is written.
  virtual int read_cycles() const { return 0; }
  virtual int write_cycles() const { return 0; }
  /// `fixed`: bank and entry of each register until the warp ends; nullptr with a dynamic register mapping.
  virtual void warp_begins(const WarpBegins&, const RegisterMapping* /*fixed*/) {}
  /// Returns a number for the data of a register. Accesses with equal numbers are served in order, because a
  /// write may change the sub-banks that a later access opens.
  virtual std::uint32_t order_of(const StoredRegister& r) const { return r.place.entry; }
  /// Return the sub-banks and the row that an access opens: a read, or a write of the lanes in `mask`. Called
  /// only when no older write with the same order_of() number waits. `live`: threads of the warp that have
  /// not exited.
  virtual RowDrive read_drive(const StoredRegister& r) const = 0;
  virtual RowDrive write_drive(const StoredRegister& r, const LaneVec& values, LaneMask mask,
                               LaneMask live) const = 0;

  /// Reads the register's value from the opened sub-banks. Bytes in other sub-banks are poison.
  virtual void read(const StoredRegister& r, std::uint8_t sub_banks, LaneVec& into) const = 0;
  /// Writes the lanes of `mask`. `note`: RowDrive::note from write_drive() for this write.
  virtual void write(const StoredRegister& r, const LaneVec& values, LaneMask mask, LaneMask live,
                     std::uint8_t note) = 0;
  /// Poisons lanes of a register without an access, because the register was released or its row lost power.
  virtual void poison(const StoredRegister& r, LaneMask lanes) = 0;
  /// Flips the stored bit of a lane, for fault injection. Returns false if the format does not store it.
  virtual bool flip_bit(const StoredRegister& r, int lane, int bit) = 0;
  /// Flips one of the 256 bit cells of a sub-bank, for fault injection. Returns false if no value uses the
  /// cell.
  virtual bool flip_cell(const StoredRegister& r, int sub_bank, int cell) = 0;

  virtual void probes(const ProbeScope&) {}
};

}  // namespace heddle

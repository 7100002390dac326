#pragma once

// Interface of the entry formats. An entry format defines how the rows of the register banks store registers.
// The format object holds the only copy of the values, and computes which sub-banks an access opens.
//
// A row has 128 bytes in two, four or eight sub-banks of equal size. Each sub-bank has its own row address and
// read/write control. In a set of sub-banks, bit s stands for sub-bank s. Two accesses to one bank can be
// served in one cycle if they open no common sub-bank.
//
// A format may switch off the supply of sub-banks (sub_bank_power.h). Each write then reserves the sub-banks
// that it opens, and waits until they are on.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/lanes.h"
#include "models/core/probe.h"
#include "models/core/stats.h"
#include "models/ports/i_life_listener.h"
#include "models/ports/power_domains.h"
#include "models/ports/register_place.h"

namespace heddle {

/// Number of sub-banks of a row, unless the entry format has another number (EntryFormat::sub_banks).
inline constexpr int kSubBanks = 4;
inline constexpr int kMostSubBanks = 8;
inline constexpr std::uint8_t kAllSubBanks = (1u << kSubBanks) - 1;

class SubBankPower;

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
  /// True: the write needs the row's old contents. An additional access reads them in an earlier cycle.
  bool read_first = false;
  std::uint8_t first_sub_banks = kAllSubBanks;
  std::uint32_t first_row = 0;
  bool partial = false;  ///< For a write: true if some live lanes keep their old value.
  bool widens = false;
  bool left = false;
  /// For a write: a result of write_drive() that write() uses, for example the register's new width.
  std::uint8_t note = 0;
};

class EntryFormat {
 public:
  struct Context {
    std::vector<int> depths;
    StatsScope stats;  ///< creates the format's own counters
    /// Object that creates power domains; nullptr: no sub-bank can be gated.
    PowerDomainsMaker* power = nullptr;
    /// The configuration that selects the format, for file and line of errors; nullptr: unknown.
    const ConfigNode* choice = nullptr;
  };
  static constexpr const char* kFamily = "entry format";
  static constexpr const char* kPlace = "gpu.sm.register_file.banks.format";
  virtual ~EntryFormat() = default;

  Cycle now = 0;

  /// Returns the number of sub-banks of a row: 2, 4 or 8. Formats whose accesses open whole rows return
  /// kSubBanks.
  virtual int sub_banks() const { return kSubBanks; }
  std::uint8_t all_sub_banks() const { return static_cast<std::uint8_t>((1u << sub_banks()) - 1); }

  /// Returns true if every access opens all sub-banks of the register's row. The banks then call neither
  /// read_drive() nor write_drive().
  virtual bool opens_whole_rows() const = 0;
  /// Returns the consecutive rows of a bank if the format opens whole rows and stores values unchanged,
  /// otherwise nullptr. The banks may copy lanes of these rows directly.
  virtual LaneVec* rows(BankId /*bank*/) { return nullptr; }
  /// Cycles that the format adds: read_cycles() between the bank and the collector, write_cycles() before the
  /// row is written.
  virtual int read_cycles() const { return 0; }
  virtual int write_cycles() const { return 0; }
  /// Returns the cycles that a read of this row takes in addition to read_cycles().
  virtual int more_read_cycles(const StoredRegister&) const { return 0; }
  /// Called when a warp begins. `fixed`: mapping that gives the bank and entry of each register until the
  /// warp ends; nullptr if the mapping is dynamic (renaming).
  virtual void warp_begins(const WarpBegins&, const RegisterMapping* /*fixed*/) {}
  /// Returns a number for the order of accesses to a register: accesses with equal numbers are served in
  /// order, because a write may change the sub-banks that a later access opens.
  virtual std::uint32_t order_of(const StoredRegister& r) const { return r.place.entry; }
  /// Return the sub-banks and the row that a read, or a write of the lanes in `mask`, opens. Called only when
  /// no older write waits whose register has the same number by order_of(). `live`: the warp's threads that
  /// have not exited.
  virtual RowDrive read_drive(const StoredRegister& r) const = 0;
  virtual RowDrive write_drive(const StoredRegister& r, const LaneVec& values, LaneMask mask,
                               LaneMask live) const = 0;

  /// Reads the register's value from the opened sub-banks. Bytes in other sub-banks are poison.
  virtual void read(const StoredRegister& r, std::uint8_t sub_banks, LaneVec& into) const = 0;
  /// Writes the lanes of `mask`. `note`: RowDrive::note from write_drive() for this write.
  virtual void write(const StoredRegister& r, const LaneVec& values, LaneMask mask, LaneMask live,
                     std::uint8_t note) = 0;
  /// Returns the object that gates the format's sub-banks; nullptr if no sub-bank is gated.
  virtual SubBankPower* sub_bank_power() { return nullptr; }

  /// Poisons lanes of a register, because the register was released or its row lost power. This does not
  /// count as an access.
  virtual void poison(const StoredRegister& r, LaneMask lanes) = 0;
  /// Flips bit `bit` in the stored value of a lane, for fault injection. Returns false if the format does
  /// not store this bit.
  virtual bool flip_bit(const StoredRegister& r, int lane, int bit) = 0;
  /// Flips one bit cell of a sub-bank, for fault injection. A row has four sub-banks of 256 cells each.
  /// Returns false if no value uses the cell.
  virtual bool flip_cell(const StoredRegister& r, int sub_bank, int cell) = 0;

  /// An equation between counters that must hold at the end of a run: `left` equals `right`.
  struct Rule {
    std::string what;
    std::uint64_t left = 0, right = 0;
  };
  virtual std::vector<Rule> rules() const { return {}; }

  virtual void probes(const ProbeScope&) {}
};

}  // namespace heddle

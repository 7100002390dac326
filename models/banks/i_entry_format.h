#pragma once

// Family "entry format": defines how the rows of the banks store registers. Plain C++. A format is the only
// storage of the banks' contents. The banks read and write only through it, and call it to find the sub-banks
// that an access opens.
//
// A row is 128 bytes in four sub-banks of 32 bytes. Bit s of a set stands for sub-bank s. Each sub-bank has
// its own row address and direction. Two accesses to one bank may be served together if their sub-banks do
// not overlap; the arbiter decides.

#include <cstdint>
#include <vector>

#include "models/core/lanes.h"
#include "models/core/probe.h"
#include "models/ports/i_life_listener.h"
#include "models/ports/register_place.h"

namespace heddle {

inline constexpr int kSubBanks = 4;
inline constexpr std::uint8_t kAllSubBanks = (1u << kSubBanks) - 1;

/// A register of a warp, and its place in the banks.
struct StoredRegister {
  RegisterPlace place;
  WarpId warp{};
  RegId home{};  ///< architected register
};

/// Sub-banks and row that an access opens.
struct RowDrive {
  /// Row of the bank; differs from the place's entry if the format stores the register in another row.
  std::uint32_t row = 0;
  std::uint8_t sub_banks = kAllSubBanks;
  /// A write that needs the old contents: one more access, at least one cycle earlier.
  bool read_first = false;
  std::uint8_t first_sub_banks = kAllSubBanks;  ///< sub-banks that this additional access opens
  std::uint32_t first_row = 0;                  ///< row that this additional access opens
  bool partial = false;                         ///< a write that keeps live lanes of the old value
  bool widens = false;                          ///< a partial write that needs more bytes than the old value
  bool left = false;                            ///< left-aligned: byte 0 lies in the last sub-bank
  /// Of a write: a result of write_drive() that the format needs in write(), for example the width.
  std::uint8_t note = 0;
};

class EntryFormat {
 public:
  struct Context {
    std::vector<int> depths;  ///< rows of every bank
  };
  static constexpr const char* kFamily = "entry format";
  static constexpr const char* kPlace = "gpu.sm.register_file.banks.format";
  virtual ~EntryFormat() = default;

  Cycle now = 0;  ///< current cycle, for probes; set by the banks unless they copy from rows()

  /// True if every access opens the four sub-banks of the row that its place names. read_drive() and
  /// write_drive() are then not called.
  virtual bool opens_whole_rows() const = 0;
  /// Rows of a bank, consecutive, for a format that opens whole rows and stores values unchanged. The banks
  /// may then copy lanes directly instead of calling read() and write(). nullptr for other formats.
  virtual LaneVec* rows(BankId /*bank*/) { return nullptr; }
  /// Cycles that the format adds to a read's way to the collector, and to a write's way to its row.
  virtual int read_cycles() const { return 0; }
  virtual int write_cycles() const { return 0; }
  /// A warp begins. `fixed`: mapping of its registers, which have these places until the warp ends; nullptr:
  /// a stage above maps them as they are used.
  virtual void warp_begins(const WarpBegins&, const RegisterMapping* /*fixed*/) {}
  /// Returns a number for the register. The banks keep the order of accesses with the same number in one
  /// bank, because the sub-banks that a later access opens may depend on an earlier write.
  virtual std::uint32_t order_of(const StoredRegister& r) const { return r.place.entry; }
  /// Returns the sub-banks and the row that a read, or a write of `mask`, opens. Called when no older write
  /// with the same order_of() waits. `live`: threads of the warp that have not exited. A write that covers
  /// all live threads keeps no old value.
  virtual RowDrive read_drive(const StoredRegister& r) const = 0;
  virtual RowDrive write_drive(const StoredRegister& r, const LaneVec& values, LaneMask mask,
                               LaneMask live) const = 0;

  /// Reads the register's value from the opened sub-banks. Bytes in other sub-banks are poison.
  virtual void read(const StoredRegister& r, std::uint8_t sub_banks, LaneVec& into) const = 0;
  /// Writes the lanes of `mask`. `note`: RowDrive::note of the last write_drive() for this write.
  virtual void write(const StoredRegister& r, const LaneVec& values, LaneMask mask, LaneMask live,
                     std::uint8_t note) = 0;
  /// Poisons lanes without an access, because the register was released or its row was powered off.
  virtual void poison(const StoredRegister& r, LaneMask lanes) = 0;
  /// Flips the stored bit of a lane. Returns false if the format does not store the bit.
  virtual bool flip_bit(const StoredRegister& r, int lane, int bit) = 0;
  /// Flips one of the 256 cells of a sub-bank, in the row that the place names. Returns false if no value
  /// uses the cell.
  virtual bool flip_cell(const StoredRegister& r, int sub_bank, int cell) = 0;

  /// Adds the points at which decisions can be observed (models/core/probe.h), if the format has any.
  virtual void probes(const ProbeScope&) {}
};

}  // namespace heddle

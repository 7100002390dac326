#pragma once

// Family "entry format": how the rows of the banks store registers. Plain C++. A format is the only storage
// of the banks' contents. The banks call it for the sub-banks that an access opens, and read and write
// through these alone.
//
// A row is 128 bytes in four sub-banks of 32 bytes (bit s of a set = sub-bank s), each with a row and a
// direction of its own: two accesses to one bank may be served together if their sub-banks do not overlap
// (the arbiter decides).

#include <cstdint>
#include <vector>

#include "models/core/lanes.h"
#include "models/core/probe.h"
#include "models/ports/i_life_listener.h"
#include "models/ports/register_place.h"

namespace heddle {

inline constexpr int kSubBanks = 4;
inline constexpr std::uint8_t kAllSubBanks = (1u << kSubBanks) - 1;

/// A register of a warp, and the place that the mapping gives it.
struct StoredRegister {
  RegisterPlace place;
  WarpId warp{};
  RegId home{};  ///< architected register
};

/// Sub-banks that an access opens.
struct RowDrive {
  std::uint32_t row =
      0;  ///< of the bank; what is stored in another row than the register's place says so here
  std::uint8_t sub_banks = kAllSubBanks;
  bool read_first =
      false;  ///< a write that needs the old contents: one more access, at least a cycle earlier
  std::uint8_t first_sub_banks = kAllSubBanks;  ///< that this other access opens
  std::uint32_t first_row = 0;                  ///< and its row, if there is one
  bool partial = false;                         ///< a write that leaves live lanes of the old value
  bool widens = false;                          ///< a value that needs more bytes than the old one
  bool left = false;                            ///< byte 0 lies in the last sub-bank, not in the first
  std::uint8_t note = 0;  ///< a format's own, of a write: what it has found out of the values, for write()
};

class EntryFormat {
 public:
  struct Context {
    std::vector<int> depths;  ///< rows of every bank
  };
  static constexpr const char* kFamily = "entry format";
  static constexpr const char* kPlace = "gpu.sm.register_file.banks.format";
  virtual ~EntryFormat() = default;

  Cycle now = 0;  ///< set by the banks unless they copy from rows(), for what looks at decisions (probes)

  /// Every access opens the four sub-banks of the row that its place names: the functions below are not
  /// called.
  virtual bool opens_whole_rows() const = 0;
  /// Rows of a bank, one after the other, for a format that opens whole rows and stores values unchanged:
  /// lanes may be copied directly instead of by read() and write(). nullptr for other formats.
  virtual LaneVec* rows(BankId /*bank*/) { return nullptr; }
  /// Cycles that the format adds to a read's way to the collector, and to a write's way to its row.
  virtual int read_cycles() const { return 0; }
  virtual int write_cycles() const { return 0; }
  /// The warp's registers have these places until it ends; nullptr: a stage above maps them as they are used.
  virtual void warp_begins(const WarpBegins&, const RegisterMapping* /*fixed*/) {}
  /// Accesses whose registers have the same number, in one bank, keep their order: what one opens depends on
  /// what the other has done.
  virtual std::uint32_t order_of(const StoredRegister& r) const { return r.place.entry; }
  /// Sub-banks that a read, or a write of `mask`, opens. Called when no older write of that order waits;
  /// `live`: threads of the warp that have not exited (a write that covers them leaves nothing of the old
  /// value).
  virtual RowDrive read_drive(const StoredRegister& r) const = 0;
  virtual RowDrive write_drive(const StoredRegister& r, const LaneVec& values, LaneMask mask,
                               LaneMask live) const = 0;

  /// The register's value from the opened sub-banks; what lies in others is not delivered.
  virtual void read(const StoredRegister& r, std::uint8_t sub_banks, LaneVec& into) const = 0;
  /// `note`: that of the last write_drive() for it.
  virtual void write(const StoredRegister& r, const LaneVec& values, LaneMask mask, LaneMask live,
                     std::uint8_t note) = 0;
  /// The lanes lose their value, by no access: released, powered off.
  virtual void poison(const StoredRegister& r, LaneMask lanes) = 0;
  /// Flips the stored bit of a lane; false if the format does not store it.
  virtual bool flip_bit(const StoredRegister& r, int lane, int bit) = 0;
  /// Flips one of the 256 cells of a sub-bank of the row that the place names; false if no value lies there.
  virtual bool flip_cell(const StoredRegister& r, int sub_bank, int cell) = 0;

  /// Lists the points at which its decisions can be observed (models/core/probe.h), if it has any.
  virtual void probes(const ProbeScope&) {}
};

}  // namespace heddle

#pragma once

// Family "entry format": how the rows of the banks store registers. Plain C++. A format is the only storage
// of what the banks hold; the banks ask it which sub-banks an access opens, and read and write through these
// alone.
//
// A row is 128 bytes in four sub-banks of 32 bytes (bit s of a set = sub-bank s), each with a row and a
// direction of its own: two accesses to one bank may be served together where their sub-banks do not overlap
// (the arbiter decides).

#include <cstdint>
#include <vector>

#include "models/core/lanes.h"
#include "models/ports/register_place.h"

namespace heddle {

inline constexpr std::uint8_t kAllSubBanks = 0x0f;

/// What an access opens.
struct RowDrive {
  std::uint32_t row =
      0;  ///< of the bank; what is stored in another row than the register's place says so here
  std::uint8_t sub_banks = kAllSubBanks;
  bool read_first =
      false;  ///< a write that needs the old contents: one more access, at least a cycle earlier
  std::uint8_t first_sub_banks = kAllSubBanks;  ///< that this other access opens
};

class EntryFormat {
 public:
  struct Context {
    std::vector<int> depths;  ///< rows of every bank
  };
  static constexpr const char* kFamily = "entry format";
  static constexpr const char* kPlace = "gpu.sm.register_file.banks.format";
  virtual ~EntryFormat() = default;

  /// Every access opens the four sub-banks of the row that its place names: the two questions below are not
  /// asked.
  virtual bool opens_whole_rows() const = 0;
  /// Cycles that the format adds to a read's way to the collector, and to a write's way to its row.
  virtual int read_cycles() const { return 0; }
  virtual int write_cycles() const { return 0; }
  /// What a read, or a write of `mask`, opens. Asked when no older write of the place waits; `live`: threads
  /// of the warp that have not exited (a write that covers them leaves nothing of the old value).
  virtual RowDrive read_drive(const RegisterPlace& place) const = 0;
  virtual RowDrive write_drive(const RegisterPlace& place, const LaneVec& values, LaneMask mask,
                               LaneMask live) const = 0;

  /// The register's value from the opened sub-banks; what lies in others is not delivered.
  virtual void read(const RegisterPlace& place, std::uint8_t sub_banks, LaneVec& into) const = 0;
  virtual void write(const RegisterPlace& place, const LaneVec& values, LaneMask mask, LaneMask live) = 0;
  /// The lanes lose their value, by no access: released, powered off.
  virtual void poison(const RegisterPlace& place, LaneMask lanes) = 0;
  /// Flips the stored bit of a lane; false if the format does not store it.
  virtual bool flip_bit(const RegisterPlace& place, int lane, int bit) = 0;
  /// Flips one of the 256 cells of a sub-bank; false if no value of the row lies in it.
  virtual bool flip_cell(const RegisterPlace& place, int sub_bank, int cell) = 0;
};

}  // namespace heddle

#pragma once

// Signals of an SM: their names, and their values in a cycle.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/exec/execution_unit.h"
#include "models/isa/program.h"
#include "models/operands/i_operand_stage.h"
#include "models/sm/sm.h"
#include "models/sm/warp_activity.h"
#include "testbench/output/power_signals.h"
#include "testbench/output/waves_vcd_writer.h"

namespace heddle::output {

/// Format in which GTKWave displays a signal.
enum class WaveStyle : std::uint8_t { number, mask, warp_state, stall, power_state, instruction, unit };

struct WaveSignal {
  std::string name;  ///< name of the signal, such as "sm0.warp03.state"
  int width = 1;
  WaveStyle style = WaveStyle::number;
  bool pulse = false;  ///< The signal shows events of one cycle, and is 0 in a cycle without a tick.
};

/// The programs of a run, numbered in the order of their first launches.
class WavePrograms {
 public:
  /// Numbers of bits of the signal `pc`. Its low kPcBits bits are the index of the instruction, and the bits
  /// above are the program's number.
  static constexpr int kPcBits = 20, kNumberBits = 12;

  void add(std::shared_ptr<const isa::Program> program);
  const std::vector<std::shared_ptr<const isa::Program>>& all() const { return all_; }
  Level level(const isa::Program& program, std::uint32_t pc) const {
    std::size_t number = 0;
    while (number < all_.size() && all_[number].get() != &program) ++number;
    if (number == all_.size()) number = 0;
    return Level::of(std::uint64_t{number} << kPcBits | pc);
  }

 private:
  std::vector<std::shared_ptr<const isa::Program>> all_;
};

class SmSignals {
 public:
  /// `programs` must outlive this object.
  SmSignals(Sm& sm, std::string name, const WavePrograms& programs);

  /// Signals `first` to `end` - 1, which are read together: if at least one is recorded, all are read.
  struct Group {
    std::size_t first = 0;
    std::size_t end = 0;
    bool wanted = true;
  };
  const std::vector<WaveSignal>& all() const { return all_; }
  /// Sets which signals are recorded. `selected`: for each signal, whether it is recorded. Returns true if at
  /// least one signal is recorded.
  bool choose(const std::vector<bool>& selected);
  const std::vector<std::string>& unit_names() const { return unit_names_; }

  /// Writes the values of the recorded signals, in the order of the file. `number`: number in the file of
  /// this SM's first recorded signal. Skips signals whose values cannot have changed.
  void read(VcdWriter& file, std::size_t number, Cycle cycle);

 private:
  struct Warps : Group {
    static constexpr std::size_t kSignals = 5, kCollector = 3, kUnit = 4;
    WarpActivities before;
    WarpSet all;
    bool places = false;  ///< true: a signal `collector` or `unit` is recorded
    std::uint64_t ctas_seen = kNotSeen;
  };
  struct Unit {
    const ExecutionUnit* unit;
    std::size_t first;
    /// True if the unit was busy at the last sample. A unit that was idle and still is has no changed
    /// signals.
    bool busy = true;
  };
  /// Power signals of a gated unit. They follow the unit's other signals. The idle-detect time of a domain
  /// group follows the signals of the group's last unit.
  struct Gated {
    std::vector<PowerSignal> power;
    /// The domain group whose last unit is this unit, and whose idle-detect time follows `power`. nullptr:
    /// this unit is not the last unit of a group.
    const DomainGroup* idle_detect;
    std::size_t first;
  };
  struct Units : Group {
    std::vector<Unit> all;
    std::vector<Gated> gated;
  };
  /// Collector and unit that contain the newest instruction of a warp; -1: the instruction is in none.
  struct Place {
    int collector = -1, unit = -1;
    std::uint64_t in_collector = 0,
                  in_unit = 0;  ///< numbers (uid) of the warp's instructions in this collector and unit
    std::uint32_t memory_in_collectors = 0;  ///< number of the warp's memory instructions in collectors
  };
  /// Contents of a collector. `warp`: warp of the instruction in the collector, or -1 if the collector is
  /// free. `memory`: true for a memory instruction.
  struct Occupied {
    int warp = -1;
    bool memory = false;
  };
  struct Partition {
    RegisterPort* port;
    Group collectors, banks;
    Units units;
    std::vector<WarpId> warps;
    std::vector<Occupied> occupied;
    bool sampled = false;
    WarpSet loads;    ///< warps that may have instructions in the load/store unit
    WarpSet in_unit;  ///< warps that the last sample showed in a unit
  };
  struct LoadStore : Group {
    std::vector<PowerSignal> power;
  };
  struct IdleDetect : Group {
    const DomainGroup* group = nullptr;
  };
  struct Ctas : Group {
    std::uint64_t seen = kNotSeen;
  };
  /// Initial value of `seen`. It differs from every value of the counter of CTA changes, so the first sample
  /// is always written.
  static constexpr std::uint64_t kNotSeen = ~std::uint64_t{0};

  std::vector<Group*> groups();
  void add(const std::string& name, int width, WaveStyle style, bool pulse = false);
  void name_units();
  void add_warps();
  void add_schedulers();
  void add_partition(int number);
  void add_units(const std::string& scope, int partition, Units& units);
  void add_class(const std::string& scope, const std::vector<std::unique_ptr<ExecutionUnit>>& of_class,
                 isa::UnitClass unit, const UnitDomains* domains, Units& units);
  void add_power(const std::vector<PowerSignal>& power);
  void add_load_store();
  void add_ctas();

  [[gnu::always_inline]] void read_warps(VcdWriter::Lines& lines, Cycle cycle);
  [[gnu::always_inline]] void read_path(VcdWriter::Lines& lines, WarpId warp, std::size_t first) const;
  [[gnu::always_inline]] void read_schedulers(VcdWriter::Lines& lines) const;
  [[gnu::always_inline]] static void read_collectors(VcdWriter::Lines& lines, const Group& group,
                                                     OperandStage& collectors, std::uint64_t changed);
  void follow_collectors(VcdWriter::Lines& lines, Partition& partition, std::uint64_t changed);
  void read_units_of_warps(VcdWriter::Lines& lines, Partition& partition);
  [[gnu::always_inline]] static void read_unit(VcdWriter::Lines& lines, Unit& unit);
  [[gnu::always_inline]] static void read_units(VcdWriter::Lines& lines, Units& units);
  [[gnu::always_inline]] void read_load_store(VcdWriter::Lines& lines) const;
  [[gnu::always_inline]] void read_ctas(VcdWriter::Lines& lines);

  Sm* sm_;
  const IssueStage* issue_;
  std::string name_;
  const WavePrograms* programs_;
  std::vector<std::string> unit_names_;
  std::vector<Place> places_;  ///< collector and unit of each warp's newest instruction
  std::vector<WaveSignal> all_;
  Warps warps_;
  Group schedulers_;
  std::vector<Partition> partitions_;
  LoadStore load_store_;
  IdleDetect idle_detect_;
  Ctas ctas_;
};

}  // namespace heddle::output

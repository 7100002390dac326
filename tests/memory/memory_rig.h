#pragma once

// A set-up for tests: load/store units, an atomic unit and a memory. Lists of warp-instructions with arrival
// cycles drive it.

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/isa/address_map.h"
#include "models/memory/atomic_unit.h"
#include "models/memory/i_memory_model.h"
#include "models/memory/load_store_unit.h"
#include "models/memory/local_memory.h"

namespace heddle::test {

inline constexpr std::uint64_t kData = isa::kBuffers;

struct Form {
  isa::Opcode op = isa::Opcode::ld;
  isa::Space space = isa::Space::global;
  isa::DataType type = isa::DataType::u32;
  int elements = 1;
  int register_bits = 32;  ///< width of the data registers in bits
  isa::CacheOp cache = isa::CacheOp::none;
  isa::Ordering ordering = isa::Ordering::weak;
  isa::Scope scope = isa::Scope::none;
  isa::AtomicOp atomic = isa::AtomicOp::none;
};

struct Shot {
  isa::Instruction instruction;
  InFlight item;
  LaneVec values[isa::kMaxSources][2];
  LaneVec results[isa::kMaxDestinations][2];
  Cycle arrival = 0;  ///< first cycle in which the instruction may enter the unit's input
  int partition = 0;
  Cycle entered = 0;    ///< first cycle in which the unit could take the instruction
  Cycle left = kNever;  ///< first cycle in which the instruction could be taken from the unit's output
};

class Driver : public ClockedModule {
 public:
  Driver(const sc_core::sc_module_name& name, Clock& clock, LoadStoreUnit& unit, int partitions,
         int output_depth);

  /// first cycle in which the test takes completed instructions from the unit's output
  Cycle collect_from = 0;
  Cycle origin = 0;
  std::deque<Shot> shots;
  std::vector<const Shot*> order;
  void restart() { next_.clear(); }

 private:
  void tick() override;
  struct Ends {
    std::unique_ptr<InstructionOutlet> in;
    std::unique_ptr<InstructionInlet> out;
  };
  int partitions_;
  std::vector<Ends> ends_;
  std::map<int, std::size_t> next_;
};

struct RigOptions {
  std::string name = "rig";  ///< prefix of the module names; must differ between set-ups of one test
  bool memory_first = true;
  int sms = 1;
  int partitions = 1;
  int pipeline_overhead_cycles = 0;
  bool every_cycle = false;
  /// clock period of memory and atomic unit; 0: the SMs' clock (1 ns)
  int memory_period_ns = 0;
  bool atomic_unit = true;
  bool with_bounds = true;
  /// memory model as JSON; empty: the test binds its own memory
  std::string memory = R"("fixed-latency")";
  std::uint32_t local_bytes = 0;
  std::uint32_t shared_bytes = 1024;
  LoadStoreParameters load_store;
  AtomicUnitParameters atomics;
};

class MemoryRig {
 public:
  explicit MemoryRig(const RigOptions& options);
  void fill_words(std::uint64_t bytes);

  Shot& shoot(Cycle arrival, const Form& form, int sm = 0, int warp = 0, LaneMask mask = kAllLanes);
  static void set_address(Shot& shot, int lane, std::uint64_t address);
  static void set_addresses(Shot& shot, std::uint64_t base, std::uint64_t stride);
  static void set_source(Shot& shot, int slot, int lane, std::uint64_t value);

  /// Calls `action` between two cycles. run() simulates in steps of 600 cycles, and calls `action` after the
  /// step that reaches cycle `cycle` of the run.
  void at(Cycle cycle, std::function<void()> action) { actions_[cycle] = std::move(action); }
  /// Runs until no instruction is outstanding. Fails the test after `limit` cycles. Throws the errors of the
  /// models.
  void run(Cycle limit = 100000);
  void restart();
  std::uint64_t count(const std::string& full_name) const;
  std::uint32_t word(std::uint64_t address) const;

  RunStatus status;
  StatsRegistry stats;
  MemoryImage image;
  isa::KernelLaunch launch;
  std::unique_ptr<Clock> clock;
  std::unique_ptr<Clock> own_memory_clock;
  std::vector<std::unique_ptr<LoadStoreUnit>> units;
  std::vector<std::unique_ptr<Driver>> drivers;
  std::unique_ptr<AtomicUnit> atomics;
  std::unique_ptr<IMemoryModel> memory;

 private:
  Clock& memory_clock() { return own_memory_clock ? *own_memory_clock : *clock; }
  void build_atomics();
  void build_memory();
  void build_units();
  RigOptions options_;
  std::deque<WarpContext> contexts_;
  std::map<Cycle, std::function<void()>> actions_;
};

}  // namespace heddle::test

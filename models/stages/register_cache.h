#pragma once

// Models the stage "register-cache": a hardware-managed register cache between the operand collectors and the
// following stages (Gebhart 2012, section 4.1; Bailey 2018, section III-A2). Results are written into the
// cache. Sources are read from the cache if it holds them. A replaced line is written back unless the
// compiler has marked its value dead. Each lane of a line has its own valid and dirty bit. Two register-cache
// stages in series model the L0 and L1 of the three-level hierarchy in Gebhart 2012.

#include <vector>

#include "models/core/cycle_inbox.h"
#include "models/core/fields.h"
#include "models/core/object_pool.h"
#include "models/stages/access_ports.h"
#include "models/stages/cache_flushes.h"
#include "models/stages/cache_store.h"
#include "models/stages/register_cache_counters.h"
#include "models/stages/upper_stage.h"

namespace heddle {

struct RegisterCacheParameters {
  int entries = 6;
  std::string capacity = "private";
  int ways = 0;
  std::string replacement = "fifo";
  std::string allocate = "results";
  bool bypass_long_latency = true;
  bool liveness_hints = true;
  bool flush_on_deschedule = true;
  std::string shared_units = "open";
  int tag_check_cycles = 0;
  int miss_cycles = 0;
  int read_ports = 3;
  int write_ports = 1;
  int banks = 1;
  int queue_entries = 16;
  bool per_scheduler = true;

  void fields(FieldVisitor& v);
};

class RegisterCache : public UpperStage {
 public:
  RegisterCache(const RegisterCacheParameters& parameters, Context& context);

  int latency_cycles() const override { return parameters_.tag_check_cycles; }
  RegisterWants wants() const override { return parameters_.flush_on_deschedule ? wants::slots : 0; }
  bool keeps_accesses() const override { return true; }
  bool flip_bit(RegisterAccess& access, int lane, int bit) override {
    return store_.flip_bit(access.warp, access.home, lane, bit);
  }
  std::optional<StageBalance> balance(const RegisterFlow& came) const override {
    return counters_.balance(came);
  }
  void probes(const ProbeScope& scope) override { store_.probes(scope); }

 protected:
  Answer take(RegisterAccess& access) override;
  void answered(RegisterAccess& access) override;
  void debug_read(RegisterAccess& access) override;
  void take_event(const Event& event) override;
  void give_up(WarpId warp) override;
  void begin_cycle() override;

  // unwritten(), is_last_read() and flushes() keep values correct. For each of them, tests/hierarchy has a
  // mutant (a cache with one deliberate fault) that overrides the function, and a test must then fail.
  virtual LaneMask unwritten(const CacheLine& line) const { return line.dirty; }
  /// True if the warp will not read the register again after this read.
  virtual bool is_last_read(const RegisterAccess& access) const {
    return parameters_.liveness_hints && access.annotation().last_use;
  }
  virtual bool flushes(const CacheLine&) const { return true; }

 private:
  /// An access that the cache itself sends to the stage below: a write-back, or the read of missing lanes.
  struct Own {
    enum class Kind : std::uint8_t { write_back, read };
    RegisterAccess access;
    LaneVec values;
    Kind kind = Kind::write_back;
    RegisterAccess* original = nullptr;
    /// the read's lanes that are in the cache itself; their values are in `above`
    LaneMask above_mask = 0;
    LaneVec above;
    Cycle served = 0;
    /// line that the read fills; if its generation number has changed, the line was replaced and is not
    /// filled
    CacheLine* line = nullptr;
    std::uint32_t generation = 0;
  };

  Answer read(RegisterAccess& access);
  Answer hit(RegisterAccess& access, CacheLine& line);
  Answer read_below(RegisterAccess& access, CacheLine* line);
  Answer read_through(RegisterAccess& access, CacheLine* line, LaneMask have, bool fill);
  Answer write(RegisterAccess& access);
  Answer write_below(RegisterAccess& access, CacheLine* line);
  Answer read_direct(RegisterAccess& access, CacheLine* line);
  Answer give_up_for(RegisterAccess& access, bool keep_dirty);

  bool bypasses(const RegisterAccess& access) const;
  bool empty_line(CacheLine& line);
  bool write_back(CacheLine& line, LaneMask lanes, bool flush);
  void finish_read(Own& own);
  void flush();
  ReadWritePorts& ports_of(const CacheLine& line);

  RegisterCacheParameters parameters_;
  CacheStore store_;
  std::vector<ReadWritePorts> ports_;
  bool allocate_sources_, closed_;
  WarpSet inactive_;
  ObjectPool<Own> own_;
  CycleInbox<Own*> fills_;
  CacheFlushes flushes_;
  RegisterCacheCounters counters_;
};

}  // namespace heddle

#pragma once

// Models the stage "operand-window": storage next to the operand collectors for the registers that the last
// instructions of a warp accessed (Esfeden 2020, BOW). Reads of these registers do not reach the stages
// below, nor do results that die or are overwritten in the window. Details that are not public are assumed.
//
// The window counts those instructions of a warp that take a collector, when they are announced, in program
// order. A register leaves the window when two conditions hold: `instructions` further instructions have been
// counted since its last access, and all instructions that read it have their operands. A dirty register that
// leaves is written to the stage below, unless the compiler has marked that the result is read only within
// the window (note "window-hint", models/compiler/window_hints.h). If a register must leave early because all
// entries are in use, it is always written, as the mark holds only for the full time. A result that comes
// after its register has left is written to the stage below.

#include <bitset>
#include <deque>
#include <memory>
#include <vector>

#include "models/core/cycle_inbox.h"
#include "models/core/fields.h"
#include "models/core/object_pool.h"
#include "models/core/probe.h"
#include "models/isa/notes.h"
#include "models/stages/own_access.h"
#include "models/stages/storage_points.h"
#include "models/stages/upper_stage.h"

namespace heddle {

struct OperandWindowParameters {
  int instructions = 3;
  int entries = 12;
  bool write_back = true;
  bool extends = true;
  std::string hints = "none";
  bool flush_on_deschedule = false;

  void fields(FieldVisitor& v);
};

class OperandWindow : public UpperStage {
 public:
  OperandWindow(const OperandWindowParameters& parameters, Context& context);

  RegisterWants wants() const override {
    return wants::prepares | (parameters_.flush_on_deschedule ? wants::slots : 0);
  }
  bool keeps_accesses() const override { return true; }
  LifeSet subscriptions() const override { return {Life::kernel_begins, Life::reads_held, Life::warp_gone}; }
  void kernel_begins(const KernelBegins& kernel) override;
  void reads_held(const InFlight& item) override {
    if (item.footprint->read_words == 0) return;
    held_.put(now(), {item.warp(), item.uid});
    clock().wake();
  }
  void probes(const ProbeScope& scope) override;
  bool flip_bit(RegisterAccess& access, int lane, int bit) override {
    Entry* const entry = find(access.warp, access.home);
    if (!entry || !(entry->valid >> lane & 1)) return false;
    entry->values[lane] ^= 1u << bit;
    return true;
  }
  std::optional<StageBalance> balance(const RegisterFlow& came) const override {
    const std::uint64_t below = through_.value() + late_.value();
    return StageBalance{{misses_.value(), below + backs_.value()},
                        {{"reads that came, hits and misses", came.reads, hits_.value() + misses_.value()},
                         {"writes that came, kept or passed", came.writes, writes_.value() + below},
                         {"registers that became dirty, written below, dropped or ended", dirtied_.value(),
                          backs_.value() + dropped_.value() + ended_.value()}}};
  }

 protected:
  Answer take(RegisterAccess& access) override;
  void answered(RegisterAccess& access) override;
  void debug_read(RegisterAccess& access) override {
    initiator->transport_dbg(access);
    if (const Entry* entry = find(access.warp, access.home))
      merge_lanes(*access.values, entry->values, entry->valid & ~entry->fill);
  }
  void take_event(const Event& event) override;
  void give_up(WarpId warp) override;
  void begin_cycle() override;

 private:
  using View = WindowPoint::View;
  static constexpr std::size_t kMostEntries = 96, kWatchedWarps = 4;
  static constexpr std::uint32_t kNoWay = ~std::uint32_t{0};
  /// Register of a warp. `way`: its place among the warp's entries. `age`: number of the warp's instruction that accessed it last. `read`: number of the last
  /// announced instruction that reads it. `fill`: lanes that an outstanding read will fill. `expected`: announced
  /// results that have not come.
  struct Entry {
    RegId reg{};
    LaneMask valid = 0, dirty = 0, fill = 0, live = kAllLanes;
    std::uint64_t age = 0, read = 0;
    std::uint32_t generation = 0;
    int expected = 0;
    std::uint32_t way = 0;
    bool hinted = false;
    Cycle ready = 0;
    LaneVec values;
  };
  struct Reading {
    std::uint64_t uid, number;
  };
  struct Warp {
    std::uint64_t instructions = 0;
    int unanswered = 0;  ///< write-backs that the stage below has not completed yet
    std::deque<Entry> entries;
    std::bitset<kMostEntries> ways;  ///< ways in use
    std::deque<Reading> reading;     ///< announced instructions that lack operands, oldest first
  };
  struct WriteBack {
    RegisterAccess access;
    LaneVec values;
  };
  struct Fill {
    RegisterAccess* access;
    WarpId warp;
    RegId reg;
    std::uint32_t generation;
    LaneMask lanes;
    LaneVec values;
    Cycle ready;
  };
  struct Held {
    WarpId warp;
    std::uint64_t uid;
  };

  Warp& of(WarpId warp) { return warps_[warp.value]; }
  Entry* find(WarpId warp, RegId reg) {
    for (Entry& entry : of(warp).entries)
      if (entry.reg == reg) return &entry;
    return nullptr;
  }
  /// Looks up the register of a read. `hit`: the entry has all lanes.
  Entry* look_up(const RegisterAccess& access, bool& hit) {
    Entry* const entry = find(access.warp, access.home);
    hit = entry && (entry->valid & access.mask) == access.mask;
    return watched(access.warp) ? seen_read(access, entry, hit) : entry;
  }
  /// Looks up the register of a result.
  Entry* look_up(WarpId warp, RegId reg) {
    Entry* const entry = find(warp, reg);
    return watched(warp) ? seen_result(warp, reg, entry) : entry;
  }
  Answer announce(RegisterAccess& access);
  void announce_sources(WarpId id, const RegisterPrepare& prepare);
  Answer read(RegisterAccess& access);
  Answer write(RegisterAccess& access);
  Answer release(RegisterAccess& access);
  bool counts(const isa::Instruction& instruction) const {
    return parameters_.hints == "none" || !window_.in(instruction.notes).empty();
  }
  bool is_hinted(const RegisterAccess& access) const {
    return parameters_.hints != "none" && access.instruction && access.operand != &kNoOperand &&
           !hints_.in(access.instruction->dst[access.operand->slot].notes).empty();
  }
  void came(RegisterAccess& access);
  void fill(const Fill& fill);
  void slide(WarpId id, bool advances);
  bool is_old(const Warp& warp, const Entry& entry) const {
    return entry.age + static_cast<std::uint64_t>(parameters_.instructions) <= warp.instructions;
  }
  bool is_wanted(const Warp& warp, const Entry& entry) const {
    return entry.fill || (!warp.reading.empty() && warp.reading.front().number <= entry.read);
  }
  Entry* make_entry(WarpId id, RegId reg);
  bool write_below(WarpId id, Entry& entry);
  void drop(WarpId id, Entry& entry) {
    Warp& warp = of(id);
    report(id, entry, View::gives_up);
    warp.ways.reset(entry.way);
    ended_ += entry.dirty != 0;
    entry.values.fill(kPoison);
    warp.entries.erase(std::find_if(warp.entries.begin(), warp.entries.end(),
                                    [&entry](const Entry& other) { return &other == &entry; }));
  }
  void cancel_fill(Entry& entry) {
    entry.fill = 0;
    entry.generation = ++generation_;
  }

  // Observers of the windows of the first warps.
  const Probe<WindowPoint>* watched(WarpId warp) const {
    return warp.value < watched_.size() ? watched_[warp.value].get() : nullptr;
  }
  Entry* at(WarpId id, bool found, std::uint32_t way) {
    for (Entry& entry : of(id).entries)
      if (found && entry.way == way) return &entry;
    return nullptr;
  }
  Entry* seen_read(const RegisterAccess& access, const Entry* entry, bool& hit);
  Entry* seen_result(WarpId warp, RegId reg, const Entry* entry);
  void seen_sources(WarpId warp, std::span<const RegisterWord> words, std::array<Entry*, 3>& entries);
  std::uint32_t seen_choice(WarpId warp, std::uint32_t way);
  WindowPoint::Answer seen_leaving(WarpId warp, bool advances);
  void report(WarpId warp, const Entry& entry, View::What what, LaneMask lanes = 0,
              bool hinted = false) const {
    if (const auto* const probe = watched(warp)) {
      View view{.what = what, .hinted = hinted, .lanes = lanes, .way = entry.way};
      view.result = static_cast<std::uint8_t>(entry.reg.value);
      probe->notify(view);
    }
  }

  OperandWindowParameters parameters_;
  WindowPoint::Owner shape_;
  std::vector<std::unique_ptr<Probe<WindowPoint>>> watched_;
  isa::NotedWords hints_, window_;
  std::vector<Warp> warps_;
  WarpSet waiting_,
      flushing_;  ///< warps with registers that wait to leave; descheduled warps with registers here
  ObjectPool<WriteBack> write_backs_;
  std::vector<Fill> filling_;
  CycleInbox<Fill> came_;
  CycleInbox<Held> held_;
  std::uint32_t generation_ = 0;
  Counter &announced_, &tags_, &hits_, &misses_, &fills_, &writes_, &through_, &late_, &backs_, &early_,
      &dropped_, &dirtied_, &ended_;
};

}  // namespace heddle

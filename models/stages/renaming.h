#pragma once

// Register file virtualization (001, 7.1): architected registers get entries of the banks as they are
// written, and lose them when release flags say that nobody reads them any more.
//
// A register has at most one entry. It is claimed at issue (register_claims.h); the entry is chosen when the
// instruction is announced or at its first write, and stays until a release, which poisons it behind every
// older access: the entry can be taken from the cycle behind the banks' answer on. A read of a register that
// has none gets poison and comes to no bank. Lanes outside a first partial write stay poison.
//
// Registers go by their architected numbers here, as claims do: under a stage that swaps rows a register keeps
// its entry.
//
// Exempt registers have an entry from the first write to the warp's end, and no place in the table.

#include <deque>
#include <memory>
#include <vector>

#include "models/core/growing_array.h"
#include "models/ports/register_file_parameters.h"
#include "models/ports/register_stage.h"
#include "models/stages/availability.h"
#include "models/stages/register_claims.h"
#include "models/stages/renaming_points.h"
#include "models/stages/renaming_table.h"
#include "models/stages/subarray_power.h"

namespace heddle {

struct RenamingParameters {
  std::string release = "flags";
  std::string allocate = "prepare";
  std::string packing = "subarrays";
  std::string bank_full = "wait";
  int subarrays = 4;
  int table_banks = 4;
  int latency_cycles = 1;
  DomainGroupParameters gating{ConfigNode::make_string("none"), 0, 1, 1};

  void fields(FieldVisitor& v);
};

class Renaming : public PassingStage {
 public:
  Renaming(const RenamingParameters& parameters, Context& context);

  int latency_cycles() const override { return parameters_.latency_cycles; }
  RegisterInterests interests() const override {
    return hears::kernels | hears::warps | hears::results | (claims_followed_ ? hears::issues : 0) |
           (by_flags_ ? hears::releases : 0);
  }
  void kernel_begins(const KernelBegins& kernel) override;
  void warp_begins(const WarpBegins& warp) override;
  void warp_ends(WarpId warp) override;
  void issued(const InstructionIssued& instruction) override;
  RegisterMapping* provided_mapping() override { return &map_; }
  bool flip_bit(RegisterAccess& access, int lane, int bit) override;
  std::optional<StageBalance> balance(const RegisterFlow& came) const override;
  void settle(Cycle cycle) override {
    count_to(cycle);
    count_allocated_to(cycle);
  }
  void probes(const ProbeScope& scope) override;

  const RenamingTable& table() const { return table_; }
  const Availability& bank(std::size_t b) const { return banks_[b]; }
  /// A fault in the table: false if the register has no entry.
  bool flip_table_bit(WarpId warp, RegId reg, int bit) { return table_.flip(warp, reg, bit); }

 protected:
  Answer accept(RegisterAccess& access) override;
  void answered(RegisterAccess& access) override;
  bool wants_read_answers() const override { return false; }
  void debug_read(RegisterAccess& access) override;
  void space_below() override;
  void tick() override;

 private:
  /// The mapping as the rest of the path sees it.
  class Map : public RegisterMapping {
   public:
    explicit Map(Renaming& stage) : stage_(&stage) {}
    void bind_warp(WarpId warp, std::uint32_t registers) override;
    void release_warp(WarpId warp) override;
    RegisterPlace place_of(WarpId warp, RegId row) const override;
    std::uint32_t entries() const override { return stage_->entries_; }
    std::uint32_t free_entries(BankId bank) const override;
    const RegisterClaims* claims() const override { return &stage_->claims_; }
    void levels_above(bool above) override { stage_->claims_.set_levels_above(above); }

   private:
    Renaming* stage_;
  };
  /// What a register's claim is charged to until its entry can be given again.
  struct Charge {
    CtaSlot cta{};
    std::uint32_t pool = 0;
    bool charged = false;
  };
  /// An entry on its way back, of which the banks have answered the release.
  struct Freed {
    RegisterPlace place;
    Charge charge;
  };
  /// A release that the banks have not answered: what its end gives back.
  struct Leaving {
    const RegisterAccess* access = nullptr;  ///< nullptr: none
    Charge charge;
  };
  struct Ended {
    WarpId warp;
    Cycle at;
  };

  /// A bank's availability as something beside it sees it.
  struct Watched {
    explicit Watched(const AllocatorPoint::Owner& of) : owner(of) {}
    AllocatorPoint::Owner owner;
    Probe<AllocatorPoint> probe{owner};
  };

  RegisterPlace find(WarpId warp, RegId reg) {
    if (table_probe_.attached()) [[unlikely]]
      return seen(warp, reg, table_.find(warp, reg));
    return table_.find(warp, reg);
  }
  RegisterPlace seen(WarpId warp, RegId reg, RegisterPlace place) const;
  void tell_table(TablePoint::View::What what, WarpId warp, RegId reg, const RegisterPlace& place) const {
    if (table_probe_.attached() && !exempt(warp, reg)) [[unlikely]]
      table_probe_.told({what, warp, reg, place});
  }
  std::size_t index_of(const RegisterPlace& place) const {
    return place.bank.value * std::size_t{deepest_} + place.entry;
  }
  inline std::uint32_t choose(std::size_t bank, bool at_lowest);
  [[gnu::noinline]] std::uint32_t chosen(std::size_t bank, DomainSet awake, std::uint32_t entry);
  bool exempt(WarpId warp, RegId reg) const { return reg.value < exempt_[warp.value]; }
  void begin() {
    if (behind_ < now()) begin_cycle();
  }
  void begin_cycle();
  [[gnu::noinline]] Answer accept_first(RegisterAccess& access);
  inline Answer accept_now(RegisterAccess& access);
  [[gnu::noinline]] Answer accept_other(RegisterAccess& access);
  [[gnu::noinline]] Answer read_mapped(RegisterAccess& access);
  [[gnu::noinline]] Answer write_mapped(RegisterAccess& access);
  inline bool takes_along(const RegisterAccess& access) const;
  inline Answer pass_along(RegisterAccess& access);
  [[gnu::noinline, gnu::cold]] Answer pass_exempt(RegisterAccess& access);
  [[gnu::noinline]] Answer pass_down(RegisterAccess& access);
  [[gnu::noinline]] Answer read(RegisterAccess& access);
  [[gnu::noinline]] Answer announce(RegisterAccess& access);
  inline bool reserve(const RegisterAccess& access);
  [[gnu::noinline]] Answer write(RegisterAccess& access);
  [[gnu::noinline]] Answer tell_places(RegisterAccess& access);
  [[gnu::noinline]] Answer release(RegisterAccess& access);
  [[gnu::noinline]] Answer release_unmapped(const RegisterAccess& access);
  inline void leave(const RegisterAccess& access, bool charged);
  void released(RegisterAccess& access);
  inline Answer look_up(RegisterAccess& access);
  inline Answer pass(RegisterAccess& access, Counter& count);
  [[gnu::noinline, gnu::cold]] Answer undo_look_up(RegisterAccess& access, Cycle earliest);
  [[gnu::cold]] Answer refused_below();
  Charge charge_of(WarpId warp, RegId reg, bool charged) const;
  bool map(WarpId warp, RegId reg);
  [[gnu::noinline]] bool map_elsewhere(WarpId warp, RegId reg, std::size_t home);
  inline bool take(WarpId warp, RegId reg, std::size_t bank, bool at_lowest);
  void note_taken(std::size_t bank);
  [[gnu::cold]] Answer refuse();
  bool moves(const RegisterAccess& access, const RegisterPlace& old) const;
  void give_up_own(WarpId warp, RegId reg, const RegisterPlace& place, bool charged);
  void wake_next() {
    arrives();
    clock().wake_next();
  }
  inline void free_entry(const Freed& freed, bool gates);
  void give_back(const Freed& freed);
  [[gnu::noinline]] void free_all(bool gates);
  [[gnu::noinline]] void end_warps();
  void send_own();
  void end_warp(WarpId warp);
  void count_allocated_to(Cycle cycle) {
    if (cycle <= allocated_to_) return;
    allocated_cycles_ += (cycle - allocated_to_) * allocated_;
    allocated_to_ = cycle;
  }
  void count_to(Cycle cycle) {
    if (cycle <= counted_to_) return;
    const Cycle passed = cycle - counted_to_;
    counted_to_ = cycle;
    mapped_cycles_ += passed * mapped_;
    free_cycles_ += passed * (entries_ - mapped_);
    subarray_cycles_ += passed * occupied_subarrays_;
  }

  RenamingParameters parameters_;
  bool by_flags_, at_prepare_, next_bank_, claims_followed_;
  bool quick_ = false;  ///< flags release, nobody looks at the table, and it is that of the path
  Cycle latency_;
  BankLayout layout_;
  std::uint32_t entries_ = 0, deepest_ = 0;
  Map map_;
  RenamingTable table_;
  ClaimBook claims_;
  std::vector<Availability> banks_;
  std::vector<std::unique_ptr<Watched>> watched_;  ///< by bank
  TablePoint::Owner table_size_;
  Probe<TablePoint> table_probe_{table_size_};
  std::vector<std::uint8_t> touched_;     ///< by entry: 1 if it ever held a register
  std::vector<std::uint32_t> exempt_;     ///< by warp: registers below this number
  std::vector<std::uint32_t> registers_;  ///< by warp, while it is resident
  SubarrayPower power_;
  GrowingArray<Freed> freed_;
  std::vector<Leaving> leaving_;  ///< by entry: nobody else has it until the answer
  std::size_t leave_ = 0;         ///< how many
  std::vector<Ended> ended_;
  std::deque<RegisterAccess> own_;
  std::vector<RegisterAccess*> own_free_;
  std::deque<RegisterAccess*> pending_;  ///< own releases that the stage below has not taken yet
  SendCredit credit_;
  Cycle behind_ =
      0;  ///< something of this cycle has to be done before anything else of a later one; kNever: nothing
  bool asks_again_ = false;  ///< what waits for a subarray
  Cycle room_in_ = kNever;   ///< the last cycle in which an entry or the stage below became free
  std::uint32_t mapped_ = 0, occupied_subarrays_ = 0, allocated_ = 0, peak_ = 0;
  std::uint64_t late_claims_ = 0;  ///< at a write rather than at issue
  Cycle counted_to_ = 0, allocated_to_ = 0;
  Counter &look_ups_, &conflicts_, &maps_, &unmaps_, &moves_, &waits_, &exempt_accesses_, &touched_count_,
      &allocated_peak_, &mapped_cycles_, &free_cycles_, &allocated_cycles_, &subarray_cycles_;
};

}  // namespace heddle

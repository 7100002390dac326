// The main register file: banks of warp-wide entries behind an arbiter and a crossbar. The last stage of
// every path and its one clocked boundary: an access accepted in cycle c is served from c + 1 on.
//
// A write is answered when it is accepted: from then on every later access to the register is ordered behind
// it, so its value is visible. Reads are answered latency_cycles - 1 cycles after their service.

#include <bit>
#include <deque>

#include "models/core/registry.h"
#include "models/ports/register_stage.h"
#include "models/regfile/i_bank_arbiter.h"
#include "models/regfile/register_map.h"

namespace heddle {
namespace {

class Banks : public RegisterStage {
 public:
  Banks(const NoParameters&, Context& context);

  int latency_cycles() const override { return parameters_.latency_cycles; }
  void warp_begins(WarpId warp, std::uint32_t registers) override { poison(warp, registers); }
  void warp_ends(WarpId warp) override { poison(warp, map_.registers_of(warp)); }
  bool flip_bit(WarpId warp, RegId reg, int lane, int bit) override;
  void bind_below(RegisterStage&) override { throw InternalError("nothing can stand below the banks"); }
  bool is_last() const override { return true; }
  std::uint64_t banks_served(Cycle cycle) const override;
  std::uint64_t banks_waiting() const override { return waiting_banks_; }

 protected:
  Answer accept(RegisterAccess& access) override;
  void debug_read(RegisterAccess& access) override;
  void tick() override;

 private:
  struct Bank {
    std::vector<LaneVec> entries;
    std::vector<WaitingAccess> waiting;  ///< what the arbiter sees, in order of acceptance
    std::vector<RegisterAccess*> reads;  ///< beside `waiting`; nullptr for a write
    std::vector<LaneVec*> data;          ///< beside `waiting`; nullptr for a read
    Cycle freed_in = kNever;             ///< the cycle in which
    std::size_t freed = 0;  ///< so many places became free: they can be used from the next one on
  };
  struct Arriving {
    Cycle at;
    RegisterAccess* access;
  };

  void serve_waiting();
  void serve(const ServedAccess& served);
  void answer_reads();
  void poison(WarpId warp, std::uint32_t registers);
  LaneVec& entry_of(const RegisterPlace& place) { return banks_[place.bank.value].entries[place.entry]; }

  const BankParameters& parameters_;
  RegisterMap& map_;
  std::unique_ptr<BankArbiter> arbiter_;
  int operands_per_collector_;
  std::vector<Bank> banks_;
  std::vector<BankQueueView> views_;
  std::uint64_t waiting_banks_ = 0;
  std::vector<ServedAccess> served_;
  Cycle served_in_ = kNever;      ///< the cycle of served_
  std::deque<Arriving> arriving_;
  std::deque<LaneVec> write_data_;
  std::vector<LaneVec*> free_data_;
  Counter &reads_, &writes_, &conflicts_, &refusals_, &busy_cycles_;
};

Banks::Banks(const NoParameters&, Context& context)
    : RegisterStage(context),
      parameters_(context.parameters->banks),
      map_(*context.map),
      operands_per_collector_(context.parameters->collector_operands_per_cycle),
      reads_(context.stats.add("reads", "accesses", "register words read from the banks")),
      writes_(context.stats.add("writes", "accesses", "register words written to the banks")),
      conflicts_(context.stats.add("conflict_cycles", "access-cycles",
                                   "cycles that accesses waited for a busy bank or port")),
      refusals_(
          context.stats.add("refusals", "accesses", "accesses refused because a bank's queue was full")),
      busy_cycles_(
          context.stats.add("busy_cycles", "cycles", "cycles in which at least one bank served an access")) {
  BankArbiter::Context arbiter_context{parameters_.count, context.parameters->collectors};
  arbiter_ = Registry<BankArbiter>::instance().make(parameters_.arbiter, arbiter_context);
  const std::vector<int>& depths = map_.depths();
  banks_.resize(depths.size());
  views_.resize(depths.size());
  for (std::size_t b = 0; b < depths.size(); ++b) {
    banks_[b].entries.resize(static_cast<std::size_t>(depths[b]));
    for (LaneVec& entry : banks_[b].entries) entry.fill(kPoison);
  }
}

RegisterStage::Answer Banks::accept(RegisterAccess& access) {
  if (access.command == RegisterCommand::prepare || access.command == RegisterCommand::evict)
    return Answer::answered;
  if (!access.place.set) access.place = map_.at(access.warp, access.reg);
  Bank& bank = banks_[access.place.bank.value];
  const std::size_t freed_now = bank.freed_in == now() ? bank.freed : 0;
  if (bank.waiting.size() + freed_now >= static_cast<std::size_t>(parameters_.queue_entries)) {
    ++refusals_;
    clock().wake_next();
    return Answer::refused;
  }
  // A release is a write of poison to every lane: in order with the accesses, whoever reads it later sees it.
  const bool write = access.command != RegisterCommand::read;
  const bool release = access.command == RegisterCommand::release;
  const Cycle from = std::max(access.earliest_service, now() + 1);
  bank.waiting.push_back({write, access.source, access.place.entry, release ? kAllLanes : access.mask, from});
  LaneVec* data = nullptr;
  if (write) {
    if (free_data_.empty()) free_data_.push_back(&write_data_.emplace_back());
    data = free_data_.back();
    free_data_.pop_back();
    if (release)
      data->fill(kPoison);
    else
      *data = *access.values;
  }
  bank.reads.push_back(write ? nullptr : &access);
  bank.data.push_back(data);
  waiting_banks_ |= std::uint64_t{1} << access.place.bank.value;
  clock().wake_at(from);
  return write ? Answer::answered : Answer::accepted;
}

void Banks::tick() {
  answer_reads();
  if (waiting_banks_) serve_waiting();
  if (first_refusal() == kNever) return;
  if (served_in_ != kNever && served_in_ + 1 >= now()) retry();
  if (first_refusal() == now()) clock().wake_next();
}

void Banks::serve_waiting() {
  for (std::uint64_t rest = waiting_banks_; rest; rest &= rest - 1) {
    const auto b = static_cast<std::size_t>(std::countr_zero(rest));
    views_[b] = banks_[b].waiting;
  }
  served_.clear();
  arbiter_->choose({now(), waiting_banks_, views_, parameters_.ports == "1r1w", operands_per_collector_},
                   served_);
  // From the back, so that positions stay valid while queues shrink.
  for (std::size_t i = served_.size(); i-- > 0;) serve(served_[i]);
  if (!served_.empty()) {
    ++busy_cycles_;
    served_in_ = now();
  }
  Cycle next = kNever;
  for (std::uint64_t rest = waiting_banks_; rest; rest &= rest - 1)
    for (const WaitingAccess& access : banks_[static_cast<std::size_t>(std::countr_zero(rest))].waiting) {
      if (access.from <= now()) ++conflicts_;
      next = std::min(next, std::max(access.from, now() + 1));
    }
  if (next != kNever) clock().wake_at(next);
}

void Banks::serve(const ServedAccess& served) {
  Bank& bank = banks_[served.bank.value];
  const auto at = static_cast<std::ptrdiff_t>(served.position);
  const WaitingAccess waiting = bank.waiting[served.position];
  LaneVec& entry = bank.entries[waiting.entry];
  if (waiting.write) {
    LaneVec* data = bank.data[served.position];
    merge_lanes(entry, *data, waiting.mask);
    free_data_.push_back(data);
    ++writes_;
  } else {
    RegisterAccess* access = bank.reads[served.position];
    *access->values = entry;
    ++reads_;
    if (parameters_.latency_cycles == 1) {
      respond(*access);
    } else {
      const Cycle at_collector = now() + static_cast<Cycle>(parameters_.latency_cycles) - 1;
      arriving_.push_back({at_collector, access});
      clock().wake_at(at_collector);
    }
  }
  bank.freed = bank.freed_in == now() ? bank.freed + 1 : 1;
  bank.freed_in = now();
  bank.waiting.erase(bank.waiting.begin() + at);
  bank.reads.erase(bank.reads.begin() + at);
  bank.data.erase(bank.data.begin() + at);
  if (bank.waiting.empty()) waiting_banks_ &= ~(std::uint64_t{1} << served.bank.value);
}

std::uint64_t Banks::banks_served(Cycle cycle) const {
  std::uint64_t banks = 0;
  if (served_in_ == cycle)
    for (const ServedAccess& served : served_) banks |= std::uint64_t{1} << served.bank.value;
  return banks;
}

void Banks::answer_reads() {
  while (!arriving_.empty() && arriving_.front().at <= now()) {
    RegisterAccess* access = arriving_.front().access;
    arriving_.pop_front();
    respond(*access);
  }
  if (!arriving_.empty()) clock().wake_at(arriving_.front().at);
}

void Banks::debug_read(RegisterAccess& access) {
  const RegisterPlace place = map_.at(access.warp, access.reg);
  if (!place.set) throw Error("register file", "debug read of a register that is not placed");
  *access.values = entry_of(place);
  const Bank& bank = banks_[place.bank.value];
  for (std::size_t i = 0; i < bank.waiting.size(); ++i)
    if (bank.waiting[i].write && bank.waiting[i].entry == place.entry)
      merge_lanes(*access.values, *bank.data[i], bank.waiting[i].mask);
}

bool Banks::flip_bit(WarpId warp, RegId reg, int lane, int bit) {
  const RegisterPlace place = map_.at(warp, reg);
  if (!place.set) return false;
  entry_of(place).lane[lane] ^= std::uint32_t{1} << bit;
  return true;
}

void Banks::poison(WarpId warp, std::uint32_t registers) {
  for (std::uint32_t r = 0; r < registers; ++r) entry_of(map_.at(warp, RegId(r))).fill(kPoison);
}

const Registration<RegisterStage, Banks> registered{"banks",
                                                    "the main register file: banks, arbiter, crossbar"};

}  // namespace
}  // namespace heddle

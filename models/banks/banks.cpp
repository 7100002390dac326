#include "models/banks/banks.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "models/banks/one_per_bank.h"
#include "models/banks/shaped_rows.h"
#include "models/core/part_arrays.h"
#include "models/core/registry.h"

namespace heddle {
namespace {

// Answers the read of a register without an entry: the value is poison.
RegisterAnswer answer_unmapped(RegisterAccess& access, Cycle now, Cycle latency_cycles) {
  if (access.command == RegisterCommand::write) throw InternalError("a write of a register without a place");
  access.takes = false;
  access.values->fill(kPoison);
  const Cycle served = std::max(access.earliest_service, now + 1);
  access.data_at = std::max(access.data_at, served + latency_cycles - 1);
  return RegisterAnswer::answered;
}

template <class Rows>
ArbiterView view_of(Rows& rows, Cycle now, std::uint64_t waiting_banks, int operands_per_collector) {
  ArbiterView view;
  view.now = now;
  view.waiting_banks = waiting_banks;
  view.operands_per_collector = operands_per_collector;
  rows.show(view);
  return view;
}

}  // namespace

template <class Rows, class Arbiter>
Banks<Rows, Arbiter>::Banks(Context& context, BankParts parts, std::unique_ptr<Arbiter> arbiter)
    : RegisterStage(context),
      latency_cycles_(static_cast<Cycle>(context.parameters->banks.latency_cycles)),
      counters_(context.stats),
      rows_(parts, context),
      arbiter_(std::move(arbiter)),
      views_(static_cast<std::size_t>(context.parameters->banks.count)),
      write_data_(views_.size() * static_cast<std::size_t>(context.parameters->banks.queue_entries)),
      answers_(views_.size() * static_cast<std::size_t>(context.parameters->banks.queue_entries)) {
  for (std::size_t b = 0; b < views_.size(); ++b)
    banks_.emplace_back(static_cast<std::size_t>(context.parameters->banks.queue_entries));
  const std::string& ports = context.parameters->banks.ports;
  view_.separate_ports = ports != "1rw";
  further_reads_ = ports == "2r1w" ? 1 : ports == "unlimited" ? context.parameters->banks.queue_entries : 0;
  view_.operands_per_collector = context.parameters->collector_operands_per_cycle;
  view_.sliced_collectors = context.parameters->collector_port == "sliced";
  view_.banks = views_;
  if (Rows::kRests) rest();
}

template <class Rows, class Arbiter>
RegisterStage::Answer Banks<Rows, Arbiter>::take(RegisterAccess& access) {
  if (access.command == RegisterCommand::read) {
    const ReadsTaken taken = take_reads({&access, 1});
    if (taken.count == 0) return Answer::refused;
    return taken.answered ? Answer::answered : Answer::accepted;
  }
  if (access.command != RegisterCommand::write) return accept_without_data(access);
  const Cycle now = this->now();
  DueAccesses::Due next;
  const Answer answer = take<true>(now, access, rows_.place_of(access), next);
  if (due_.add_next(now, next)) wake();
  return answer;
}

template <class Rows, class Arbiter>
ReadsTaken Banks<Rows, Arbiter>::take_reads(std::span<RegisterAccess> reads) {
  const RegisterPlace* const places = rows_.is_static() ? rows_.places_of(reads.front().warp) : nullptr;
  const Cycle now = this->now();
  DueAccesses::Due next;
  ReadsTaken taken;
  for (RegisterAccess& read : reads) {
    const Answer answer = take<false>(now, read, places ? places[read.row.value] : read.place, next);
    if (answer == Answer::refused) break;
    if (answer == Answer::answered) taken.answered |= 1u << taken.count;
    ++taken.count;
  }
  if (due_.add_next(now, next)) wake();
  return taken;
}

template <class Rows, class Arbiter>
template <bool kWrite>
RegisterStage::Answer Banks<Rows, Arbiter>::take(Cycle now, RegisterAccess& access,
                                                 const RegisterPlace& place, DueAccesses::Due& next) {
  if (!place.set) {
    counters_.read_unmapped();
    return answer_unmapped(access, now, latency_cycles_);
  }
  Queue& bank = banks_[place.bank.value];
  if (!bank.has_room(now) || (releases_.any_at(place.bank) &&
                              releases_.holds(now, place.bank, rows_.order_of(stored_at(place, access))))) {
    counters_.refused();
    wake();
    return Answer::refused;
  }
  const std::size_t at = bank.push();
  auto& item = bank.item(at);
  auto& waiting = bank.waiting(at);
  if constexpr (kWrite)
    item.data = write_data_.keep(*access.values);
  else
    item.access = &access;
  waiting.entry = place.entry;
  if constexpr (kWrite || !kTogether) waiting.mask = access.mask;
  waiting.source = access.source;
  waiting.write = kWrite;
  waiting.takes = !kWrite && access.takes;
  if constexpr (requires { waiting.sub_banks; }) {
    waiting.sub_banks = kAllSubBanks;
    waiting.row = place.entry;
    waiting.owner = access.instruction ? access.owner : nullptr;
  }
  const BankArrivalOf<Queue> came{bank, at, item, waiting, access, place};
  Cycle from = rows_.take(now, came, std::max(access.earliest_service, now + 1));
  if (kWrite) from += rows_.write_cycles();
  waiting.from = from;
  if constexpr (requires { item.held_from; })
    if (kWrite && item.held_from) waiting.from = kNever;
  if (from == now + 1) {
    next.add(place.bank);
  } else {
    due_.add(now, from, place.bank);
    due_at(from);
  }
  return kWrite ? Answer::answered : Answer::accepted;
}

template <class Rows, class Arbiter>
RegisterStage::Answer Banks<Rows, Arbiter>::accept_without_data(RegisterAccess& access) {
  if (access.command == RegisterCommand::prepare) rows_.announced(now(), access);
  if (access.command != RegisterCommand::release) return Answer::answered;
  counters_.released();
  const StoredRegister reg = stored_at(rows_.place_of(access), access);
  if (!reg.place.set) return Answer::answered;
  releases_.add(now(), {&access, reg, rows_.order_of(reg)});
  wake();
  return Answer::accepted;
}

template <class Rows, class Arbiter>
void Banks<Rows, Arbiter>::tick() {
  const Cycle now = this->now();
  rows_.begin_cycle(now);
  while (RegisterAccess* const read = late_reads_.take_arrived(now)) respond_read(*read);
  due_.advance(now);
  if (due_.count() != 0) serve_waiting(now);
  if (releases_.any()) {
    const auto released = releases_.end(now, banks_);
    for (const BankReleases::Release& release : released) rows_.forget(now, release.reg);
    if (!released.empty()) wake();
    for (const BankReleases::Release& release : released) respond(*release.access);
  }
  if (refusals().any()) {
    if (serving_.lately(now) || releases_.ended().lately(now)) retry();
    if (refusals().any_in(now)) wake();
  }
  if (due_.some_come() || !late_reads_.empty() || releases_.any() || refusals().any()) be_due(now + 1);
  if (sub_banks_leave()) wake();
}

template <class Rows, class Arbiter>
void Banks<Rows, Arbiter>::serve_waiting(Cycle now) {
  if constexpr (requires { rows_.held_banks(); })
    for (std::uint64_t rest = rows_.held_banks(); rest; rest &= rest - 1) {
      const auto bank = static_cast<std::uint32_t>(std::countr_zero(rest));
      rows_.let_go(now, BankId(bank), banks_[bank]);
    }
  const Served served = choose(now);
  const std::span<RegisterAccess* const> answers(served.answers, answers_.data() + answers_.size());
  served_banks_ = served.banks;
  if (served.banks != 0) {
    const std::uint64_t reads = answers.size() + reads_.size();
    counters_.served({reads, served.writes, Rows::kCopied ? kSubBanks * reads : served.read_sub_banks,
                      Rows::kCopied ? kSubBanks * served.writes : served.write_sub_banks});
    serving_.give(now);
    due_.served(reads + served.writes + served.first_reads, served.emptied);
  }
  counters_.waited(due_.count());
  if (due_.count()) wake();
  // Answers the reads of this cycle in descending order of bank number. The results of stages between banks
  // and collectors may depend on this order.
  const auto answer_at = [this](Cycle cycle, RegisterAccess& read) {
    late_reads_.add(cycle, read);
    clock().due_at(cycle);
  };
  while (!reads_.empty()) {
    const LateReads::Late read = reads_.pop_back();
    answer_at(read.at, *read.access);
  }
  if (answers.empty()) return;
  if (rows_.read_cycles() == 1) return reader_ ? reader_->receive_reads(answers) : respond_reads(answers);
  for (RegisterAccess* const read : answers) answer_at(now + rows_.read_cycles() - 1, *read);
}

template <class Rows, class Arbiter>
typename Banks<Rows, Arbiter>::Served Banks<Rows, Arbiter>::choose(Cycle now) {
  Served served{answers_.data() + answers_.size()};
  if constexpr (kByBank) {
    if (view_.separate_ports) return serve_two_ports(now);
    const ArbiterView view = view_of(rows_, now, due_.banks(), view_.operands_per_collector);
    typename Arbiter::Turn turn(*arbiter_, view);
    for (std::uint64_t rest = Arbiter::requested(view); rest; rest &= rest - 1) {
      ServedAccess access{BankId(static_cast<std::uint32_t>(std::countr_zero(rest)))};
      const Queue& queue = banks_[access.bank.value];
      access.position = turn.template oldest<Arbiter::Port::both>(queue.view());
      if (access.position == Arbiter::kNone) continue;
      if constexpr (!Rows::kCopied) access.sub_banks = queue.waiting(access.position).sub_banks;
      serve(now, access, served);
    }
  } else {
    view_.now = now;
    view_.waiting_banks = due_.banks();
    rows_.show(view_);
    chosen_.clear();
    for (std::uint64_t rest = due_.banks(); rest; rest &= rest - 1) {
      const auto b = static_cast<std::size_t>(std::countr_zero(rest));
      views_[b] = banks_[b].view();
    }
    arbiter_->choose(view_, chosen_);
    while (!chosen_.empty()) serve(now, chosen_.pop_back(), served);
    std::reverse(reads_.begin(), reads_.end());
    std::reverse(served.answers, answers_.data() + answers_.size());
  }
  return served;
}

// Serves a bank that has a read port and a write port. If both ports serve an access, this function first
// removes the access with the later position from the queue. The position of the other access then stays valid.
template <class Rows, class Arbiter>
typename Banks<Rows, Arbiter>::Served Banks<Rows, Arbiter>::serve_two_ports(Cycle now) {
  Served served{answers_.data() + answers_.size()};
  const ArbiterView view = view_of(rows_, now, due_.banks(), view_.operands_per_collector);
  typename Arbiter::Turn turn(*arbiter_, view);
  for (std::uint64_t rest = Arbiter::requested(view); rest; rest &= rest - 1) {
    const BankId bank(static_cast<std::uint32_t>(std::countr_zero(rest)));
    const Queue& queue = banks_[bank.value];
    const auto [first, second] = turn.oldest_by_port(view, bank, queue.view());
    for (const std::uint32_t at : {second, first}) {
      if (at == Arbiter::kNone) continue;
      ServedAccess access{bank, at};
      if constexpr (!Rows::kCopied) access.sub_banks = queue.waiting(at).sub_banks;
      serve(now, access, served);
    }
    for (int more = 0; more < further_reads_; ++more) {
      const std::uint32_t at = turn.template oldest<Arbiter::Port::read>(queue.view());
      if (at == Arbiter::kNone) break;
      serve(now, {bank, at}, served);
    }
  }
  return served;
}

template <class Rows, class Arbiter>
void Banks<Rows, Arbiter>::serve(Cycle now, ServedAccess access, Served& served) {
  Queue& bank = banks_[access.bank.value];
  auto& waiting = bank.waiting(access.position);
  auto& item = bank.item(access.position);
  const std::uint64_t bit = std::uint64_t{1} << access.bank.value;
  const bool write = waiting.write;
  served.banks |= bit;
  if constexpr (!Rows::kCopied) {
    const RowOpening opened = rows_.open(now, access, waiting, item);
    (write && !opened.first_read ? served.write_sub_banks : served.read_sub_banks) +=
        static_cast<std::uint64_t>(opened.sub_banks);
    if (opened.first_read) {
      ++served.first_reads;
      waiting.from = now + 1;
      due_.add(now, now + 1, access.bank);
      return wake();
    }
  }
  const std::uint32_t order = waiting.entry;
  if (write) {
    rows_.write(now, waiting, item, access);
    write_data_.give_back(item.data);
    ++served.writes;
  } else {
    RegisterAccess* const read = item.access;
    const Cycle latency = rows_.read(now, waiting, item, access);
    if (waiting.takes && read->takes) rows_.taken(*read);
    if (Rows::kCopied || latency == rows_.read_cycles())
      *--served.answers = read;
    else
      reads_.push_back({now + latency - 1, read});
  }
  bank.erase(access.position, now);
  if (bank.empty()) served.emptied |= bit;
  if (write) rows_.written(now, bank, order);
}

template <class Rows, class Arbiter>
void Banks<Rows, Arbiter>::probes(const ProbeScope& scope) {
  arbiter_->probes(scope.part("arbiter"));
  rows_.probes(scope);
}

template <class Rows, class Arbiter>
std::optional<StageBalance> Banks<Rows, Arbiter>::balance(const RegisterFlow& came) const {
  StageBalance balance = counters_.balance(came);
  rows_.add_rules(counters_.totals(), balance);
  return balance;
}

template <class Rows, class Arbiter>
void Banks<Rows, Arbiter>::debug_read(RegisterAccess& access) {
  const StoredRegister reg = stored_at(rows_.place_of(access), access);
  access.values->fill(kPoison);
  if (!reg.place.set) return;
  rows_.peek(reg, *access.values);
  // The row of a read that moves its value out of the banks is poisoned already. Until the read arrives at
  // the collector, only its record in late_reads_ has the value.
  for (const LateReads::Late& late : late_reads_)
    if (late.access->takes && rows_.place_of(*late.access) == reg.place)
      *access.values = *late.access->values;
  const Queue& bank = banks_[reg.place.bank.value];
  for (std::size_t i = 0; i < bank.size(); ++i)
    if (bank.waiting(i).write && rows_.is_at(bank, i, reg.place))
      merge_lanes(*access.values, *bank.item(i).data, bank.waiting(i).mask);
}

namespace {

// Creates the banks with the fastest row class that supports the configured features.
std::unique_ptr<RegisterStage> make_banks(RegisterStageContext& context) {
  const BankParameters& parameters = context.parameters->banks;
  BankParts parts(context);
  BankArbiter::Context choice{parameters.count, context.parameters->collectors.total(),
                              parts.format->sub_banks()};
  const bool copied = parts.format->rows(BankId(0)) && !parts.power->shapes_accesses();
  const bool plain = copied && parameters.lane_gating == "none" && parameters.partition.kind == "none";
  const auto make = [&](auto arbiter) -> std::unique_ptr<RegisterStage> {
    using Arbiter = typename decltype(arbiter)::element_type;
    if (parts.power->always_on())
      return std::make_unique<Banks<PlainRows, Arbiter>>(context, std::move(parts), std::move(arbiter));
    return std::make_unique<Banks<StateRows, Arbiter>>(context, std::move(parts), std::move(arbiter));
  };
  const bool several_reads = parameters.ports == "2r1w" || parameters.ports == "unlimited";
  if (several_reads && !(plain && choice_name(parameters.arbiter) == OnePerBank::kName))
    throw Error(
        "gpu.sm.register_file.banks.ports",
        fmt::format("\"{}\" for banks with a format, power states, row speeds or arbiter of their own",
                    parameters.ports),
        "1rw or 1r1w");
  const bool whole_rows = parts.format->opens_whole_rows();
  if ((plain || whole_rows) && choice_name(parameters.arbiter) == OnePerBank::kName) {
    NoParameters none;
    read_fields(choice_parameters(parameters.arbiter), none);
    auto arbiter = std::make_unique<OnePerBank>(none, choice);
    if (plain) return make(std::move(arbiter));
    return std::make_unique<Banks<ShapedRows, OnePerBank>>(context, std::move(parts), std::move(arbiter));
  }
  auto arbiter = Registry<BankArbiter>::instance().make(parameters.arbiter, choice);
  if (plain) return make(std::move(arbiter));
  parts.limit = arbiter->is_limit();
  return std::make_unique<Banks<ShapedRows, BankArbiter>>(context, std::move(parts), std::move(arbiter));
}

const struct BanksEntry {
  BanksEntry(const char* name, const char* doc) {
    Registry<RegisterStage>::instance().add({name, doc,
                                             [](const ConfigNode& node, RegisterStageContext& context) {
                                               NoParameters none;
                                               read_fields(node, none);
                                               return make_banks(context);
                                             },
                                             [] { return describe_fields<NoParameters>(); }});
  }
} banks_entry{"banks", "the main register file: banks, arbiter, crossbar"};

}  // namespace

const Arrays<RegisterStage> banks_arrays{
    "banks", {{"main register file", "rows", "1024", "by ports", {"register_file.mrf"}}}};

}  // namespace heddle

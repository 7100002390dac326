#include "models/regfile/banks.h"

#include <algorithm>
#include <bit>

namespace heddle {

Banks::Banks(const NoParameters&, Context& context)
    : RegisterStage(context),
      parameters_(context.parameters->banks),
      map_(*context.map),
      banks_(static_cast<std::size_t>(parameters_.count),
             BankQueue(static_cast<std::size_t>(parameters_.queue_entries))),
      views_(banks_.size()),
      reads_(context.stats.add("reads", "accesses", "register words read from the banks")),
      writes_(context.stats.add("writes", "accesses", "register words written to the banks")),
      conflicts_(context.stats.add("conflict_cycles", "access-cycles",
                                   "cycles that accesses waited for a busy bank or port")),
      refusals_(
          context.stats.add("refusals", "accesses",
                            "accesses refused because a bank's queue was full, or a release under way")),
      busy_cycles_(
          context.stats.add("busy_cycles", "cycles", "cycles in which at least one bank served an access")),
      releases_done_(context.stats.add("releases", "accesses", "registers released, by no access to a bank")),
      unmapped_reads_(
          context.stats.add("unmapped_reads", "accesses",
                            "reads of registers that were never written, by no access to a bank")),
      read_sub_banks_(context.stats.add("read_sub_banks", "sub-banks",
                                        "opened by reads, first reads of writes included")),
      write_sub_banks_(context.stats.add("write_sub_banks", "sub-banks", "opened by writes")) {
  BankArbiter::Context arbiter{parameters_.count, context.parameters->collectors.total()};
  arbiter_ = Registry<BankArbiter>::instance().make(parameters_.arbiter, arbiter);
  EntryFormat::Context rows{parameters_.depths()};
  format_ = Registry<EntryFormat>::instance().make(parameters_.format, rows);
  RegisterPower::Context states{parameters_.depths(), context.stats};
  power_ = Registry<RegisterPower>::instance().make(parameters_.power, states);
  whole_rows_ = format_->opens_whole_rows();
  read_cycles_ = static_cast<Cycle>(parameters_.latency_cycles + format_->read_cycles());
  write_cycles_ = static_cast<Cycle>(format_->write_cycles());
  always_on_ = power_->always_on();
  if (!always_on_)
    uses_ = std::make_unique<RowUses>(*power_, context.parameters->collectors.total(), context.max_warps);
  if (parameters_.lane_gating != "none")
    segments_.emplace(parameters_, whole_rows_, context.parameters->collectors.total(), context.stats);
  if (parameters_.partition.kind != "none") speeds_.emplace(parameters_, map_, context.stats);
  shaped_ = power_->shapes_accesses();
  timed_ = shaped_ || speeds_;
  plain_ = whole_rows_ && always_on_ && !segments_ && !timed_;
  if (timed_) busy_until_.resize(banks_.size() * 2);
  view_.separate_ports = parameters_.ports == "1r1w";
  view_.operands_per_collector = context.parameters->collector_operands_per_cycle;
  view_.sliced_collectors = context.parameters->collector_port == "sliced";
  if (!whole_rows_)
    sub_banks_.emplace(
        context.stats,
        SubBankCounters::Shape{banks_.size(), context.parameters->collectors.total(), view_.separate_ports,
                               view_.sliced_collectors, arbiter_->is_limit()});
  view_.banks = views_;
  for (std::size_t b = 0; b < banks_.size(); ++b) views_[b] = banks_[b].view();
}

RegisterStage::Answer Banks::accept(RegisterAccess& access) {
  const bool write = access.command == RegisterCommand::write;
  if (!write && access.command != RegisterCommand::read) return accept_without_data(access);
  const RegisterPlace& place = place_of(access);
  if (!place.set) return read_unmapped(access);
  BankQueue& bank = banks_[place.bank.value];
  if (!bank.has_room(now()) || (!releases_.empty() && is_released(access, place))) return refuse();
  push(bank, access, place, write);
  return write ? Answer::answered : Answer::accepted;
}

void Banks::push(BankQueue& bank, RegisterAccess& access, const RegisterPlace& place, bool write) {
  const Cycle in = now();
  const std::uint32_t b = place.bank.value, entry = place.entry;
  const std::size_t at = bank.push();
  BankQueue::Item& item = bank.item(at);
  WaitingAccess& waiting = bank.waiting(at);
  item.access = &access;
  item.reg = {place, access.warp, access.home};
  item.live = access.live;
  Cycle from = std::max(access.earliest_service, in + 1);
  if (write) item.data = write_data_.keep(*access.values);
  waiting.write = write;
  waiting.sub_banks = kAllSubBanks;
  waiting.source = access.source;
  waiting.entry = waiting.row = entry;
  waiting.mask = access.mask;
  waiting.owner = access.instruction ? access.owner : nullptr;
  waiting.takes = access.takes;
  if (!plain_) from = note_row(access, item, waiting, from);
  if (write) from += write_cycles_;
  waiting.from = from;
  views_[b] = bank.view();
  waiting_banks_ |= std::uint64_t{1} << b;
  if (!whole_rows_) drive(b, waiting.entry, at);
  due_.add(in, from, b);
  clock().wake_at(from);
}

// What the format, the states of rows and the segments of lanes have to know of it; from when on its row may
// serve it.
Cycle Banks::note_row(const RegisterAccess& access, BankQueue::Item& item, WaitingAccess& waiting,
                      Cycle from) {
  format_->now = now();
  item.announced = item.read_first = false;
  if (!whole_rows_) waiting.entry = format_->order_of(item.reg);
  if (segments_ && waiting.write) item.drives = segments_->mask_of(access);
  return always_on_ ? from : may_be_served(access, item.reg.place, item.announced);
}

RegisterStage::Answer Banks::accept_without_data(RegisterAccess& access) {
  if (access.command == RegisterCommand::prepare) return announce(access);
  return access.command == RegisterCommand::release ? release(access) : Answer::answered;
}

bool Banks::is_released(const RegisterAccess& access, const RegisterPlace& place) const {
  const std::uint32_t order = order_of({place, access.warp, access.home});
  return std::any_of(releases_.begin(), releases_.end(), [&](const Release& release) {
    return release.reg.place.bank == place.bank && release.order == order &&
           (release.access || release.at == now());
  });
}

RegisterStage::Answer Banks::refuse() {
  ++refusals_;
  clock().wake_next();
  return Answer::refused;
}

void Banks::tick() {
  if (speeds_ && speeds_->mode().probed()) [[unlikely]]
    speeds_->mode().begin_cycle(now());
  if (!arriving_.empty()) answer_reads();
  if (waiting_banks_) serve_waiting();
  if (!releases_.empty()) end_releases();
  if (first_refusal() == kNever) return;
  const auto lately = [this](Cycle cycle) { return cycle != kNever && cycle + 1 >= now(); };
  if (lately(served_in_) || lately(released_in_)) retry();
  if (first_refusal() == now()) clock().wake_next();
}

void Banks::serve_waiting() {
  due_.advance(now());
  if (due_.count() == 0) return;
  choose();
  // From the back, so that positions stay valid while queues shrink.
  for (std::size_t i = served_.size(); i-- > 0;) serve(served_[i]);
  if (!served_.empty()) {
    ++busy_cycles_;
    served_in_ = now();
    due_.served(served_.size());
  }
  conflicts_ += due_.count();
  if (due_.count()) clock().wake_next();
}

void Banks::choose() {
  served_.clear();
  view_.now = format_->now = now();
  view_.waiting_banks = due_.banks();
  if (any_busy_until_ != 0) view_.busy_read = view_.busy_write = 0;
  if (any_busy_until_ > now()) {
    for (std::size_t b = 0; b < banks_.size(); ++b) {
      if (busy_until_[2 * b] > now()) view_.busy_read |= std::uint64_t{1} << b;
      if (busy_until_[2 * b + 1] > now()) view_.busy_write |= std::uint64_t{1} << b;
    }
  }
  arbiter_->choose(view_, served_);
}

void Banks::serve(ServedAccess& served) {
  BankQueue& bank = banks_[served.bank.value];
  const WaitingAccess& waiting = bank.waiting(served.position);
  const BankQueue::Item& item = bank.item(served.position);
  const int opened = whole_rows_ ? 4 : sub_banks_->served(now(), served, waiting, item);
  (waiting.write && !item.read_first ? write_sub_banks_ : read_sub_banks_) +=
      static_cast<std::uint64_t>(opened);
  if (item.read_first) return write_next(bank, served.position);
  if (waiting.write) {
    const std::uint32_t order = waiting.entry;
    write_row(waiting, item, served);
    take_out(served.bank, served.position);
    if (!whole_rows_) drive(served.bank.value, order, 0);
    return;
  }
  RegisterAccess& access = *item.access;
  const Cycle latency = read_row(item, served);
  take_out(served.bank, served.position);
  if (latency == 1)
    respond(access);
  else
    arrive(now() + latency - 1, access);
}

void Banks::take_out(BankId bank, std::uint32_t position) {
  const std::uint32_t b = bank.value;
  banks_[b].erase(position, now());
  views_[b] = banks_[b].view();
  if (!banks_[b].empty()) return;
  waiting_banks_ &= ~(std::uint64_t{1} << b);
  due_.emptied(b);
}

void Banks::write_row(const WaitingAccess& waiting, const BankQueue::Item& item, ServedAccess& served) {
  format_->write(item.reg, *item.data, waiting.mask, item.live);
  write_data_.give_back(item.data);
  ++writes_;
  if (!plain_) settle_write(item, served);
}

// The cycles until the value is at its collector.
Cycle Banks::read_row(const BankQueue::Item& item, ServedAccess& served) {
  RegisterAccess& access = *item.access;
  if (!plain_) poison_lost(item, false);
  format_->read(item.reg, served.sub_banks, *access.values);
  ++reads_;
  if (access.takes) format_->poison(item.reg, kAllLanes);
  return plain_ ? read_cycles_ : settle_read(item, served);
}

void Banks::poison_lost(const BankQueue::Item& item, bool write) {
  if (always_on_) return;
  if (const LaneMask lost = power_->served(now(), item.reg.place, write, item.announced))
    format_->poison(item.reg, lost);
}

void Banks::settle_write(const BankQueue::Item& item, ServedAccess& served) {
  if (segments_) served.lanes = segments_->written(item.drives);
  poison_lost(item, true);
  if (timed_) take_port(item.reg.place, true);
}

Cycle Banks::settle_read(const BankQueue::Item& item, ServedAccess& served) {
  if (segments_ || shaped_) read_lanes(*item.access, served);
  return timed_ ? read_cycles_ + take_port(item.reg.place, false).added_cycles : read_cycles_;
}

// The old contents have been read: the write itself comes in the next cycle.
void Banks::write_next(BankQueue& bank, std::uint32_t position) {
  BankQueue::Item& item = bank.item(position);
  WaitingAccess& waiting = bank.waiting(position);
  item.read_first = false;
  const RowDrive drive = format_->write_drive(item.reg, *item.data, waiting.mask, item.live);
  waiting.sub_banks = drive.sub_banks;
  waiting.row = drive.row;
  waiting.from = now() + 1;
  due_.add(now(), now() + 1, item.reg.place.bank.value);
  clock().wake_next();
}

void Banks::arrive(Cycle at, RegisterAccess& access) {
  auto place = arriving_.end();
  while (place != arriving_.begin() && std::prev(place)->at > at) --place;
  arriving_.insert(place, {at, &access});
  clock().wake_at(at);
}

void Banks::answer_reads() {
  while (!arriving_.empty() && arriving_.front().at <= now()) {
    RegisterAccess* access = arriving_.front().access;
    arriving_.pop_front();
    respond(*access);
  }
}

std::span<const ServedAccess> Banks::served(Cycle cycle) const {
  if (served_in_ != cycle) return {};
  return served_;
}

std::uint64_t Banks::banks_served(Cycle cycle) const {
  std::uint64_t banks = 0;
  for (const ServedAccess& access : served(cycle)) banks |= std::uint64_t{1} << access.bank.value;
  return banks;
}

std::optional<StageBalance> Banks::balance(const RegisterFlow& came) const {
  StageBalance balance{
      {},
      {{"reads that come to the banks, reads served", came.reads, reads_.value() + unmapped_reads_.value()},
       {"writes that come to the banks, writes served", came.writes, writes_.value()}}};
  for (const RegisterPower::Rule& rule : power_->rules())
    balance.rules.push_back({rule.what, rule.left, rule.right});
  if (speeds_) {
    balance.rules.push_back(
        {"reads of rows of all speeds, reads served", speeds_->words(false), reads_.value()});
    balance.rules.push_back(
        {"writes of rows of all speeds, writes served", speeds_->words(true), writes_.value()});
  }
  if (sub_banks_) {
    sub_banks_->balance({reads_.value(), writes_.value(), read_sub_banks_.value(), write_sub_banks_.value()},
                        balance);
  }
  return balance;
}

namespace {
const Registration<RegisterStage, Banks> banks_entry{"banks",
                                                     "the main register file: banks, arbiter, crossbar"};
}  // namespace

}  // namespace heddle

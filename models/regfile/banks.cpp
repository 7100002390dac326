#include "models/regfile/banks.h"

#include <algorithm>
#include <bit>

namespace heddle {

namespace {

bool carries_data(const RegisterAccess& access) {
  return access.command == RegisterCommand::read || access.command == RegisterCommand::write;
}

}  // namespace

RegisterStage::Answer Banks::accept(RegisterAccess& access) {
  if (!carries_data(access)) return accept_without_data(access);
  if (way_ == Way::plain) return accept_data<Way::plain, false>(access);
  return way_ == Way::states ? accept_at_rows(access) : accept_any(access);
}

RegisterStage::Answer Banks::accept_at_rows(RegisterAccess& access) {
  return accept_data<Way::states, false>(access);
}

RegisterStage::Answer Banks::accept_any(RegisterAccess& access) {
  return way_ == Way::plain ? accept_data<Way::plain, true>(access) : accept_data<Way::full, true>(access);
}

// The reads of an instruction are of one warp: what stands in the way of none of them is asked once.
ReadsTaken Banks::accept_reads(std::span<RegisterAccess> reads) {
  if (way_ != Way::plain || !static_map_ || releasing_ != 0) return RegisterStage::accept_reads(reads);
  const RegisterPlace* const places = map_.places_of(reads.front().warp);
  return each_of(reads, [this, places](RegisterAccess& read) {
    return accept_data<Way::plain, false>(read, places[read.row.value], false);
  });
}

// Banks without releases under way take the way that nothing but their queue, and a row asleep, stands in. `asks`:
// about releases.
template <Banks::Way way, bool asks>
RegisterStage::Answer Banks::accept_data(RegisterAccess& access, const RegisterPlace& place, bool write) {
  if (!place.set) [[unlikely]]
    return read_unmapped(access);
  BankQueue& bank = banks_[place.bank.value];
  const bool releasing = releasing_ >> place.bank.value & 1;
  if (!asks && releasing) [[unlikely]]
    return accept_any(access);
  if (!bank.has_room(now()) || (asks && releasing && is_released(access, place))) [[unlikely]]
    return refuse();
  const std::size_t at = push<way>(bank, access, place, write);
  WaitingAccess& waiting = bank.waiting(at);
  Cycle from = std::max(access.earliest_service, now() + 1);
  if (way == Way::states) {
    const Cycle ready = static_map_ || !write ? uses_->came(access, place) : kNever;
    if (ready == kNever) [[unlikely]]
      return accept_unannounced(access, place, waiting, from);
    from = std::max(from, ready);
  }
  if (way == Way::full) from = note_row(access, bank.item(at), waiting, from);
  if (write) from += write_cycles_;
  waiting.from = from;
  if (way == Way::full && !whole_rows_) drive(place.bank.value, waiting.entry, at);
  const Answer answer = write ? Answer::answered : Answer::accepted;
  if (from - now() >= DueAccesses::kNear || !clock().wake_soon(from)) [[unlikely]]
    return serve_later(from, place.bank, answer);
  due_.add_near(from, place.bank.value);
  return answer;
}

RegisterStage::Answer Banks::serve_later(Cycle from, BankId bank, Answer answer) {
  due_.add(now(), from, bank.value);
  clock().wake_at(from);
  return answer;
}

// Its position.
template <Banks::Way way>
std::size_t Banks::push(BankQueue& bank, RegisterAccess& access, const RegisterPlace& place, bool write) {
  const std::size_t at = bank.push();
  BankQueue::Item& item = bank.item(at);
  WaitingAccess& waiting = bank.waiting(at);
  if (write)
    item.data = write_data_.keep(*access.values);
  else
    item.access = &access;
  if (LaneVec* const rows = rows_[place.bank.value]; way != Way::full || rows) item.row = rows + place.entry;
  if (way != Way::plain) {
    item.reg = {place, access.warp, access.home};
    item.live = access.live;
  }
  waiting.write = write;
  waiting.sub_banks = kAllSubBanks;
  waiting.source = access.source;
  waiting.entry = waiting.row = place.entry;
  waiting.mask = access.mask;
  waiting.owner = access.instruction ? access.owner : nullptr;
  waiting.takes = access.takes;
  return at;
}

// What the format, the states of rows and the segments of lanes have to know of it; from when on its row may
// serve it.
Cycle Banks::note_row(const RegisterAccess& access, BankQueue::Item& item, WaitingAccess& waiting,
                      Cycle from) {
  format_->now = now();
  item.read_first = false;
  if (!whole_rows_) waiting.entry = format_->order_of(item.reg);
  if (segments_ && waiting.write) item.drives = segments_->mask_of(access);
  return always_on_ ? from : row_arrived(access, item.reg.place, from);
}

// The row may sleep: it begins to wake when the access comes, if nobody announced it.
Cycle Banks::row_arrived(const RegisterAccess& access, const RegisterPlace& place, Cycle from) {
  if (!static_map_ && access.command == RegisterCommand::write) place_written(place);
  return std::max(from, uses_->arrived(now(), access, place));
}

RegisterStage::Answer Banks::accept_without_data(RegisterAccess& access) {
  if (access.command == RegisterCommand::prepare) return announce(access);
  return access.command == RegisterCommand::release ? release(access) : Answer::answered;
}

bool Banks::is_released(const RegisterAccess& access, const RegisterPlace& place) const {
  const std::uint32_t order = order_of({place, access.warp, access.home});
  for (const Release& release : releases_)
    if (release.order == order && release.reg.place.bank == place.bank) return true;
  if (released_in_ != now()) return false;
  for (const Release& release : released_)
    if (release.order == order && release.reg.place.bank == place.bank) return true;
  return false;
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
  serve_waiting();
  if (releasing_ != 0) end_releases();
  if (first_refusal() == kNever) return;
  const auto lately = [this](Cycle cycle) { return cycle != kNever && cycle + 1 >= now(); };
  if (lately(served_in_) || lately(released_in_)) retry();
  if (first_refusal() == now()) clock().wake_next();
}

void Banks::serve_waiting() {
  due_.advance(now());
  if (due_.count() == 0) return;
  choose();
  if (way_ == Way::plain)
    serve_chosen<Way::plain>();
  else
    serve_at_rows();
  conflicts_ += due_.count();
  if (due_.count()) clock().wake_next();
}

void Banks::serve_at_rows() {
  if (way_ == Way::states)
    serve_chosen<Way::states>();
  else
    serve_chosen<Way::full>();
}

// From the back, so that positions stay valid while queues shrink.
template <Banks::Way way>
void Banks::serve_chosen() {
  const std::size_t count = served_.size();
  if (count == 0) return;
  ++busy_cycles_;
  served_in_ = now();
  due_.served(count);
  for (ServedAccess* served = served_.data() + count; served-- != served_.data();) serve<way>(*served);
}

void Banks::choose() {
  served_.clear();
  view_.now = format_->now = now();
  view_.waiting_banks = due_.banks();
  for (std::uint64_t rest = due_.banks(); rest; rest &= rest - 1) {
    const auto b = static_cast<std::size_t>(std::countr_zero(rest));
    views_[b] = banks_[b].view();
  }
  if (any_busy_until_ != 0) view_.busy_read = view_.busy_write = 0;
  if (any_busy_until_ > now()) {
    for (std::size_t b = 0; b < banks_.size(); ++b) {
      if (busy_until_[2 * b] > now()) view_.busy_read |= std::uint64_t{1} << b;
      if (busy_until_[2 * b + 1] > now()) view_.busy_write |= std::uint64_t{1} << b;
    }
  }
  arbiter_->choose(view_, served_);
}

template <Banks::Way way>
void Banks::serve(ServedAccess& served) {
  BankQueue& bank = banks_[served.bank.value];
  const WaitingAccess& waiting = bank.waiting(served.position);
  const BankQueue::Item& item = bank.item(served.position);
  const bool first_read = way == Way::full && item.read_first;
  const int opened =
      way != Way::full || whole_rows_ ? kSubBanks : sub_banks_->served(now(), served, waiting, item);
  (waiting.write && !first_read ? write_sub_banks_ : read_sub_banks_) += static_cast<std::uint64_t>(opened);
  if (first_read) return write_next(bank, served.position);
  if (waiting.write) {
    const std::uint32_t order = waiting.entry;
    write_row<way>(waiting, item, served);
    take_out(bank, served);
    if (way == Way::full && !whole_rows_) drive(served.bank.value, order, 0);
    return;
  }
  RegisterAccess& access = *item.access;
  const Cycle latency = read_row<way>(item, served);
  take_out(bank, served);
  if (latency == 1)
    respond_read(access);
  else
    arrive(now() + latency - 1, access);
}

void Banks::take_out(BankQueue& bank, const ServedAccess& served) {
  bank.erase(served.position, now());
  if (bank.empty()) due_.emptied(served.bank.value);
}

template <Banks::Way way>
void Banks::write_row(const WaitingAccess& waiting, const BankQueue::Item& item, ServedAccess& served) {
  if (way == Way::full)
    format_->write(item.reg, *item.data, waiting.mask, item.live);
  else
    merge_lanes(*item.row, *item.data, waiting.mask);
  write_data_.give_back(item.data);
  ++writes_;
  if (way == Way::full) return settle_write(item, served);
  if (way == Way::states) poison_lost(item, true);
}

// The cycles until the value is at its collector.
template <Banks::Way way>
Cycle Banks::read_row(const BankQueue::Item& item, ServedAccess& served) {
  RegisterAccess& access = *item.access;
  if (way == Way::states || (way == Way::full && !always_on_)) poison_lost(item, false);
  if (way == Way::full)
    format_->read(item.reg, served.sub_banks, *access.values);
  else
    *access.values = *item.row;
  ++reads_;
  if (access.takes) [[unlikely]]
    format_->poison({place_of(access), access.warp, access.home}, kAllLanes);
  return way == Way::full ? settle_read(item, served) : read_cycles_;
}

void Banks::poison_lost(const BankQueue::Item& item, bool write) {
  if (const LaneMask lost = power_->served(now(), item.reg.place, write)) [[unlikely]]
    format_->poison(item.reg, lost);
}

void Banks::settle_write(const BankQueue::Item& item, ServedAccess& served) {
  if (segments_) served.lanes = segments_->written(item.drives);
  if (!always_on_) poison_lost(item, true);
  if (timed_) take_port(item.reg.place, true);
}

Cycle Banks::settle_read(const BankQueue::Item& item, ServedAccess& served) {
  if (segments_ || shaped_) read_lanes(*item.access, served);
  return timed_ ? read_cycles_ + take_port(item.reg.place, false).added_cycles : read_cycles_;
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
    respond_read(*access);
  }
}

namespace {
const Registration<RegisterStage, Banks> banks_entry{"banks",
                                                     "the main register file: banks, arbiter, crossbar"};
}  // namespace

}  // namespace heddle

#include "models/operands/result_bus.h"

#include <algorithm>
#include <bit>

namespace heddle {

ResultBus::ResultBus(const sc_core::sc_module_name& name, ClockedModule& port, int width_words,
                     const std::vector<ResultSource>& sources, LifeChannel& life, RegisterPath& path,
                     const StatsScope& stats)
    : sc_module(name),
      width_(width_words),
      life_(&life),
      path_(&path),
      words_(stats.add("words", "accesses", "result words sent to the register path")),
      instructions_(
          stats.add("instructions", "warp-instructions", "finished instructions taken from the units")) {
  for (const ResultSource& source : sources) {
    sources_.push_back(std::make_unique<InstructionInlet>(source.name.c_str(), port,
                                                          static_cast<std::size_t>(source.depth)));
    sources_.back()->note_in(filled_, static_cast<unsigned>(sources_.size() - 1));
  }
  next_access();
}

bool ResultBus::step(Cycle now) {
  const Cycle elapsed = now - last_step_;
  last_step_ = now;
  const std::size_t count = sources_.size();
  if (elapsed == 1) {
    first_ = first_ + 1 == count ? 0 : first_ + 1;
  } else {
    first_ = static_cast<std::size_t>(now % count);
    const auto paid = static_cast<std::int64_t>(elapsed - 1) * width_;
    advance_words_ = static_cast<int>(std::max<std::int64_t>(0, advance_words_ - paid));
  }
  if (!pending_.empty() && may_send()) send_pending();
  const int budget = filled_ == 0 ? width_ - advance_words_ : take_results(width_ - advance_words_);
  advance_words_ = std::max(0, -budget);
  return !pending_.empty() || filled_ != 0;
}

int ResultBus::take_results(int budget) {
  for (std::uint64_t rest = std::rotr(filled_, static_cast<int>(first_)); rest; rest &= rest - 1)
    budget = take_from((first_ + static_cast<std::size_t>(std::countr_zero(rest))) % 64, budget);
  return budget;
}

// Takes finished instructions of execution unit `number`. `budget`: result words that the bus can still take
// in this cycle. Returns the remaining budget, which is negative if the last instruction had more result
// words than the budget.
int ResultBus::take_from(std::size_t number, int budget) {
  InstructionInlet& source = *sources_[number];
  while (pending_.empty() && budget > 0 && source.can_pop()) {
    InFlight& item = *source.pop();
    item.result_source = static_cast<std::uint16_t>(number);
    ++instructions_;
    budget -= item.writes_left;
    became_visible(item, item.writes_left == 0 ? 0u : send_words(item));
  }
  if (source.empty()) filled_ &= ~(std::uint64_t{1} << number);
  return budget;
}

// Sends the result words of an instruction to the register path. Returns the number of words for which the
// path completed the write within the call.
std::uint8_t ResultBus::send_words(InFlight& item) {
  const std::span<const OperandWord> words = item.footprint->writes_in_order();
  words_ += words.size();
  std::uint8_t visible = 0;
  bool sends = may_send();
  for (const OperandWord& word : words) {
    RegisterAccess& write = *next_;
    write.set_register(item.warp(), RegId(word.reg));
    write.mask = item.mask;
    write.active = item.active;
    write.live = item.live;
    write.values = item.value(word);
    write.instruction = item.instruction;
    write.operand = &word;
    write.earliest_service = write.data_at = 0;
    write.direct = false;
    write.owner = &item;
    if (sends) {
      const RegisterAnswer answer = path_->take(RegisterPath::Sender::result_bus, write);
      if (answer == RegisterAnswer::answered) {
        ++visible;
        continue;
      }
      sends = answer == RegisterAnswer::accepted;
    }
    if (!sends) pending_.push_back(&write);
    next_access();
  }
  return visible;
}

void ResultBus::send_pending() {
  while (!pending_.empty()) {
    RegisterAccess& write = *pending_.front();
    const RegisterAnswer answer = path_->take(RegisterPath::Sender::result_bus, write);
    if (answer == RegisterAnswer::refused) return;
    pending_.pop_front();
    if (answer == RegisterAnswer::answered) on_response(write);
  }
}

void ResultBus::next_access() {
  if (free_.empty()) {
    RegisterAccess& access = storage_.emplace_back();
    access.command = RegisterCommand::write;
    access.source = RegisterAccess::kResultBus;
    free_.push_back(&access);
  }
  next_ = free_.pop_back();
}

}  // namespace heddle

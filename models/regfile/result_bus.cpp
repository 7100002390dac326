#include "models/regfile/result_bus.h"

#include <algorithm>

#include "models/regfile/register_port.h"

namespace heddle {

ResultBus::ResultBus(int width_words, RegisterPort& port, IssueInbox& inbox, const StatsScope& stats)
    : width_(width_words),
      port_(&port),
      inbox_(&inbox),
      words_(stats.add("words", "accesses", "result words sent to the register path")),
      instructions_(
          stats.add("instructions", "warp-instructions", "finished instructions taken from the units")) {}

void ResultBus::step(Cycle now) {
  const Cycle elapsed = now - last_step_;
  last_step_ = now;
  owed_ =
      static_cast<int>(std::max<std::int64_t>(0, owed_ - static_cast<std::int64_t>(elapsed - 1) * width_));
  if (!pending_.empty() && port_->may_send()) send_pending();
  int budget = width_ - owed_;
  const std::size_t count = sources_.size();
  const std::size_t first = static_cast<std::size_t>(now % count);
  bool waiting = !pending_.empty();
  for (std::size_t i = 0; i < count; ++i) {
    CycleQueue<InFlight*>& source = *sources_[(first + i) % count];
    while (pending_.empty() && budget > 0 && source.can_pop(now)) {
      InFlight* item = source.pop(now);
      ++instructions_;
      budget -= item->writes_left;
      write_back(now, item);
    }
    waiting |= !source.empty();
  }
  owed_ = std::max(0, -budget);
  if (waiting) port_->clock().wake_next();
}

void ResultBus::write_back(Cycle now, InFlight* item) {
  if (item->writes_left == 0) {
    inbox_->push(now, IssueEvent::Kind::completed, item);
    port_->clock().wake_next();
    return;
  }
  const isa::Instruction& instruction = *item->instruction;
  for (std::uint8_t slot = 0; slot < instruction.num_dst; ++slot) {
    const isa::Operand& operand = instruction.dst[slot];
    for (std::uint8_t word = 0; word < operand.words(); ++word) {
      RegisterAccess* write = take_access();
      *write = {};
      write->command = RegisterCommand::write;
      write->warp = item->warp();
      write->kernel = item->context->launch->id;
      write->reg = RegId(operand.reg.value + word);
      write->mask = item->mask;
      write->values = &item->results[slot][word];
      write->instruction = &instruction;
      write->annotation = operand.annotation;
      write->slot = slot;
      write->word = word;
      write->source = RegisterAccess::kResultBus;
      write->owner = item;
      pending_.push_back(write);
      ++words_;
    }
  }
  if (port_->may_send()) send_pending();
}

void ResultBus::send_pending() {
  while (!pending_.empty() && port_->submit(*pending_.front())) pending_.pop_front();
}

void ResultBus::on_response(Cycle now, RegisterAccess& access) {
  InFlight* item = static_cast<InFlight*>(access.owner);
  free_.push_back(&access);
  if (--item->writes_left == 0) {
    inbox_->push(now, IssueEvent::Kind::completed, item);
    port_->clock().wake_next();
  }
}

RegisterAccess* ResultBus::take_access() {
  if (free_.empty()) return &storage_.emplace_back();
  RegisterAccess* access = free_.back();
  free_.pop_back();
  return access;
}

}  // namespace heddle

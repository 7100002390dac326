#pragma once

// Where collectors and result bus meet the register path: one initiator socket, a credit for each of the two senders,
// and the counts of what the path has taken.

#include "models/core/stats.h"
#include "models/ports/register_stage.h"

namespace heddle {

class RegisterPathTop {
 public:
  enum class Sender : std::uint8_t { collectors, result_bus, count_ };

  RegisterPathTop(Clock& clock, const StatsScope& stats);

  RegisterInitiatorSocket initiator;

  Clock& clock() { return *clock_; }
  bool may_send(Sender sender) const { return credit(sender).may_send(clock_->now()); }
  /// Offers an access to the path; after a refusal may_send() tells when to try again.
  RegisterAnswer submit(Sender sender, RegisterAccess& access) {
    const RegisterCommand command = access.command;
    const RegisterAnswer answer = offer(initiator, access);
    if (answer == RegisterAnswer::refused)
      credit(sender).refused(clock_->now());
    else if (command == RegisterCommand::read)
      ++reads_;
    else if (command == RegisterCommand::write)
      ++writes_;
    return answer;
  }
  void retried() {
    for (SendCredit& credit : credits_) credit.retried(clock_->now());
  }
  /// Whether a stage wants to hear what a collector will ask for.
  bool announces() const { return announces_; }
  void set_announces(bool on) { announces_ = on; }

 private:
  SendCredit& credit(Sender sender) { return credits_[static_cast<std::size_t>(sender)]; }
  const SendCredit& credit(Sender sender) const { return credits_[static_cast<std::size_t>(sender)]; }

  Clock* clock_;
  SendCredit credits_[static_cast<std::size_t>(Sender::count_)];
  bool announces_ = false;
  Counter &reads_, &writes_;
};

}  // namespace heddle

#pragma once

// Combines the checks that the user has selected for a reference run into one observer.

#include <memory>
#include <string>
#include <vector>

#include "models/reference/check_kinds.h"
#include "models/reference/findings.h"
#include "models/reference/reference.h"

namespace heddle::reference {

class RaceCheck;

class Checks : public Observer {
 public:
  /// Creates the checks of the kinds `kinds`. `limit`: largest number of findings that the report lists line
  /// by line; further findings are only counted. One object may observe several launches, one after another.
  /// It keeps the record of blocks that malloc returned in earlier launches.
  explicit Checks(CheckKinds kinds, std::uint64_t limit = Findings::kDefaultLimit);
  ~Checks() override;

  void before(const ExecutedInstruction& e) override;
  void after(const ExecutedInstruction& e) override;
  void accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) override;
  void fenced(const ExecutedInstruction& e) override;
  void noted(const ExecutedInstruction& e) override;
  void arrived(const ExecutedInstruction& e, std::uint32_t barrier) override;
  void synchronized(std::uint64_t cta, std::uint32_t barrier, std::uint32_t released) override;

  bool any() const { return !checks_.empty(); }
  void observe(ReferenceOptions& run);
  const Findings& findings() const { return findings_; }
  std::vector<std::string> report() const;

 private:
  template <class Check, class... Arguments>
  Check& add(Arguments&... arguments);

  Findings findings_;
  /// The checks, and the observers that the checks use. An observer precedes the checks that use it, so that
  /// it receives each event first.
  std::vector<std::unique_ptr<Observer>> checks_;
  const RaceCheck* races_ = nullptr;
  bool need_steps_ = false;
};

}  // namespace heddle::reference

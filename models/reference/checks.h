#pragma once

// Combines the selected checks of a reference run into one observer.

#include <memory>
#include <string>
#include <vector>

#include "models/reference/findings.h"
#include "models/reference/reference.h"

namespace heddle::reference {

struct CheckOptions {
  bool races = false;         ///< see race_check.h
  bool strict = false;        ///< strict rules of race_check.h
  bool atomic_order = false;  ///< see atomic_order.h
  bool warps = false;         ///< see warp_hazards.h
};

class Checks : public Observer {
 public:
  explicit Checks(const CheckOptions& options);

  void before(const ExecutedInstruction& e) override;
  void after(const ExecutedInstruction& e) override;
  void accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) override;
  void arrived(const ExecutedInstruction& e, std::uint32_t barrier) override;
  void synchronized(std::uint64_t cta, std::uint32_t barrier, std::uint32_t released) override;

  bool any() const { return !checks_.empty(); }
  const std::vector<std::string>& findings() const { return findings_.lines(); }
  std::uint64_t further() const { return findings_.further(); }

 private:
  Findings findings_;
  std::vector<std::unique_ptr<Observer>> checks_;
};

}  // namespace heddle::reference

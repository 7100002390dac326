#pragma once

// Combines the checks that the user has selected for a reference run into one observer.

#include <memory>
#include <string>
#include <vector>

#include "models/reference/findings.h"
#include "models/reference/reference.h"

namespace heddle::reference {

struct CheckOptions {
  bool races = false;   ///< find races between warps (race_check.h)
  bool strict = false;  ///< apply the strict rules of race_check.h
  /// Report atomic operations whose order can affect the results (atomic_order.h).
  bool atomic_order = false;
  bool warps = false;  ///< report conflicts between lanes of one warp (warp_hazards.h)
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

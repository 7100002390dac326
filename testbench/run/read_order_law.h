#pragma once

// Verifies from life events that register reads come before later writes (the law is in run_laws.h).

#include <string>
#include <utility>
#include <vector>

#include "models/ports/i_life_listener.h"

namespace heddle::run {

class ReadOrderLaw final : public LifeListener {
 public:
  /// Verifies in one SM that register reads come before later writes. `sm`: name of the SM in errors.
  /// `interlocked`: true if an instruction that writes a register may issue only after older instructions of
  /// its warp hold the register's old value. If false, the instruction may issue earlier, but its result must
  /// not become visible before these instructions hold the old value.
  ReadOrderLaw(std::string sm, bool interlocked) : sm_(std::move(sm)), interlocked_(interlocked) {}

  LifeSet subscriptions() const override { return {Life::issued, Life::reads_held, Life::completed}; }

  /// issued() and completed() throw InternalError if an instruction writes a register before all older
  /// instructions of its warp that read this register have received its old value.
  void issued(const InFlight& item) override;
  void reads_held(const InFlight& item) override;
  void completed(const InFlight& item) override;

 private:
  /// An issued instruction that does not hold all its operands yet.
  struct Reader {
    std::uint64_t uid;
    const InstructionFootprint* footprint;
    std::uint32_t pc;
  };

  std::vector<Reader>& of(WarpId warp);
  void refuse(const std::vector<Reader>& readers, const InFlight& item, const char* what) const;

  std::string sm_;
  bool interlocked_;
  std::vector<std::vector<Reader>> readers_;  ///< for each warp, its instructions that do not hold all
                                              ///< operands yet
};

}  // namespace heddle::run

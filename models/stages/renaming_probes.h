#pragma once

// Reports the events of a renaming stage to its probe points: the renaming table, and the free list of each
// bank. Exempt registers (registers that are not renamed) are not reported.

#include <memory>
#include <string>
#include <vector>

#include "models/core/probe.h"
#include "models/stages/availability.h"
#include "models/stages/renaming_points.h"

namespace heddle {

class RenamingProbes {
 public:
  using What = TablePoint::View::What;

  RenamingProbes(const TablePoint::Owner& table, const std::vector<AllocatorPoint::Owner>& banks)
      : size_(table) {
    for (const AllocatorPoint::Owner& bank : banks) banks_.push_back(std::make_unique<Bank>(bank));
  }
  RenamingProbes(const RenamingProbes&) = delete;
  RenamingProbes& operator=(const RenamingProbes&) = delete;

  bool see_table() const { return table_.attached(); }
  bool see_bank(std::size_t bank) const { return banks_[bank]->probe.attached(); }

  RegisterPlace looked_up(WarpId warp, RegId reg, RegisterPlace place) const {
    table_.answered({TablePoint::View::looks_up, warp, reg, {}}, place);
    return place;
  }
  void changed(What what, WarpId warp, RegId reg, const RegisterPlace& place) const {
    table_.notify({what, warp, reg, place});
  }
  void looked_for(std::size_t bank, DomainSet awake, const Availability& of,
                  AllocatorPoint::Answer& answer) const {
    banks_[bank]->probe.answered({false, 0, awake, of.chosen(), of.reserved()}, answer);
  }
  void given(std::size_t bank, std::uint32_t entry) const {
    banks_[bank]->probe.notify({true, entry, 0, 0, 0});
  }

  void add_to(const ProbeScope& scope) {
    scope.part("table").add(table_);
    for (std::size_t b = 0; b < banks_.size(); ++b)
      scope.part("bank" + std::to_string(b)).add(banks_[b]->probe);
  }

 private:
  struct Bank {
    explicit Bank(const AllocatorPoint::Owner& of) : owner(of) {}
    AllocatorPoint::Owner owner;
    Probe<AllocatorPoint> probe{owner};
  };

  TablePoint::Owner size_;
  Probe<TablePoint> table_{size_};
  std::vector<std::unique_ptr<Bank>> banks_;
};

}  // namespace heddle

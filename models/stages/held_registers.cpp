#include "models/stages/held_registers.h"

#include <algorithm>
#include <cstddef>

namespace heddle {

HeldRegisters::Entry& HeldRegisters::add(RegId reg) {
  Entry& entry = entries_.emplace_back();
  entry.reg = reg;
  entry.values.fill(kPoison);
  return entry;
}

void HeldRegisters::drop(RegId reg) {
  for (std::size_t e = 0; e < entries_.size(); ++e)
    if (entries_[e].reg == reg) return drop_at(e);
}

void HeldRegisters::drop_at(std::size_t entry) {
  entries_[entry].values.fill(kPoison);
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(entry));
}

void HeldRegisters::drop_all() {
  for (Entry& entry : entries_) entry.values.fill(kPoison);
  entries_.clear();
}

bool HeldRegisters::any_filling() const {
  return std::any_of(entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.filling; });
}

RegisterSet HeldRegisters::held() const {
  RegisterSet held;
  for (const Entry& entry : entries_) held.set(entry.reg.value);
  return held;
}

RegisterSet HeldRegisters::dirty() const {
  RegisterSet dirty;
  for (const Entry& entry : entries_)
    if (entry.dirty) dirty.set(entry.reg.value);
  return dirty;
}

}  // namespace heddle

#include "models/compiler/analyses/issue_hazards.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace heddle::compiler {
namespace {

using isa::ControlBits;
using isa::Instruction;
using isa::kDependenceCounters;

constexpr unsigned kHazardCounters = kDependenceCounters;
/// An outstanding register read has the code kNames * (read counter) + (write counter), from the numbers of
/// the two dependence counters of the reading instruction. A counter that the instruction lacks has the
/// number kHazardCounters.
constexpr unsigned kNames = kHazardCounters + 1;
static_assert(kNames * kNames <= 64);

std::uint64_t read_name(const ControlBits& bits) {
  const unsigned read = std::min<unsigned>(bits.read_counter, kHazardCounters);
  const unsigned write = std::min<unsigned>(bits.write_counter, kHazardCounters);
  return std::uint64_t{1} << (read * kNames + write);
}

constexpr std::array<std::uint64_t, kHazardCounters> reads_by_counter() {
  std::array<std::uint64_t, kHazardCounters> named{};
  for (unsigned k = 0; k < kHazardCounters; ++k)
    for (unsigned other = 0; other < kNames; ++other)
      named[k] |= std::uint64_t{1} << (k * kNames + other) | std::uint64_t{1} << (other * kNames + k);
  return named;
}

// Returns the reads that are complete when the counters of `mask` are zero.
std::uint64_t reads_ended_by(std::uint8_t mask) {
  static constexpr auto named = reads_by_counter();
  std::uint64_t ended = 0;
  for (unsigned k = 0; k < kHazardCounters; ++k)
    if (mask >> k & 1u) ended |= named[k];
  return ended;
}

// Returns the dependence counters that an instruction must wait for so that all reads in `reads` (bit set of
// read codes) are complete. `waited`: counters that the instruction already waits for. If these do not
// complete a read, adds the read counter of the reading instruction or, if it has none, its write counter.
std::uint8_t counters_of_reads(std::uint64_t reads, std::uint8_t waited) {
  reads &= ~reads_ended_by(waited);
  for (; reads != 0; reads &= ~reads_ended_by(waited)) {
    const auto name = static_cast<unsigned>(std::countr_zero(reads));
    const unsigned counter = name / kNames < kHazardCounters ? name / kNames : name % kNames;
    if (counter == kHazardCounters) {
      reads &= reads - 1;
      continue;
    }
    waited = static_cast<std::uint8_t>(waited | 1u << counter);
  }
  return waited;
}

std::uint8_t cycles_left(std::uint8_t left, int cycles) {
  return static_cast<std::uint8_t>(std::max(0, static_cast<int>(left) - cycles));
}

std::uint8_t as_byte(int cycles) {
  return static_cast<std::uint8_t>(std::min<int>(cycles, std::numeric_limits<std::uint8_t>::max()));
}

template <class T>
bool grow(T& value, T other) {
  if (other <= value) return false;
  value = other;
  return true;
}

template <class T>
bool grow_bits(T& value, T other) {
  if ((other & ~value) == 0) return false;
  value = static_cast<T>(value | other);
  return true;
}

}  // namespace

int issue_gap(const ControlBits& bits) {
  constexpr int kLongYield = 45, kLargestPlain = 11;
  if (bits.stall == 0) return bits.yield ? kLongYield : 1;
  return bits.stall > kLargestPlain && !bits.yield ? 1 : bits.stall;
}

bool IssueHazards::Outstanding::any() const {
  return written || read || left || writes || reads ||
         std::any_of(ready.begin(), ready.end(), [](std::uint8_t c) { return c != 0; });
}

bool IssueHazards::Outstanding::join(const Outstanding& other) {
  bool grown = false;
  for (std::size_t r = 0; r < ready.size(); ++r) grown = grow(ready[r], other.ready[r]) || grown;
  grown = grow(written, other.written) || grown;
  grown = grow(read, other.read) || grown;
  grown = grow(left, other.left) || grown;
  grown = grow_bits(writes, other.writes) || grown;
  return grow_bits(reads, other.reads) || grown;
}

const IssueHazards::Outstanding* IssueHazards::find(Member member) const {
  const auto it = std::lower_bound(members_.begin(), members_.end(), member,
                                   [](const auto& entry, Member m) { return entry.first < m; });
  return it == members_.end() || it->first != member ? nullptr : &it->second;
}

IssueHazards::Outstanding& IssueHazards::at(Member member) {
  const auto it = std::lower_bound(members_.begin(), members_.end(), member,
                                   [](const auto& entry, Member m) { return entry.first < m; });
  if (it != members_.end() && it->first == member) return it->second;
  return members_.insert(it, {member, {}})->second;
}

bool IssueHazards::join(const IssueHazards& other) {
  bool grown = false;
  for (const auto& [member, outstanding] : other.members_) grown = at(member).join(outstanding) || grown;
  for (std::size_t k = 0; k < raised_.size(); ++k) grown = grow(raised_[k], other.raised_[k]) || grown;
  return grown;
}

void IssueHazards::advance(int cycles) {
  for (auto& [member, o] : members_) {
    for (std::uint8_t& left : o.ready) left = cycles_left(left, cycles);
    o.written = cycles_left(o.written, cycles);
    o.read = cycles_left(o.read, cycles);
    o.left = cycles_left(o.left, cycles);
  }
  for (std::uint8_t& left : raised_) left = cycles_left(left, cycles);
  std::erase_if(members_, [](const auto& entry) { return !entry.second.any(); });
}

std::uint8_t IssueHazards::counters_before(const Instruction& i) const {
  std::uint8_t mask = 0;
  std::uint64_t reads = 0;
  for_each_read(i, *table_, words_, [&](Member m, isa::Reader) {
    if (const Outstanding* o = find(m)) mask = static_cast<std::uint8_t>(mask | o->writes);
  });
  for_each_write(i, words_, [&](Member m) {
    const Outstanding* o = find(m);
    if (!o) return;
    mask = static_cast<std::uint8_t>(mask | o->writes);
    reads |= o->reads;
  });
  mask = static_cast<std::uint8_t>(mask & ~kNoCounterBit);
  return counters_of_reads(reads, mask);
}

int IssueHazards::cycles_before(const Instruction& i, std::uint8_t mask) const {
  int cycles = 0;
  const auto need = [&](int more) { cycles = std::max(cycles, more); };
  for_each_read(i, *table_, words_, [&](Member m, isa::Reader reader) {
    if (const Outstanding* o = find(m)) need(o->ready[static_cast<std::size_t>(reader)]);
  });
  const bool variable = table_->is_variable(i);
  for_each_write(i, words_, [&](Member m) {
    const Outstanding* o = find(m);
    if (!o) return;
    if (i.unit == isa::UnitClass::control) {
      need(o->left);
    } else if (variable) {
      need(std::max(o->written, o->read));
    } else if (o->written != 0) {
      need(o->written - table_->to_write(i) + 1);
    }
  });
  for (unsigned k = 0; k < kHazardCounters; ++k)
    if (mask >> k & 1u) need(raised_[k]);
  return cycles;
}

IssueHazards::Conflict IssueHazards::conflict_of(const Instruction& i) const {
  IssueHazards waited = *this;
  waited.wait(i.control.wait_mask);
  Conflict first;
  const auto meet = [&](Conflict::Kind kind, Member m, int cycles) {
    if (first.kind == Conflict::Kind::none) first = {kind, m, cycles};
  };
  for_each_read(i, *table_, words_, [&](Member m, isa::Reader reader) {
    const Outstanding* o = waited.find(m);
    if (!o) return;
    if (const int early = o->ready[static_cast<std::size_t>(reader)]; early > 0)
      meet(Conflict::Kind::early, m, early);
    if (o->writes) meet(Conflict::Kind::write, m, 0);
  });
  const bool variable = table_->is_variable(i);
  for_each_write(i, words_, [&](Member m) {
    const Outstanding* o = waited.find(m);
    if (!o) return;
    const bool barrier = i.unit == isa::UnitClass::control;
    const int order = barrier      ? o->left
                      : variable   ? o->written
                      : o->written ? o->written - table_->to_write(i) + 1
                                   : 0;
    if (order > 0) meet(Conflict::Kind::order, m, order);
    if (variable && !barrier && o->read > 0) meet(Conflict::Kind::overwrite, m, o->read);
    if (o->writes) meet(Conflict::Kind::write, m, 0);
    if (o->reads) meet(Conflict::Kind::read, m, 0);
  });
  return first;
}

void IssueHazards::wait(std::uint8_t mask) {
  for (unsigned k = 0; k < kHazardCounters; ++k)
    if (raised_[k] != 0) mask = static_cast<std::uint8_t>(mask & ~(1u << k));
  if (mask == 0) return;
  const std::uint64_t ended = reads_ended_by(mask);
  for (auto& [member, o] : members_) {
    o.writes = static_cast<std::uint8_t>(o.writes & ~mask);
    o.reads &= ~ended;
  }
}

void IssueHazards::issue(const Instruction& i) {
  wait(i.control.wait_mask);
  const bool replaces = !i.guard.present;
  if (!table_->is_variable(i)) {
    for_each_late_read(i, words_, [&](Member m) {
      grow(at(m).read, as_byte(table_->overwrite));
      // A barrier must not overwrite this source before the instruction has read it in its execution unit.
      // Units read their sources table_->guard cycles after issue. Guards are read at issue, so table_->guard
      // is the number of cycles by which a guard must issue later than another reader of the same result.
      grow(at(m).left, as_byte(table_->guard));
    });
    for_each_write(i, words_, [&](Member m) {
      Outstanding& o = at(m);
      for (std::size_t r = 0; r < isa::kReaders; ++r) {
        const std::uint8_t cycles = as_byte(table_->to_reader(i, static_cast<isa::Reader>(r)));
        o.ready[r] = replaces ? cycles : std::max(o.ready[r], cycles);
      }
      const std::uint8_t written = as_byte(table_->to_write(i));
      o.written = replaces ? written : std::max(o.written, written);
      grow(o.left, as_byte(table_->to_reader(i, isa::Reader::guard)));
    });
    return;
  }
  for_each_late_read(i, words_, [&](Member m) { at(m).reads |= read_name(i.control); });
  const unsigned k = i.control.write_counter;
  const auto bit = static_cast<std::uint8_t>(k < kHazardCounters ? 1u << k : kNoCounterBit);
  for_each_write(i, words_, [&](Member m) {
    Outstanding& o = at(m);
    o.writes = static_cast<std::uint8_t>(o.writes | bit);
  });
  for (const unsigned raised : {k, static_cast<unsigned>(i.control.read_counter)})
    if (raised < kHazardCounters) grow(raised_[raised], as_byte(table_->raise));
}

}  // namespace heddle::compiler

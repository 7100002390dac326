#include "models/isa/latency_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"

namespace heddle::isa {
namespace {

constexpr std::size_t kClasses = static_cast<std::size_t>(OpClass::count_);

struct Named {
  const char* name;
  int LatencyTable::*value;
};
constexpr Named kOthers[] = {
    {"a reader in another unit (further cycles)", &LatencyTable::other_unit},
    {"a matrix operand (least cycles)", &LatencyTable::matrix_operand},
    {"a reader of variable latency (further cycles)", &LatencyTable::variable_reader},
    {"an address (further cycles)", &LatencyTable::address},
    {"a guard (further cycles)", &LatencyTable::guard},
    {"the overwriting of a read register", &LatencyTable::overwrite},
    {"the raise of a counter", &LatencyTable::raise},
    {"a load from shared memory", &LatencyTable::shared_load},
    {"a load from constant memory", &LatencyTable::constant_load},
    {"a load from global memory", &LatencyTable::global_load},
};

std::string latency_classes() {
  std::string known;
  for (std::size_t c = 0; c < kClasses; ++c)
    if (const auto op_class = static_cast<OpClass>(c); op_class != OpClass::control)
      known += fmt::format("{}{}", known.empty() ? "" : ", ", name_of(op_class));
  return known;
}

std::string machine_name(const LatencyTable& t) {
  return t.machine.empty() ? "a machine without a name" : t.machine;
}

}  // namespace

const char* name_of(Reader r) {
  constexpr std::array<const char*, kReaders> names{"int", "fp", "matrix", "variable", "address", "guard"};
  return names[static_cast<std::size_t>(r)];
}

void LatencyTable::set(const DependenceParameters& p) {
  for (Row& r : rows) r.variable = false;
  rows[static_cast<std::size_t>(OpClass::memory)].variable = true;
  for (const std::string& name : p.variable) {
    bool found = false;
    for (std::size_t c = 0; c < kClasses; ++c) {
      const auto op_class = static_cast<OpClass>(c);
      if (op_class == OpClass::control || name != name_of(op_class)) continue;
      rows[c].variable = found = true;
    }
    if (!found)
      throw Error("gpu.sm.dependences.variable", fmt::format("no latency class \"{}\"", name),
                  latency_classes());
  }
  other_unit = p.other_unit_cycles;
  matrix_operand = p.matrix_operand_cycles;
  variable_reader = p.variable_reader_cycles;
  address = p.address_cycles;
  guard = p.guard_cycles;
  overwrite = p.overwrite_cycles;
  raise = p.raise_cycles;
  global_load = p.global_load_cycles;
}

bool LatencyTable::is_variable(const Instruction& i) const {
  if (i.unit == UnitClass::control) return i.num_dst > 0;
  return i.unit == UnitClass::ldst || row(i.op_class).variable;
}

int LatencyTable::to_reader(const Instruction& producer, Reader reader) const {
  const int own = row(producer.op_class).cycles;
  const auto from = [&](UnitClass same) { return own + (producer.unit == same ? 0 : other_unit); };
  switch (reader) {
    case Reader::int_:
      return from(UnitClass::int_);
    case Reader::fp:
      return from(UnitClass::fp);
    case Reader::matrix:
      return producer.unit == UnitClass::matrix ? own : std::max(own + other_unit, matrix_operand);
    case Reader::variable:
      return own + variable_reader;
    case Reader::address:
      return own + address;
    case Reader::guard:
    case Reader::count_:
      break;
  }
  return own + guard;
}

int LatencyTable::expected(const Instruction& producer, Reader reader) const {
  if (producer.unit != UnitClass::ldst) return to_reader(producer, reader);
  switch (producer.memory.space) {
    case Space::shared:
      return shared_load;
    case Space::constant:
    case Space::param:
      return constant_load;
    default:
      return global_load;
  }
}

Reader LatencyTable::reader_of(const Instruction& i, std::size_t slot) const {
  if (i.unit == UnitClass::control) return Reader::guard;
  const bool predicate = i.src[slot].is_pred();
  if (is_variable(i)) {
    if (predicate) return Reader::guard;
    return i.unit == UnitClass::ldst && slot == 0 ? Reader::address : Reader::variable;
  }
  if (i.unit == UnitClass::matrix) return Reader::matrix;
  return i.unit == UnitClass::int_ ? Reader::int_ : Reader::fp;
}

std::optional<std::string> first_difference(const LatencyTable& a, const LatencyTable& b) {
  const auto differ = [&](const std::string& what, const std::string& of_a, const std::string& of_b) {
    return fmt::format("{}: {} on {}, {} on {}", what, of_a, machine_name(a), of_b, machine_name(b));
  };
  const auto cycles = [](int n) { return fmt::format("{} cycle{}", n, n == 1 ? "" : "s"); };
  const auto kind = [](bool variable) { return std::string(variable ? "variable" : "fixed"); };
  for (std::size_t c = 0; c < kClasses; ++c) {
    const char* name = name_of(static_cast<OpClass>(c));
    if (a.rows[c].variable != b.rows[c].variable)
      return differ(name, kind(a.rows[c].variable), kind(b.rows[c].variable));
    if (a.rows[c].cycles != b.rows[c].cycles)
      return differ(name, cycles(a.rows[c].cycles), cycles(b.rows[c].cycles));
  }
  for (const Named& n : kOthers)
    if (a.*n.value != b.*n.value) return differ(n.name, cycles(a.*n.value), cycles(b.*n.value));
  return std::nullopt;
}

}  // namespace heddle::isa

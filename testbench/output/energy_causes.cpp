#include "testbench/output/energy_causes.h"

#include <algorithm>
#include <utility>

#include "models/core/wildcard.h"
#include "models/isa/matrix_operands.h"

namespace heddle::output {
namespace {

using At = const ProfiledInstruction&;
using isa::UnitClass;

double as_number(std::uint64_t count) { return static_cast<double>(count); }

double issues(At i) { return as_number(i.counts.issues); }
double collected(At i) { return as_number(i.counts.collected); }

// Returns the number of source words that the instruction reads from a level of the register hierarchy.
double reads_at(At i, std::uint8_t level) {
  double words = 0;
  for (const OperandWord& word : i.words.reads_in_order()) words += word.annotation.read_level == level;
  return words * collected(i);
}
// Returns the number of result words that the instruction writes to a level of the register hierarchy. A
// result without an annotation goes to the main level, the register banks.
double writes_at(At i, std::uint8_t level) {
  double words = 0;
  for (const OperandWord& word : i.words.writes_in_order()) {
    const std::uint8_t levels = word.annotation.write_levels;
    words += levels ? (levels & isa::level_bit(level)) != 0 : level == isa::kMainLevel;
  }
  return words * collected(i);
}
// Returns the number of source words that the instruction reads from the register banks, and also stores in
// the level `level` above the banks.
double fills_of(At i, std::uint8_t level) {
  double words = 0;
  for (const OperandWord& word : i.words.reads_in_order())
    words += (word.annotation.write_levels & isa::level_bit(level)) != 0;
  return words * collected(i);
}

double reads(At i) { return i.words.read_words * collected(i); }
double writes(At i) { return i.words.write_words * collected(i); }
double accesses(At i) { return reads(i) + writes(i); }
double main_reads(At i) { return reads_at(i, isa::kMainLevel); }
double main_writes(At i) { return writes_at(i, isa::kMainLevel); }
double passed_reads(At i) { return as_number(i.counts.passed_reads); }
double passed_writes(At i) { return as_number(i.counts.passed_writes); }
// Returns the number of source words that stages above the banks supplied, so that the banks were not read.
double kept_reads(At i) { return std::max(0.0, reads(i) - passed_reads(i)); }
double idle_lanes(At i) { return kLanes * collected(i) - as_number(i.counts.unit_lanes); }
double idle_lanes_read(At i) { return i.words.read_words * idle_lanes(i); }
double idle_lanes_written(At i) { return i.words.write_words * idle_lanes(i); }

// In counter names of register caches, "shared" means accesses of memory and SFU instructions, and "private"
// all other accesses.
bool is_private(At i) { return !isa::is_shared_unit(i.instruction); }
EventCount only_private(EventCount count) {
  return [count](At i) { return is_private(i) ? count(i) : 0; };
}
EventCount only_shared(EventCount count) {
  return [count](At i) { return is_private(i) ? 0 : count(i); };
}
EventCount only_at(double (*count)(At, std::uint8_t), std::uint8_t level) {
  return [count, level](At i) { return count(i, level); };
}

EventCount of_unit(UnitClass unit) {
  return [unit](At i) { return i.words.unit == unit ? collected(i) : 0; };
}
EventCount lanes_of(UnitClass unit) {
  return [unit](At i) { return i.words.unit == unit ? as_number(i.counts.unit_lanes) : 0; };
}
EventCount lanes_of(UnitClass unit, isa::OpClass operation) {
  return [all = lanes_of(unit), operation](At i) { return i.words.op_class() == operation ? all(i) : 0; };
}

// Returns a function that counts the products of matrix instructions. It counts only instructions whose
// factors have from `fewest_bits` to `most_bits` bits.
EventCount products_of(int fewest_bits, int most_bits) {
  return [fewest_bits, most_bits](At i) {
    if (i.words.unit != UnitClass::matrix) return 0.0;
    const int bits = isa::bits_of(i.instruction.source_type);
    return fewest_bits <= bits && bits <= most_bits ? isa::matrix_products(i.instruction) * collected(i) : 0;
  };
}

bool stores(At i) { return i.instruction.op == isa::Opcode::st; }
bool loads(At i) { return i.instruction.op == isa::Opcode::ld || i.instruction.op == isa::Opcode::copy; }
double load_segments(At i) { return loads(i) ? as_number(i.counts.segments) : 0; }
double requests(At i) { return as_number(i.counts.requests); }
double requests_that_read(At i) { return stores(i) ? 0 : requests(i); }
double requests_that_write(At i) { return loads(i) ? 0 : requests(i); }
double bank_words_read(At i) { return stores(i) ? 0 : as_number(i.counts.bank_words); }
double bank_words_written(At i) { return loads(i) ? 0 : as_number(i.counts.bank_words); }

struct Cause {
  std::string counters;
  EventCount count;
};

// Returns pairs of a pattern of counter names and a count per instruction. If a counter's name matches the
// pattern, the counter's energy is divided among the instructions in proportion to the count. If a counter
// matches several patterns, find_causes() returns their counts in the order of this list.
std::vector<Cause> all_causes() {
  const std::string part = "sm*.partition*.", unit = part + "units.", cache = part + "register_cache*.";
  std::vector<Cause> all = {
      {"sm*.issue.issued", issues},
      {"sm*.front_end.**", issues},
      {part + "collectors.*", collected},
      {part + "register_port.reads", reads},
      {part + "register_port.writes", writes},
      {part + "result_bus.words", writes},
      {part + "banks.idle_lanes_read", idle_lanes_read},
      {part + "banks.idle_lanes_written", idle_lanes_written},
      {part + "banks.*read*", passed_reads},
      {part + "banks.*write*", passed_writes},
      {part + "banks.*read*", main_reads},
      {part + "banks.*write*", main_writes},
      {part + "banks.*", accesses},
      {cache + "private_reads", only_private(kept_reads)},
      {cache + "shared_reads", only_shared(kept_reads)},
      {cache + "private_reads", only_private(reads)},
      {cache + "shared_reads", only_shared(reads)},
      {cache + "fills", passed_reads},
      {cache + "private_writes", only_private(writes)},
      {cache + "shared_writes", only_shared(writes)},
      {cache + "fills", reads},
      {cache + "tag_checks", accesses},
      {cache + "*write*", writes},
      {cache + "*", accesses},
      {part + "renaming.look_ups", accesses},
      {part + "renaming.*maps", writes},
      {part + "swapping.lookups", accesses},
      {unit + "int*.multiply_lanes", lanes_of(UnitClass::int_, isa::OpClass::int_mul)},
      {unit + "fp*.double_lanes", lanes_of(UnitClass::fp, isa::OpClass::fp64)},
      {unit + "int*.lane_operations", lanes_of(UnitClass::int_)},
      {unit + "fp*.lane_operations", lanes_of(UnitClass::fp)},
      {unit + "sfu*.lane_operations", lanes_of(UnitClass::sfu)},
      {unit + "matrix*.double_products", products_of(64, 64)},
      {unit + "matrix*.half_products", products_of(16, 32)},
      {unit + "matrix*.byte_products", products_of(8, 8)},
      {unit + "matrix*.four_bit_products", products_of(4, 4)},
      {unit + "matrix*.bit_products", products_of(1, 1)},
      {unit + "int*.*", of_unit(UnitClass::int_)},
      {unit + "fp*.*", of_unit(UnitClass::fp)},
      {unit + "sfu*.*", of_unit(UnitClass::sfu)},
      {unit + "matrix*.*", of_unit(UnitClass::matrix)},
      {"sm*.load_store.completed", of_unit(UnitClass::ldst)},
      {"sm*.load_store.l1_accesses", load_segments},
      {"sm*.load_store.shared_bank_reads", bank_words_read},
      {"sm*.load_store.shared_bank_writes", bank_words_written},
      {"memory.dram_bytes_read", requests_that_read},
      {"memory.dram_bytes_written", requests_that_write},
      {"memory.*", requests},
  };
  const std::pair<const char*, std::uint8_t> levels[] = {{"operand_", isa::kOperandLevel},
                                                         {"last_result_", isa::kLastResultLevel}};
  for (const auto& [name, level] : levels) {
    const std::string file = part + "operand_file." + name;
    all.push_back({file + "private_reads", only_private(only_at(reads_at, level))});
    all.push_back({file + "shared_reads", only_shared(only_at(reads_at, level))});
    all.push_back({file + "private_writes", only_private(only_at(writes_at, level))});
    all.push_back({file + "shared_writes", only_shared(only_at(writes_at, level))});
    all.push_back({file + "fills", only_at(fills_of, level)});
    all.push_back({file + "*", accesses});
  }
  return all;
}

}  // namespace

std::vector<const EventCount*> find_causes(const std::string& counter) {
  static const std::vector<Cause> all = all_causes();
  std::vector<const EventCount*> found;
  for (const Cause& cause : all)
    if (fits(cause.counters, counter)) found.push_back(&cause.count);
  return found;
}

bool counts_cycles(const std::string& counter) {
  return counter.ends_with(".cycles") || counter.ends_with("_cycles");
}

}  // namespace heddle::output

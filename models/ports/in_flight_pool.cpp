#include "models/ports/in_flight_pool.h"

#include <algorithm>

namespace heddle {

void InFlightPool::begin(std::span<const InstructionFootprint> footprints) {
  footprints_ = footprints;
  by_pc_.clear();
  for (const InstructionFootprint& f : footprints) {
    GrowingArray<InFlight*>*& free = free_by_shape_[f.shape];
    if (!free) free = &free_.emplace_back();
    by_pc_.push_back(free);
  }
}

// Creates a record for the instruction at `pc`, and sets the pointers from its operands to the words of the
// record. If the instruction does not use the high word of a 64-bit operand, only the pointer to the low word
// is set. In operands of more than two words, only the first two words have pointers; the other words follow
// in memory.
InFlight* InFlightPool::grow(std::uint32_t pc) {
  const InstructionFootprint& f = footprints_[pc];
  InFlight& item = all_.emplace_back();
  item.pool = by_pc_[pc];
  item.words =
      words_.emplace_back(std::make_unique<LaneVec[]>(std::max<std::size_t>(1, record_words(f)))).get();
  const auto has_pointer = [](const OperandWord& word) { return word.word < 2; };
  for (const OperandWord& word : f.reads_in_order())
    if (has_pointer(word)) item.operands.src[word.slot][word.word] = item.value(word);
  for (const OperandWord& word : f.repeats())
    if (has_pointer(word)) item.operands.src[word.slot][word.word] = item.value(word);
  for (const OperandWord& word : f.writes_in_order())
    if (has_pointer(word)) item.operands.dst[word.slot][word.word] = item.value(word);
  return &item;
}

}  // namespace heddle

#pragma once

// Collects the instructions of one kernel. Labels, addresses of shared memory and call parameters stay
// symbolic until finish() replaces them by numbers.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/isa/program.h"
#include "models/ptx/call_stack.h"
#include "models/ptx/program_item.h"
#include "models/ptx/source.h"

namespace heddle::ptx {

class ProgramBuilder {
 public:
  explicit ProgramBuilder(const Source& source) : source_(&source) {}

  isa::Operand new_register(int bits, const std::string& name);
  isa::Operand new_predicate(const std::string& name);
  /// Returns the predicate that holds the carry flag (condition code) of add.cc and similar instructions. A
  /// kernel has only one such predicate.
  isa::Operand carry();

  LabelId new_label(std::string name);
  void bind(LabelId label);

  StorageId add_storage(Storage storage);
  Storage& storage(StorageId id) { return storages_[static_cast<std::size_t>(id)]; }

  /// Returns the value of a constant operand, or of a register that is computed from constants by moves and
  /// additions alone. Otherwise returns nothing.
  std::optional<std::uint64_t> constant(const isa::Operand& operand) const { return constant(operand, 0); }
  /// If exactly one store writes the call parameter, and writes a constant at offset 0, returns this
  /// constant. Otherwise returns nothing.
  std::optional<std::uint64_t> stored_constant(StorageId id) const { return stored_constant(id, 0); }

  /// Returns the offset and size in bytes of each store to a call parameter so far. Empty if the address of
  /// the parameter was taken.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> stored_pieces(StorageId id) const;
  std::size_t size() const { return items_.size(); }
  std::size_t registers() const { return register_names_.size(); }
  std::size_t predicates() const { return predicate_names_.size(); }

  isa::Instruction& instruction(std::size_t number) { return items_[number].instruction; }

  void emit(Item item);
  void branch(LabelId target, const isa::Guard& guard, bool uniform);

  void set_location(isa::SourceLocation location) { location_ = location; }
  const isa::SourceLocation& location() const { return location_; }

  void reserve_local(std::uint64_t bytes);

  /// Replaces labels and other symbols by numbers. Writes code, labels, number of registers, and sizes of
  /// shared and local memory to `program`. Throws Error if shared or local memory exceeds its address window.
  void finish(isa::Program& program, CallStack& frames);

 private:
  struct Writers {
    std::size_t first = 0;
    std::uint32_t count = 0;
  };
  std::optional<std::uint64_t> constant(const isa::Operand& operand, int depth) const;
  std::optional<std::uint64_t> stored_constant(StorageId id, int depth) const;
  void note_writers() const;
  void place_storage(isa::Program& program, CallStack& frames);
  void place_shared(isa::Program& program);
  void place_frames(CallStack& frames);

  const Source* source_;
  std::vector<Item> items_;
  std::vector<Storage> storages_;
  mutable std::vector<Writers> register_writers_, storage_writers_;
  mutable std::size_t noted_ = 0;
  struct Label {
    std::string name;
    std::size_t position = 0;
  };
  std::vector<Label> labels_;
  std::vector<std::string> register_names_;
  std::vector<std::string> predicate_names_;
  isa::Operand carry_;
  isa::SourceLocation location_;
  std::uint64_t local_bytes_ = 0;
};

}  // namespace heddle::ptx

#pragma once

// Moves the parameter blocks (.param variables) of inlined calls from memory to registers.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "models/ptx/program_item.h"

namespace heddle::ptx {

/// Moves parameter blocks to registers. A block is divided into pieces, as its loads and stores access it,
/// and each piece gets a register. Pieces must not overlap, every store must write a whole piece, and every
/// load must read a piece or its low part. If the accesses break one of these rules, or if the program takes
/// the address of the block, the block stays in memory.
class CallParameters {
 public:
  using NewRegister = std::function<isa::Operand(int bits, const std::string& name)>;
  CallParameters(std::vector<Item>& items, std::vector<Storage>& storages)
      : items_(items), storages_(storages) {}

  std::vector<std::size_t> promote(const NewRegister& new_register);

 private:
  struct Piece {
    std::uint64_t bytes = 0;
    isa::Operand reg;
  };
  using Pieces = std::map<std::uint64_t, Piece>;

  bool is_parameter(const Item& item) const;
  void collect();
  void check_stores();
  void check_overlap(const Pieces& pieces, Storage& storage) const;
  void rewrite(const Item& access, std::vector<Item>& into);

  std::vector<Item>& items_;
  std::vector<Storage>& storages_;
  std::vector<Pieces> pieces_;
};

inline bool accesses_storage(const isa::Instruction& i) {
  return i.op == isa::Opcode::ld || i.op == isa::Opcode::st;
}

}  // namespace heddle::ptx

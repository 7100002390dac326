#pragma once

// Promotes the parameter blocks of inlined calls from memory to registers.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "models/ptx/program_item.h"

namespace heddle::ptx {

/// A block is promoted if its pieces do not overlap, every store writes a whole piece, and every load reads a
/// piece or its low part. Each piece becomes a register. A block with other accesses, or whose address is
/// taken, stays in memory (Storage::address_taken).
class CallParameters {
 public:
  using NewRegister = std::function<isa::Operand(int bits, const std::string& name)>;
  CallParameters(std::vector<Item>& items, std::vector<Storage>& storages)
      : items_(items), storages_(storages) {}

  /// Rewrites the items. Returns the new index of each item, and one more entry for the end.
  std::vector<std::size_t> promote(const NewRegister& new_register);

 private:
  struct Piece {
    std::uint64_t bytes = 0;
    isa::Operand reg;
  };
  using Pieces = std::map<std::uint64_t, Piece>;  ///< by offset

  bool is_parameter(const Item& item) const;
  void collect();
  void check_stores();
  void check_overlap(const Pieces& pieces, Storage& storage) const;
  void rewrite(const Item& access, std::vector<Item>& into);

  std::vector<Item>& items_;
  std::vector<Storage>& storages_;
  std::vector<Pieces> pieces_;  ///< by storage
};

/// True for a load or store that addresses its storage directly.
inline bool accesses_storage(const isa::Instruction& i) {
  return i.op == isa::Opcode::ld || i.op == isa::Opcode::st;
}

}  // namespace heddle::ptx

#pragma once

// Records the blocks that malloc has returned in kernels, over all launches of a run. Recognises a call of
// malloc by the mark that malloc stores in a block's header. Recognises a call of free by the link to the
// next free block that free stores in the header (models/isa/check_notes.h).

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "models/reference/reference.h"

namespace heddle::reference {

class DeviceHeap : public Observer {
 public:
  struct Block {
    std::uint64_t bytes = 0;
    bool freed = false;
    std::vector<bool> written;
  };
  void accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) override;

  bool contains(std::uint64_t address) const { return address >= begin_ && address < end_; }
  /// Returns the block that begins at or before the address, or nullptr. Sets `base` to the block's address.
  Block* block_before(std::uint64_t address, std::uint64_t& base);

 private:
  std::uint64_t begin_ = ~std::uint64_t{0}, end_ = 0;
  std::map<std::uint64_t, Block> blocks_;
};

}  // namespace heddle::reference

#pragma once

// Device memory as a set of named allocations with unmapped space in between. An access out of bounds is an
// error that names the nearest allocation. The reference and the memory models use it as backing store.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace heddle {

class MemoryImage {
 public:
  struct Allocation {
    std::string name;
    std::uint64_t base = 0;
    std::uint64_t bytes = 0;
    bool read_only = false;  ///< module-level .const data
    std::vector<std::uint8_t> data;
  };

  /// Allocates `bytes` zeroed bytes at `base`. Throws Error if they overlap another allocation.
  Allocation& allocate_at(std::string name, std::uint64_t base, std::uint64_t bytes, bool read_only = false);

  /// Removes the allocation that starts at `base`.
  void release(std::uint64_t base);

  /// Returns the host pointer to `bytes` bytes at `address` if one allocation contains all of them, otherwise
  /// nullptr. Cost: O(log n), with a one-entry cache for the last allocation. The const version does not use
  /// the cache, because several threads may call it.
  std::uint8_t* find(std::uint64_t address, std::size_t bytes);
  const std::uint8_t* find(std::uint64_t address, std::size_t bytes) const;

  /// As find, but throws Error with the address, the size and the nearest allocations.
  std::uint8_t* at(std::uint64_t address, std::size_t bytes, const std::string& who);

  /// Explains why an access is out of bounds ("4 bytes at 0x..., 8 bytes past the end of buffer \"a\" ...").
  std::string explain(std::uint64_t address, std::size_t bytes) const;

  const Allocation* find_by_name(const std::string& name) const;
  const std::vector<std::unique_ptr<Allocation>>& allocations() const {
    return allocations_;
  }  ///< sorted by address

  MemoryImage() = default;
  MemoryImage(const MemoryImage& other);  ///< deep copy
  MemoryImage& operator=(const MemoryImage& other);
  MemoryImage(MemoryImage&&) = default;
  MemoryImage& operator=(MemoryImage&&) = default;

 private:
  Allocation* covering(std::uint64_t address) const;
  static std::uint8_t* bytes_of(Allocation* covering, std::uint64_t address, std::size_t bytes);
  std::vector<std::unique_ptr<Allocation>> allocations_;  ///< sorted by base
  Allocation* last_ = nullptr;
};

}  // namespace heddle

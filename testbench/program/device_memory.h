#pragma once

// Memory of the device for a whole program. The model chooses device addresses, so that the addresses are the
// same in every run. The memory image contains memory that only the device can access. Managed and pinned
// memory belongs to the host process, and the process maps this memory at the memory's device address. Such
// memory is copied to the image before each launch, and back after it.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/core/memory_image.h"
#include "models/isa/program.h"

namespace heddle::program {

/// Returns true if this process has mapped all bytes of a range.
bool is_host_memory(const void* pointer, std::uint64_t bytes);

class DeviceMemory {
 public:
  enum class Kind : std::uint8_t {
    device,
    managed,
    pinned,
    registered,  ///< ordinary host memory that the program has registered with CUDA
    variable,
    header,  ///< header of a texture or surface, in constant memory
  };
  struct Block {
    std::uint64_t address = 0, bytes = 0;
    Kind kind = Kind::device;
    unsigned flags = 0;
    std::string name;
    bool host_visible() const { return kind != Kind::device && has_padding(); }
    bool has_padding() const { return kind != Kind::variable && kind != Kind::header; }
  };

  /// Manages a device memory of `capacity` bytes. `padding`: number of bytes around every block that kernels
  /// may read without an error (--lenient).
  DeviceMemory(std::uint64_t capacity, std::uint64_t padding) : capacity_(capacity), padding_(padding) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// Allocates `bytes` (above 0) and returns the address, a multiple of 4096; 0 if there is no space. If a
  /// program makes the same calls in every run, it gets the same addresses in every run.
  std::uint64_t allocate(std::uint64_t bytes, Kind kind, unsigned flags = 0);
  /// Frees the block that begins at the address. Returns false if no block of this kind begins there.
  bool release(std::uint64_t address, Kind kind);
  /// Makes ordinary host memory visible to kernels. Returns false if a part of it is already visible.
  bool register_host(std::uint64_t address, std::uint64_t bytes, unsigned flags);
  void release_all();
  /// From now on, freed addresses are never used again, so that accesses to freed memory are errors.
  void keep_released() { reuses_ = false; }

  void add_variables(const std::vector<isa::ModuleVariable>& variables);
  void remove_variables(const std::vector<isa::ModuleVariable>& variables);
  /// Sets the size of the heap that malloc in kernels uses. Returns false if a part of the heap is already
  /// allocated.
  bool resize_heap(std::uint64_t bytes);
  bool share_variable(std::uint64_t address);
  /// Maps a managed variable at the address `host` of the host process, and copies the bytes at `host` to it.
  /// Returns false if the variable does not exist.
  bool share_variable_at(std::uint64_t address, void* host);

  /// Add or remove the header of a texture or surface in constant memory. remove_header() returns false if
  /// there is no header at this address.
  void add_header(std::uint64_t address, const std::vector<std::uint8_t>& bytes);
  bool remove_header(std::uint64_t address);

  const Block* block_of(std::uint64_t address) const;
  /// Returns true for addresses in the range of device buffers or variables, whether they are allocated or
  /// not.
  static bool is_device_address(std::uint64_t address);
  /// Returns a host pointer to the bytes at an address. For memory that only the device can access, the
  /// pointer points into the image. For other memory, it points to the host's own memory. Returns nullptr if
  /// `address` is a device address and no block contains the whole range.
  std::uint8_t* bytes_at(std::uint64_t address, std::uint64_t bytes);
  std::string explain(std::uint64_t address, std::uint64_t bytes) const;

  /// Copy managed, pinned and registered memory to the image before a launch, and back after it.
  void before_launch();
  void after_launch();

  std::uint64_t used() const { return used_; }
  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t padding() const { return padding_; }
  MemoryImage& image() { return image_; }
  const std::map<std::uint64_t, Block>& blocks() const { return blocks_; }

 private:
  std::uint64_t find_place(std::uint64_t bytes);
  void place(const Block& block);
  void remove(const Block& block);
  bool map_for_host(std::uint64_t address, std::uint64_t bytes);
  static void unmap(std::uint64_t address, std::uint64_t bytes);
  static bool is_mapped(const Block& block) {
    return block.kind == Kind::managed || block.kind == Kind::pinned;
  }

  std::uint64_t capacity_, padding_, used_ = 0;
  bool reuses_ = true;
  std::uint64_t next_ = 0;
  std::uint64_t names_ = 0;
  std::multimap<std::uint64_t, std::uint64_t> free_;
  std::map<std::uint64_t, Block> blocks_;
  struct Shared {
    std::uint64_t bytes = 0;
    std::uint8_t* host = nullptr;
  };
  std::map<std::uint64_t, Shared> shared_;
  std::vector<std::uint64_t> variable_pages_;
  MemoryImage image_;
};

}  // namespace heddle::program

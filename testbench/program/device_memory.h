#pragma once

// Device memory of a whole program: its allocations, at the model's own addresses, and the part that the host
// also sees.
//
// Memory of the device alone is stored in the memory image. Managed and pinned memory belongs to the host and
// is mapped at its device address. It is copied to the image before each launch, and back to the host after
// the launch.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/core/memory_image.h"
#include "models/isa/program.h"

namespace heddle::program {

/// True if all of these bytes are mapped in this process.
bool is_host_memory(const void* pointer, std::uint64_t bytes);

class DeviceMemory {
 public:
  enum class Kind : std::uint8_t {
    device,
    managed,
    pinned,      ///< memory that the program allocated for the host
    registered,  ///< the host's own memory, registered at the host's address
    variable,    ///< variables of a module
    header,      ///< header of a texture or surface, in constant memory
  };
  struct Block {
    std::uint64_t address = 0, bytes = 0;
    Kind kind = Kind::device;
    unsigned flags = 0;  ///< flags given by the program
    std::string name;
    bool host_visible() const { return kind != Kind::device && has_padding(); }
    bool has_padding() const { return kind != Kind::variable && kind != Kind::header; }
  };

  /// `padding`: bytes before and after every block that reads may reach (--lenient).
  DeviceMemory(std::uint64_t capacity, std::uint64_t padding) : capacity_(capacity), padding_(padding) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// Returns the address of a new block of `bytes` > 0 bytes, a multiple of 4096; 0 if there is no space. A
  /// program that makes the same calls receives the same addresses.
  std::uint64_t allocate(std::uint64_t bytes, Kind kind, unsigned flags = 0);
  /// Returns false if no block of this kind begins at the address.
  bool release(std::uint64_t address, Kind kind);
  /// Makes the host's own memory visible to kernels. Returns false if a part of this memory is already
  /// visible.
  bool register_host(std::uint64_t address, std::uint64_t bytes, unsigned flags);
  void release_all();
  /// From here on, the addresses of released blocks are not used again, so that accesses after the release are
  /// errors.
  void keep_released() { reuses_ = false; }

  /// These functions allocate the variables of a module with their initial contents, and remove them together
  /// with the module.
  void add_variables(const std::vector<isa::ModuleVariable>& variables);
  void remove_variables(const std::vector<isa::ModuleVariable>& variables);
  /// Resizes the heap for malloc in kernels, if a module uses it. Returns false if a part of the heap is
  /// already allocated.
  bool resize_heap(std::uint64_t bytes);
  /// Maps a managed variable for the host at its device address. Returns false if there is no such variable.
  bool share_variable(std::uint64_t address);
  /// Maps a managed variable at the host's address `host`, which receives the variable's bytes. Returns false
  /// if there is no such variable.
  bool share_variable_at(std::uint64_t address, void* host);

  /// These functions add or remove the header of a texture or surface in constant memory. The header is
  /// stored like a block of the device. remove_header() returns false if there is no header.
  void add_header(std::uint64_t address, const std::vector<std::uint8_t>& bytes);
  bool remove_header(std::uint64_t address);

  /// Returns the block that contains the address, or nullptr.
  const Block* block_of(std::uint64_t address) const;
  /// Returns true if the address is in the range for buffers or variables of the device, allocated or not.
  static bool is_device_address(std::uint64_t address);
  /// Returns the host's pointer to these bytes: into the image, or to the host's own memory. Returns nullptr
  /// for device addresses if no block contains all bytes.
  std::uint8_t* bytes_at(std::uint64_t address, std::uint64_t bytes);
  /// Explains why bytes_at() returns nullptr.
  std::string explain(std::uint64_t address, std::uint64_t bytes) const;

  /// These functions copy the memory that the host sees to the image, and back.
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
  std::uint64_t next_ = 0;  ///< first address that was never used
  std::uint64_t names_ = 0;
  std::multimap<std::uint64_t, std::uint64_t> free_;  ///< addresses of released blocks, by size
  std::map<std::uint64_t, Block> blocks_;
  struct Shared {
    std::uint64_t bytes = 0;
    std::uint8_t* host = nullptr;
  };
  std::map<std::uint64_t, Shared> shared_;     ///< memory that the host sees, by address
  std::vector<std::uint64_t> variable_pages_;  ///< pages mapped for managed variables
  MemoryImage image_;
};

}  // namespace heddle::program

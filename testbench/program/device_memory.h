#pragma once

// Device memory of a program that runs whole: what it has allocated, at the model's own addresses, and what of it
// the host sees, too.
//
// Memory of the device alone lies in the memory image. Managed and pinned memory is the host's, mapped at its device
// address; a kernel finds it in the image as it was at its launch, and the host finds there what the kernel left.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/core/memory_image.h"
#include "models/isa/program.h"

namespace heddle::program {

class DeviceMemory {
 public:
  enum class Kind : std::uint8_t {
    device,
    managed,
    pinned,      ///< allocated for the host
    registered,  ///< the host's own memory, at the host's address
    variable,    ///< of a module
    header,      ///< of a texture or surface, in constant memory
  };
  struct Block {
    std::uint64_t address = 0, bytes = 0;
    Kind kind = Kind::device;
    unsigned flags = 0;  ///< as the program gave them
    std::string name;
    bool host_visible() const { return kind != Kind::device && has_padding(); }
    bool has_padding() const { return kind != Kind::variable && kind != Kind::header; }
  };

  /// `padding`: bytes before and after every block that reads may reach (--lenient).
  DeviceMemory(std::uint64_t capacity, std::uint64_t padding) : capacity_(capacity), padding_(padding) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// The address of `bytes` > 0 bytes, a multiple of 4096; 0 if there is no room for them. The same calls give the
  /// same addresses.
  std::uint64_t allocate(std::uint64_t bytes, Kind kind, unsigned flags = 0);
  /// False if no block of this kind begins there.
  bool release(std::uint64_t address, Kind kind);
  /// The host's own memory becomes visible to kernels. False if some of it is already.
  bool register_host(std::uint64_t address, std::uint64_t bytes, unsigned flags);
  void release_all();

  /// Variables of a module take their places, with their initial contents; they leave with the module.
  void add_variables(const std::vector<isa::ModuleVariable>& variables);
  void remove_variables(const std::vector<isa::ModuleVariable>& variables);
  /// The heap of malloc in kernels, if a module has brought one, gets another size. False if something of it has been
  /// handed out.
  bool resize_heap(std::uint64_t bytes);
  /// A managed variable: the host sees it at its device address. False if there is no such variable.
  bool share_variable(std::uint64_t address);
  /// The same at a place of the host's own, which takes the variable's bytes. False if there is no such variable.
  bool share_variable_at(std::uint64_t address, void* host);

  /// The header of a texture or surface in constant memory, kept like a block of the device. False: there is none.
  void add_header(std::uint64_t address, const std::vector<std::uint8_t>& bytes);
  bool remove_header(std::uint64_t address);

  /// The block that covers the address, or nullptr.
  const Block* block_of(std::uint64_t address) const;
  /// Whether the address can be one of the device's buffers or variables, allocated or not.
  static bool is_device_address(std::uint64_t address);
  /// Where the host finds these bytes: in the image, or the host's own memory. nullptr if they are the device's and
  /// no block holds all of them.
  std::uint8_t* bytes_at(std::uint64_t address, std::uint64_t bytes);
  /// Why bytes_at() gives nullptr.
  std::string explain(std::uint64_t address, std::uint64_t bytes) const;

  /// What the host sees is copied to the image, and back.
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
  std::uint64_t next_ = 0;  ///< the first address that no block has had
  std::uint64_t names_ = 0;
  std::multimap<std::uint64_t, std::uint64_t> free_;  ///< places of released blocks: room, address
  std::map<std::uint64_t, Block> blocks_;
  struct Shared {
    std::uint64_t bytes = 0;
    std::uint8_t* host = nullptr;
  };
  std::map<std::uint64_t, Shared> shared_;     ///< what the host sees, by address
  std::vector<std::uint64_t> variable_pages_;  ///< mapped for managed variables
  MemoryImage image_;
};

}  // namespace heddle::program

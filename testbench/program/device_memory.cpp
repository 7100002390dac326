#include "testbench/program/device_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "models/isa/address_size.h"

namespace heddle::program {
namespace {

constexpr std::uint64_t kPage = 4096;

std::uint64_t round_up(std::uint64_t value) { return (value + kPage - 1) / kPage * kPage; }

// Returns true for the heap of malloc in kernels. All modules share the heap, so it is not removed together
// with a module.
bool is_heap(const isa::ModuleVariable& variable) { return variable.name == isa::kHeap; }

// Convert between a device address and a pointer of the host. Memory that the host can access has the same
// address on both.
std::uint8_t* host_pointer(std::uint64_t address) {
  return reinterpret_cast<std::uint8_t*>(address);  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace

// msync() fails for pages that are not mapped, so this call serves as a test. msync() writes nothing here,
// because the memory belongs to no file.
bool is_host_memory(const void* pointer, std::uint64_t bytes) {
  constexpr std::uint64_t kEnd = std::uint64_t{1} << 47;  // size of the address space of a process on x86-64
  const auto first = reinterpret_cast<std::uint64_t>(pointer);
  if (first >= kEnd || bytes > kEnd - first) return false;
  const std::uint64_t page = first / kPage * kPage;
  return bytes == 0 || ::msync(host_pointer(page), round_up(first + bytes) - page, MS_ASYNC) == 0;
}

DeviceMemory::~DeviceMemory() {
  for (const auto& [address, block] : blocks_)
    if (is_mapped(block)) unmap(address, block.bytes);
}

// Returns an address for a new block; 0 if none is free. A freed address is used again only for a block of
// the same size, so that programs which allocate and free in a loop keep their addresses. Between two blocks,
// at least isa::kAllocationGap bytes stay unmapped.
std::uint64_t DeviceMemory::find_place(std::uint64_t bytes) {
  const std::uint64_t room = round_up(bytes) + isa::kAllocationGap;
  if (const auto known = free_.find(room); known != free_.end()) {
    const std::uint64_t address = known->second;
    free_.erase(known);
    return address;
  }
  const isa::AddressLayout layout = isa::address_layout(isa::kWideAddressBits);
  if (next_ == 0) next_ = layout.buffers + isa::kAllocationGap;
  if (room > layout.end - next_) return 0;
  const std::uint64_t address = next_;
  next_ += room;
  return address;
}

bool DeviceMemory::map_for_host(std::uint64_t address, std::uint64_t bytes) {
  void* const at = host_pointer(address);
  return ::mmap(at, round_up(bytes), PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) == at;
}

void DeviceMemory::unmap(std::uint64_t address, std::uint64_t bytes) {
  ::munmap(host_pointer(address), round_up(bytes));
}

std::uint64_t DeviceMemory::allocate(std::uint64_t bytes, Kind kind, unsigned flags) {
  if (bytes == 0 || bytes > capacity_ - used_) return 0;
  Block block;
  block.bytes = bytes;
  block.kind = kind;
  block.flags = flags;
  block.address = find_place(bytes);
  if (block.address == 0) return 0;
  if (is_mapped(block) && !map_for_host(block.address, bytes)) return 0;
  const char* const what = kind == Kind::device ? "cudaMalloc" : kind == Kind::managed ? "managed" : "pinned";
  block.name = fmt::format("{} {}", what, ++names_);
  used_ += bytes;
  place(block);
  return block.address;
}

void DeviceMemory::place(const Block& block) {
  image_.allocate_at(block.name, block.address - padding_, block.bytes + 2 * padding_);
  blocks_[block.address] = block;
  if (block.host_visible()) shared_[block.address] = {block.bytes, host_pointer(block.address)};
}

void DeviceMemory::remove(const Block& block) {
  image_.release(block.address - padding_);
  shared_.erase(block.address);
  if (is_mapped(block)) unmap(block.address, block.bytes);
  used_ -= block.bytes;
  if (block.kind != Kind::registered && reuses_)
    free_.emplace(round_up(block.bytes) + isa::kAllocationGap, block.address);
}

bool DeviceMemory::release(std::uint64_t address, Kind kind) {
  const auto found = blocks_.find(address);
  if (found == blocks_.end() || found->second.kind != kind) return false;
  remove(found->second);
  blocks_.erase(found);
  return true;
}

bool DeviceMemory::register_host(std::uint64_t address, std::uint64_t bytes, unsigned flags) {
  const auto after = blocks_.upper_bound(address + bytes - 1);
  if (after != blocks_.begin()) {
    const Block& before = std::prev(after)->second;
    if (before.address + before.bytes > address) return false;
  }
  Block block;
  block.address = address;
  block.bytes = bytes;
  block.kind = Kind::registered;
  block.flags = flags;
  block.name = fmt::format("registered {}", ++names_);
  used_ += bytes;
  place(block);
  return true;
}

void DeviceMemory::release_all() {
  for (auto at = blocks_.begin(); at != blocks_.end();) {
    if (at->second.kind == Kind::variable) {
      ++at;
      continue;
    }
    if (at->second.kind == Kind::header)
      image_.release(at->first);
    else
      remove(at->second);
    at = blocks_.erase(at);
  }
}

void DeviceMemory::add_header(std::uint64_t address, const std::vector<std::uint8_t>& bytes) {
  Block block;
  block.address = address;
  block.bytes = bytes.size();
  block.kind = Kind::header;
  block.name = fmt::format("texture {}", ++names_);
  image_.allocate_at(block.name, address, block.bytes, true).data = bytes;
  blocks_[address] = block;
}

bool DeviceMemory::remove_header(std::uint64_t address) {
  const auto found = blocks_.find(address);
  if (found == blocks_.end() || found->second.kind != Kind::header) return false;
  image_.release(address);
  blocks_.erase(found);
  return true;
}

void DeviceMemory::add_variables(const std::vector<isa::ModuleVariable>& variables) {
  for (const isa::ModuleVariable& variable : variables) {
    if (is_heap(variable) && blocks_.contains(variable.address)) continue;
    auto& allocation = image_.allocate_at(variable.name, variable.address, variable.bytes,
                                          variable.space == isa::Space::constant);
    std::copy(variable.initial.begin(), variable.initial.end(), allocation.data.begin());
    Block block;
    block.address = variable.address;
    block.bytes = variable.bytes;
    block.kind = Kind::variable;
    block.name = variable.name;
    blocks_[block.address] = block;
  }
}

void DeviceMemory::remove_variables(const std::vector<isa::ModuleVariable>& variables) {
  for (const isa::ModuleVariable& variable : variables) {
    if (is_heap(variable)) continue;
    image_.release(variable.address);
    blocks_.erase(variable.address);
    shared_.erase(variable.address);
  }
}

bool DeviceMemory::resize_heap(std::uint64_t bytes) {
  const auto found = std::find_if(blocks_.begin(), blocks_.end(), [](const auto& entry) {
    return entry.second.kind == Kind::variable && entry.second.name == isa::kHeap;
  });
  if (found == blocks_.end()) return true;
  Block& heap = found->second;
  const std::vector<std::uint8_t> untouched = isa::heap_beginning(heap.bytes);
  const std::uint8_t* const now = image_.at(heap.address, untouched.size(), heap.name);
  if (!std::equal(untouched.begin(), untouched.end(), now)) return false;
  image_.release(heap.address);
  const std::vector<std::uint8_t> beginning = isa::heap_beginning(bytes);
  auto& allocation = image_.allocate_at(heap.name, heap.address, bytes);
  std::copy(beginning.begin(), beginning.end(), allocation.data.begin());
  heap.bytes = bytes;
  return true;
}

bool DeviceMemory::share_variable(std::uint64_t address) {
  const auto found = blocks_.find(address);
  if (found == blocks_.end() || found->second.kind != Kind::variable) return false;
  const Block& block = found->second;
  for (std::uint64_t page = address / kPage * kPage; page < address + block.bytes; page += kPage) {
    if (std::find(variable_pages_.begin(), variable_pages_.end(), page) != variable_pages_.end()) continue;
    if (!map_for_host(page, kPage)) return false;
    variable_pages_.push_back(page);
  }
  return share_variable_at(address, host_pointer(address));
}

bool DeviceMemory::share_variable_at(std::uint64_t address, void* host) {
  const auto found = blocks_.find(address);
  if (found == blocks_.end() || found->second.kind != Kind::variable) return false;
  const Block& block = found->second;
  shared_[address] = {block.bytes, static_cast<std::uint8_t*>(host)};
  std::memcpy(host, image_.at(address, block.bytes, block.name), block.bytes);
  return true;
}

const DeviceMemory::Block* DeviceMemory::block_of(std::uint64_t address) const {
  const auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return nullptr;
  const Block& block = std::prev(after)->second;
  return address - block.address < block.bytes ? &block : nullptr;
}

bool DeviceMemory::is_device_address(std::uint64_t address) {
  return address >= isa::kModuleGlobals && address < isa::kLocalBacking;
}

std::uint8_t* DeviceMemory::bytes_at(std::uint64_t address, std::uint64_t bytes) {
  const Block* const block = block_of(address);
  if (!block) return is_device_address(address) ? nullptr : host_pointer(address);
  if (bytes > block->bytes - (address - block->address)) return nullptr;
  if (const auto seen = shared_.find(block->address); seen != shared_.end())
    return seen->second.host + (address - block->address);
  return image_.find(address, bytes);
}

std::string DeviceMemory::explain(std::uint64_t address, std::uint64_t bytes) const {
  return image_.explain(address, bytes);
}

void DeviceMemory::before_launch() {
  for (const auto& [address, seen] : shared_)
    std::memcpy(image_.at(address, seen.bytes, "shared memory"), seen.host, seen.bytes);
}

void DeviceMemory::after_launch() {
  for (const auto& [address, seen] : shared_)
    std::memcpy(seen.host, image_.at(address, seen.bytes, "shared memory"), seen.bytes);
}

}  // namespace heddle::program

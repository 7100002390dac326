#include "models/core/memory_image.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"

namespace heddle {

MemoryImage::MemoryImage(const MemoryImage& other) { *this = other; }

MemoryImage& MemoryImage::operator=(const MemoryImage& other) {
  if (this == &other) return *this;
  last_ = nullptr;
  allocations_.resize(other.allocations_.size());
  for (std::size_t i = 0; i < allocations_.size(); ++i)
    if (allocations_[i])
      *allocations_[i] = *other.allocations_[i];
    else
      allocations_[i] = std::make_unique<Allocation>(*other.allocations_[i]);
  return *this;
}

MemoryImage::Allocation& MemoryImage::allocate_at(std::string name, std::uint64_t base, std::uint64_t bytes,
                                                  bool read_only) {
  const auto after = std::lower_bound(allocations_.begin(), allocations_.end(), base,
                                      [](const auto& a, std::uint64_t b) { return a->base < b; });
  const auto overlaps = [&](const Allocation& a) { return base < a.base + a.bytes && a.base < base + bytes; };
  if ((after != allocations_.end() && (overlaps(**after) || (*after)->base == base)) ||
      (after != allocations_.begin() && overlaps(**std::prev(after))))
    throw Error(name, fmt::format("its {} bytes at {:#x} overlap another allocation", bytes, base));
  auto allocation = std::make_unique<Allocation>();
  allocation->name = std::move(name);
  allocation->base = base;
  allocation->bytes = bytes;
  allocation->read_only = read_only;
  allocation->data = PagedBytes(bytes);
  return **allocations_.insert(after, std::move(allocation));
}

void MemoryImage::release(std::uint64_t base) {
  std::erase_if(allocations_, [base](const auto& a) { return a->base == base; });
  last_ = nullptr;
}

MemoryImage::Allocation* MemoryImage::covering(std::uint64_t address) const {
  const auto after = std::upper_bound(allocations_.begin(), allocations_.end(), address,
                                      [](std::uint64_t a, const auto& b) { return a < b->base; });
  if (after == allocations_.begin()) return nullptr;
  Allocation* found = std::prev(after)->get();
  return address - found->base < found->bytes ? found : nullptr;
}

std::uint8_t* MemoryImage::bytes_of(Allocation* covering, std::uint64_t address, std::size_t bytes) {
  if (!covering || bytes > covering->bytes - (address - covering->base)) return nullptr;
  return covering->data.data() + (address - covering->base);
}

std::uint8_t* MemoryImage::find(std::uint64_t address, std::size_t bytes) {
  if (!last_ || address - last_->base >= last_->bytes) last_ = covering(address);
  return bytes_of(last_, address, bytes);
}

const std::uint8_t* MemoryImage::find(std::uint64_t address, std::size_t bytes) const {
  return bytes_of(covering(address), address, bytes);
}

std::uint8_t* MemoryImage::at(std::uint64_t address, std::size_t bytes, const std::string& who) {
  std::uint8_t* p = find(address, bytes);
  if (!p) throw Error(who, "out of bounds: " + explain(address, bytes));
  return p;
}

std::string MemoryImage::explain(std::uint64_t address, std::size_t bytes) const {
  std::string text = fmt::format("{} bytes at {:#x}", bytes, address);
  const Allocation* below = nullptr;
  const Allocation* above = nullptr;
  for (const auto& a : allocations_) {
    if (a->base <= address) below = a.get();
    if (a->base > address && !above) above = a.get();
  }
  if (below && address - below->base < below->bytes)
    return text + fmt::format(" run past the end of \"{}\" ({:#x}, {} bytes)", below->name, below->base,
                              below->bytes);
  if (below)
    text += fmt::format(", {} bytes past the end of \"{}\" ({:#x}, {} bytes)",
                        address - below->base - below->bytes, below->name, below->base, below->bytes);
  if (above)
    text += fmt::format(", {} bytes before \"{}\" ({:#x}, {} bytes)", above->base - address, above->name,
                        above->base, above->bytes);
  if (!below && !above) text += ", and nothing is allocated";
  return text;
}

const MemoryImage::Allocation* MemoryImage::find_by_base(std::uint64_t base) const {
  const Allocation* const found = covering(base);
  return found && found->base == base ? found : nullptr;
}

void MemoryImage::settle() const {
  for (const auto& allocation : allocations_) allocation->data.settle();
}

const MemoryImage::Allocation* MemoryImage::find_by_name(const std::string& name) const {
  for (const auto& a : allocations_)
    if (a->name == name) return a.get();
  return nullptr;
}

}  // namespace heddle

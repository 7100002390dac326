#include "testbench/cudart/properties.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>

namespace heddle::cudart {
namespace {

// Size of constant memory (CUDA C++ Programming Guide, technical specifications).
constexpr std::size_t kConstantBytes = 64 << 10;
constexpr std::size_t kMostPitch = 0x7fffffff;
constexpr int kAlignment = 512;
constexpr std::size_t kNameBytes = 256, kIdBytes = 16 + 8;
constexpr std::size_t kBytes11 = 728, kBytes12 = 1032, kBytes13 = 1008;

class Members {
 public:
  explicit Members(void* at) : at_(static_cast<char*>(at)) {}
  void text(const std::string& value, std::size_t bytes) {
    std::memcpy(at_ + offset_, value.data(), std::min(value.size(), bytes - 1));
    offset_ += bytes;
  }
  void skip(std::size_t bytes) { offset_ += bytes; }
  void numbers(std::initializer_list<int> values) {
    for (const int value : values) put(value);
  }
  void number(int value, bool there = true) {
    if (there) put(value);
  }
  void zeros(int count) {
    for (int i = 0; i < count; ++i) put(0);
  }
  void size(std::size_t value) { put(value); }

 private:
  template <class T>
  void put(T value) {
    offset_ = (offset_ + sizeof value - 1) / sizeof value * sizeof value;
    std::memcpy(at_ + offset_, &value, sizeof value);
    offset_ += sizeof value;
  }
  char* at_;
  std::size_t offset_ = 0;
};

}  // namespace

// Fills CUDA's structure cudaDeviceProp (`properties`). Values that no preset states, such as the largest
// extents of textures, are 0.
void write_properties(void* properties, const Device& d, int cuda) {
  const bool old = cuda < 13;
  std::memset(properties, 0, cuda == 11 ? kBytes11 : cuda == 12 ? kBytes12 : kBytes13);
  Members m(properties);
  m.text(d.name, kNameBytes);
  m.skip(kIdBytes);
  m.zeros(1);
  m.size(d.memory_bytes);
  m.size(d.shared_a_block);
  m.numbers({d.registers_an_sm, 32});
  m.size(kMostPitch);
  m.numbers({d.threads_a_block, d.threads_a_block, d.threads_a_block, 64});
  m.numbers({0x7fffffff, 65535, 65535});
  m.number(d.clock_khz, old);
  m.size(kConstantBytes);
  m.numbers({d.major, d.minor});
  m.size(kAlignment);
  m.size(kAlignment);
  m.number(1, old);
  m.number(d.sms);
  m.number(0, old);
  m.numbers({0, 1});
  m.number(0, old);
  m.zeros(old ? 40 : 39);
  m.size(kAlignment);
  m.numbers({1, 0, 0, 0, 0, 0, 1, 1});
  m.number(d.memory_clock_khz, old);
  m.numbers({d.memory_bus_bits, d.l2_bytes, 0});
  m.numbers({d.threads_an_sm, 1, 1, 1});
  m.size(d.shared_an_sm);
  m.numbers({d.registers_an_sm, 1, 0, 0, 0});
  m.number(d.double_ratio, old);
  m.numbers({0, 0, 0, 1, 1});
  m.number(0, old);
  m.size(d.shared_a_block_at_most);
  m.numbers({0, 0, d.blocks_an_sm, 0});
  m.size(0);
}

std::optional<int> attribute_of(const Device& d, int attribute) {
  switch (attribute) {
    case 1:
    case 2:
    case 3:
      return d.threads_a_block;
    case 4:
      return 64;
    case 5:
      return 0x7fffffff;
    case 6:
    case 7:
      return 65535;
    case 8:
      return static_cast<int>(d.shared_a_block);
    case 81:
      return static_cast<int>(d.shared_an_sm);
    case 97:
      return static_cast<int>(d.shared_a_block_at_most);
    case 9:
      return static_cast<int>(kConstantBytes);
    case 10:
      return 32;
    case 11:
      return static_cast<int>(kMostPitch);
    case 12:
    case 82:
      return d.registers_an_sm;
    case 13:
      return d.clock_khz;
    case 14:
    case 30:
    case 51:
      return kAlignment;
    case 16:
      return d.sms;
    case 15:
    case 19:
    case 31:
    case 40:
    case 41:
    case 78:
    case 79:
    case 80:
    case 83:
    case 91:
    case 95:
    case 99:
    case 115:
      return 1;
    case 36:
      return d.memory_clock_khz;
    case 37:
      return d.memory_bus_bits;
    case 38:
      return d.l2_bytes;
    case 39:
      return d.threads_an_sm;
    case 75:
      return d.major;
    case 76:
      return d.minor;
    case 87:
      return d.double_ratio;
    case 106:
      return d.blocks_an_sm;
    default:
      if (attribute < 1 || attribute > 150) return std::nullopt;
      return 0;  // for features that the model lacks, and for values that no preset states
  }
}

}  // namespace heddle::cudart

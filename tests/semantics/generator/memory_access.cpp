#include "memory_access.h"

#include <stdexcept>

namespace heddle::semantics {

Block block_of(std::uint64_t low, std::uint64_t high) {
  Block block;
  for (std::size_t i = 0; i < 8; ++i) {
    block[i] = static_cast<std::uint8_t>(low >> (8 * i));
    block[i + 8] = static_cast<std::uint8_t>(high >> (8 * i));
  }
  return block;
}

std::uint64_t low_of(const Block& block) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 8; ++i) word |= static_cast<std::uint64_t>(block[i]) << (8 * i);
  return word;
}

std::uint64_t high_of(const Block& block) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 8; ++i) word |= static_cast<std::uint64_t>(block[i + 8]) << (8 * i);
  return word;
}

std::vector<Block> sample_blocks() {
  std::vector<Block> blocks{block_of(0, 0),
                            block_of(~0ULL, ~0ULL),
                            block_of(0x8080808080808080, 0x7f7f7f7f7f7f7f7f),
                            block_of(0x7f80000180007fff, 0xfff0000000000001),
                            block_of(0x0123456789abcdef, 0xfedcba9876543210),
                            block_of(0x3f800000bf800000, 0x3ff0000000000000)};
  RandomWords random(31);
  while (blocks.size() < 12) blocks.push_back(block_of(random.next(), random.next()));
  return blocks;
}

std::string Access::column() const {
  const int width = std::max(element_bits(), 16);
  return (type[0] == 'f' ? "f" : "b") + std::to_string(width);
}

std::string Access::spelled() const {
  return prefix + (count == 1 ? "." : ".v" + std::to_string(count) + ".") + type;
}

int Access::offset() const {
  const int places = 16 / bytes();
  return (type[0] * 3 + count) % places * bytes();
}

std::string Access::name() const { return (count == 1 ? "" : "v" + std::to_string(count) + "_") + type; }

std::vector<Access> all_types(const std::string& prefix) {
  std::vector<Access> accesses;
  for (const char* type :
       {"b8", "u8", "s8", "b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64", "f32", "f64"})
    accesses.push_back({prefix, 1, type});
  for (const char* type : {"u8", "s8", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "f32", "f64"})
    accesses.push_back({prefix, 2, type});
  for (const char* type : {"u8", "s8", "u16", "b32", "u32", "s32", "f32"})
    accesses.push_back({prefix, 4, type});
  return accesses;
}

std::vector<Access> usual_types(const std::string& prefix) {
  std::vector<Access> accesses;
  for (const char* type : {"u8", "s8", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "f32", "f64"})
    accesses.push_back({prefix, 1, type});
  for (const char* type : {"u32", "f32", "u64", "f64"}) accesses.push_back({prefix, 2, type});
  for (const char* type : {"u8", "u32", "f32"}) accesses.push_back({prefix, 4, type});
  return accesses;
}

std::vector<Access> few_types(const std::string& prefix) {
  std::vector<Access> accesses;
  for (const char* type : {"u8", "u32", "b32", "u64", "b64", "f32", "f64"})
    accesses.push_back({prefix, 1, type});
  return accesses;
}

void add_base(FormWriter& form, const Place& place) {
  form.declare(".reg .b64 %base;");
  if (place.memory == "global") {
    form.scratch(16).body("mov.u64 %base, %scratch;");
  } else {
    // Even in local memory, each row uses its own block, so that local and shared memory have the same
    // layout.
    form.declare("." + place.memory + " .align 16 .b8 $_area[1024];").declare(".reg .b64 %offset;");
    form.body("mul.wide.u32 %offset, %row, 16;")
        .body("mov.u64 %base, $_area;")
        .body("add.s64 %base, %base, %offset;");
  }
  if (place.space.empty()) form.body("cvta." + place.memory + ".u64 %base, %base;");
}

}  // namespace heddle::semantics

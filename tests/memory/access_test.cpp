// Tests values of memory accesses: sign and zero extension, vectors, address windows and local memory. Also
// tests accesses that must be refused.

#include <gtest/gtest.h>

#include <cstring>

#include "memory_rig.h"

namespace heddle::test {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Space;

RigOptions quick() {
  RigOptions o;
  o.memory = R"({"type": "fixed-latency", "latency_cycles": 40})";
  return o;
}

TEST(Access, NarrowLoadsExtendToTheRegister) {
  MemoryRig rig(quick());
  auto& data = rig.image.allocate_at("data", kData, 4096);
  const std::uint64_t value = 0xfedcba98'87654381;
  for (int i = 0; i < 32; ++i) std::memcpy(&data.data[static_cast<std::size_t>(i) * 8], &value, 8);
  struct Row {
    DataType type;
    int bits;
    std::uint32_t low, high;
  };
  const Row rows[] = {
      {DataType::u8, 32, 0x81, 0},
      {DataType::s8, 32, 0xffffff81, 0},
      {DataType::b8, 32, 0x81, 0},
      {DataType::s8, 16, 0x0000ff81, 0},
      {DataType::u8, 16, 0x81, 0},
      {DataType::s8, 64, 0xffffff81, 0xffffffff},
      {DataType::u8, 64, 0x81, 0},
      {DataType::u16, 16, 0x4381, 0},
      {DataType::s16, 32, 0x4381, 0},
      {DataType::s16, 64, 0x4381, 0},
      {DataType::b16, 32, 0x4381, 0},
      {DataType::u32, 32, 0x87654381, 0},
      {DataType::s32, 64, 0x87654381, ~0u},
      {DataType::u32, 64, 0x87654381, 0},
      {DataType::b64, 64, 0x87654381, 0xfedcba98},
  };
  std::vector<const Shot*> shots;
  for (const Row& row : rows) {
    Shot& shot = rig.shoot(1, {.type = row.type, .register_bits = row.bits});
    MemoryRig::set_addresses(shot, kData, 8);
    shots.push_back(&shot);
  }
  rig.run();
  for (std::size_t r = 0; r < std::size(rows); ++r)
    for (int i = 0; i < kLanes; ++i) {
      EXPECT_EQ(shots[r]->results[0][0][i], rows[r].low) << "row " << r << " lane " << i;
      if (rows[r].bits == 64) {
        EXPECT_EQ(shots[r]->results[0][1][i], rows[r].high) << "row " << r << " lane " << i;
      }
    }
}

TEST(Access, OnlyLanesOfTheMaskAreTouched) {
  MemoryRig rig(quick());
  rig.fill_words(4096);
  Shot& load = rig.shoot(1, {}, 0, 0, 0x0000ff0f);
  Shot& store = rig.shoot(2, {.op = Opcode::st}, 0, 1, 0x80000001);
  for (int i = 0; i < kLanes; ++i) {
    const bool on = (0x0000ff0fu >> i) & 1;
    MemoryRig::set_address(load, i, on ? kData + static_cast<unsigned>(i) * 4 : 3);
    MemoryRig::set_address(store, i, i == 0 || i == 31 ? kData + 1024 + static_cast<unsigned>(i) * 4 : 1);
    MemoryRig::set_source(store, 1, i, 7);
  }
  rig.run();
  for (int i = 0; i < kLanes; ++i)
    EXPECT_EQ(load.results[0][0][i], (0x0000ff0fu >> i) & 1 ? static_cast<unsigned>(i) : kPoison);
  EXPECT_EQ(rig.word(kData + 1024), 7u);
  EXPECT_EQ(rig.word(kData + 1028), 257u);
  EXPECT_EQ(rig.word(kData + 1024 + 124), 7u);
}

TEST(Access, VectorsAndDiscardedElements) {
  MemoryRig rig(quick());
  rig.fill_words(4096);
  Shot& wide = rig.shoot(1, {.elements = 4});
  MemoryRig::set_addresses(wide, kData, 16);
  wide.item.operands.dst[1][0] = nullptr;
  Shot& store = rig.shoot(2, {.op = Opcode::st, .type = DataType::u16, .elements = 2, .register_bits = 16});
  MemoryRig::set_addresses(store, kData + 2048, 4);
  for (int i = 0; i < kLanes; ++i) {
    MemoryRig::set_source(store, 1, i, 0x1100u + static_cast<unsigned>(i));
    MemoryRig::set_source(store, 2, i, 0x2200u + static_cast<unsigned>(i));
  }
  rig.run();
  for (int i = 0; i < kLanes; ++i) {
    const auto n = static_cast<unsigned>(i);
    EXPECT_EQ(wide.results[0][0][i], 4 * n);
    EXPECT_EQ(wide.results[1][0][i], kPoison);
    EXPECT_EQ(wide.results[3][0][i], 4 * n + 3);
    EXPECT_EQ(rig.word(kData + 2048 + 4 * n), 0x22001100u + n * 0x00010001u);
  }
}

TEST(Access, LanesThatWriteOneAddressWriteInOrder) {
  MemoryRig rig(quick());
  rig.fill_words(256);
  for (const Space space : {Space::global, Space::shared}) {
    Shot& store = rig.shoot(1, {.op = Opcode::st, .space = space});
    for (int i = 0; i < kLanes; ++i) {
      MemoryRig::set_address(store, i, space == Space::global ? kData : isa::kSharedWindow);
      MemoryRig::set_source(store, 1, i, 100u + static_cast<unsigned>(i));
    }
  }
  Shot& load = rig.shoot(2, {.space = Space::shared});
  MemoryRig::set_addresses(load, isa::kSharedWindow, 0);
  rig.run();
  EXPECT_EQ(rig.word(kData), 131u);
  EXPECT_EQ(load.results[0][0][5], 131u);
}

TEST(Access, LocalMemoryIsPrivateAndCoalesces) {
  {
    RigOptions o = quick();
    o.local_bytes = 64;
    MemoryRig rig(o);
    for (int warp = 0; warp < 2; ++warp) {
      Shot& store = rig.shoot(
          1, {.op = Opcode::st, .space = Space::local, .type = DataType::u64, .register_bits = 64}, 0, warp);
      MemoryRig::set_addresses(store, isa::kLocalWindow + 16, 0);
      for (int i = 0; i < kLanes; ++i)
        MemoryRig::set_source(store, 1, i,
                              0x1'0000'0000ull * static_cast<unsigned>(warp + 1) + static_cast<unsigned>(i));
    }
    std::vector<Shot*> loads;
    for (int warp = 0; warp < 2; ++warp) {
      loads.push_back(
          &rig.shoot(100, {.space = Space::local, .type = DataType::u64, .register_bits = 64}, 0, warp));
      MemoryRig::set_addresses(*loads.back(), isa::kLocalWindow + 16, 0);
    }
    rig.run();
    for (unsigned warp = 0; warp < 2; ++warp)
      for (int i = 0; i < kLanes; ++i) {
        EXPECT_EQ(loads[warp]->results[0][0][i], static_cast<unsigned>(i));
        EXPECT_EQ(loads[warp]->results[0][1][i], warp + 1);
      }
    EXPECT_EQ(rig.count("sm0.store_segments"), 4u);
    EXPECT_EQ(rig.count("sm0.load_segments"), 4u);
  }
}

TEST(Access, LocalVectorsAndDivergentOffsets) {
  RigOptions o = quick();
  o.local_bytes = 256;
  MemoryRig rig(o);
  Shot& store = rig.shoot(1, {.op = Opcode::st, .space = Space::local, .elements = 4});
  Shot& bytes = rig.shoot(100, {.space = Space::local, .type = DataType::s8});
  Shot& vector = rig.shoot(101, {.space = Space::local, .elements = 4});
  for (int i = 0; i < kLanes; ++i) {
    const auto n = static_cast<unsigned>(i);
    MemoryRig::set_address(store, i, isa::kLocalWindow + n % 8 * 16);
    MemoryRig::set_address(vector, i, isa::kLocalWindow + n % 8 * 16);
    MemoryRig::set_address(bytes, i, isa::kLocalWindow + n % 8 * 16 + 5);
    for (unsigned e = 0; e < 4; ++e)
      MemoryRig::set_source(store, static_cast<int>(e) + 1, i, 0x8000u * e + n);
  }
  rig.run();
  for (int i = 0; i < kLanes; ++i) {
    for (unsigned e = 0; e < 4; ++e)
      EXPECT_EQ(vector.results[e][0][i], 0x8000u * e + static_cast<unsigned>(i));
    EXPECT_EQ(bytes.results[0][0][i], 0xffffff80u);
  }
  EXPECT_EQ(rig.count("sm0.store_segments"), 32u);
}

TEST(Access, GenericAddressesMayMixWindows) {
  RigOptions o = quick();
  o.local_bytes = 16;
  MemoryRig rig(o);
  rig.fill_words(4096);
  rig.image.allocate_at("table", isa::kConstWindow, 64, true).data[20] = 99;
  rig.launch.parameters.assign(32, 5);
  Shot& shared = rig.shoot(1, {.op = Opcode::st, .space = Space::shared});
  MemoryRig::set_addresses(shared, isa::kSharedWindow, 4);
  Shot& local = rig.shoot(1, {.op = Opcode::st, .space = Space::local});
  MemoryRig::set_addresses(local, isa::kLocalWindow + 4, 0);
  for (int i = 0; i < kLanes; ++i) {
    MemoryRig::set_source(shared, 1, i, 1000u + static_cast<unsigned>(i));
    MemoryRig::set_source(local, 1, i, 2000u + static_cast<unsigned>(i));
  }
  Shot& mixed = rig.shoot(200, {.space = Space::generic});
  for (int i = 0; i < kLanes; ++i) {
    const std::uint64_t from[] = {kData + 40, isa::kSharedWindow + 4 * static_cast<unsigned>(i),
                                  isa::kLocalWindow + 4, isa::kParamWindow + 8, isa::kConstWindow + 20};
    MemoryRig::set_address(mixed, i, from[i % 5]);
  }
  rig.run();
  for (int i = 0; i < kLanes; ++i) {
    const auto n = static_cast<unsigned>(i);
    const std::uint32_t expected[] = {10, 1000 + n, 2000 + n, 0x05050505, 99};
    EXPECT_EQ(mixed.results[0][0][i], expected[i % 5]) << "lane " << i;
  }
}

TEST(Access, ConstantsSerialiseByAddress) {
  RigOptions o = quick();
  o.load_store.constant.latency_cycles = 10;
  MemoryRig rig(o);
  auto& table = rig.image.allocate_at("table", isa::kConstWindow, 128, true);
  for (unsigned i = 0; i < 128; ++i) table.data[i] = static_cast<std::uint8_t>(i);
  Shot& one = rig.shoot(1, {.space = Space::constant, .type = DataType::u8});
  MemoryRig::set_addresses(one, isa::kConstWindow + 7, 0);
  Shot& all = rig.shoot(100, {.space = Space::constant, .type = DataType::u8});
  MemoryRig::set_addresses(all, isa::kConstWindow, 1);
  rig.run();
  EXPECT_EQ(one.left - one.entered, 10u);
  EXPECT_EQ(all.left - all.entered, 10u + 31);
  EXPECT_EQ(one.results[0][0][3], 7u);
  EXPECT_EQ(all.results[0][0][31], 31u);
  EXPECT_EQ(rig.count("sm0.constant_addresses"), 33u);
}

/// Executes one access by lane 5 of warp 1 in CTA 0, and returns the error of the access.
std::string error_of(const Form& form, std::uint64_t address) {
  RigOptions o = quick();
  o.local_bytes = 16;
  MemoryRig rig(o);
  rig.fill_words(4096);
  rig.image.allocate_at("table", isa::kConstWindow, 64, true);
  rig.launch.parameters.resize(16);
  Shot& shot = rig.shoot(1, form, 0, 1);
  const std::uint64_t fine = form.space == Space::shared     ? isa::kSharedWindow
                             : form.space == Space::local    ? isa::kLocalWindow
                             : form.space == Space::constant ? isa::kConstWindow
                             : form.space == Space::param    ? isa::kParamWindow
                                                             : kData;
  MemoryRig::set_addresses(shot, fine, 0);
  MemoryRig::set_address(shot, 5, address);
  try {
    rig.run();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

void expect_parts(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
}

TEST(AccessError, OutOfBounds) {
  expect_parts(error_of({}, kData + 4096), {"k.ptx:12", "\"k\"", "CTA (0,0,0)", "thread (37,0,0)",
                                            "out of bounds", "0x200001000", "\"data\""});
}
TEST(AccessError, Misaligned) {
  expect_parts(error_of({}, kData + 2), {"k.ptx:12", "thread (37,0,0)", "misaligned", "0x200000002"});
}
TEST(AccessError, MisalignedVector) { expect_parts(error_of({.elements = 4}, kData + 8), {"misaligned"}); }
TEST(AccessError, SharedBeyondTheCta) {
  expect_parts(error_of({.space = Space::shared}, isa::kSharedWindow + 1024),
               {"out of bounds", "offset 1024 of 1024 bytes of shared memory"});
}
TEST(AccessError, LocalBeyondTheDepot) {
  expect_parts(error_of({.space = Space::local}, isa::kLocalWindow + 16),
               {"offset 16 of 16 bytes of local memory"});
}
TEST(AccessError, WriteToConstant) {
  expect_parts(error_of({.op = Opcode::st, .space = Space::generic}, isa::kConstWindow),
               {"a write of constant memory"});
}
TEST(AccessError, WrongWindow) {
  expect_parts(error_of({.space = Space::global}, isa::kSharedWindow),
               {"an address of shared memory", ".global"});
}
TEST(AccessError, ParameterBeyondTheBlock) {
  expect_parts(error_of({.space = Space::param}, isa::kParamWindow + 16),
               {"of 16 bytes of parameter memory"});
}
TEST(AccessError, AtomicOnLocal) {
  expect_parts(error_of({.op = Opcode::atom, .space = Space::generic, .atomic = isa::AtomicOp::add},
                        isa::kLocalWindow),
               {"a write of local memory"});
}

TEST(Access, MemoryReportsUncheckedAccesses) {
  RigOptions o = quick();
  o.with_bounds = false;
  o.load_store.l1.enabled = false;
  MemoryRig rig(o);
  rig.fill_words(128);
  MemoryRig::set_addresses(rig.shoot(1, {}), kData + 4096, 4);
  try {
    rig.run();
    FAIL() << "no error";
  } catch (const Error& e) {
    expect_parts(e.what(), {"k.ptx:12", "TLM_ADDRESS_ERROR_RESPONSE"});
  }
}

TEST(SharedMemory, PlacesAndPoisons) {
  SharedMemory memory(1024, 4);
  memory.allocate(CtaSlot(0), 300);
  memory.allocate(CtaSlot(1), 256);
  EXPECT_TRUE(memory.can_allocate(256));
  EXPECT_FALSE(memory.can_allocate(257));
  std::uint32_t word = 0;
  std::memcpy(&word, memory.data(CtaSlot(1)), 4);
  EXPECT_EQ(word, kPoison);
  std::memset(memory.data(CtaSlot(0)), 1, 300);
  memory.free(CtaSlot(0));
  EXPECT_TRUE(memory.can_allocate(512));
  memory.allocate(CtaSlot(2), 512);
  std::memcpy(&word, memory.data(CtaSlot(2)), 4);
  EXPECT_EQ(word, kPoison);
  EXPECT_THROW(memory.allocate(CtaSlot(2), 4), InternalError);
  EXPECT_THROW(memory.allocate(CtaSlot(3), 512), Error);
}

}  // namespace
}  // namespace heddle::test

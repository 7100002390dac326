// Tests the texture unit: latency of hits and misses, quads per cycle, slow filters, values from its cache
// lines, and refused look-ups.

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "memory_rig.h"
#include "models/core/error.h"
#include "models/isa/texture.h"

namespace heddle::test::texture_unit_test {
namespace {

constexpr std::uint64_t kHandle = isa::kTextureHeaders;
constexpr int kHit = 40, kMiss = 100;

RigOptions options() {
  RigOptions o;
  o.load_store.texture.latency_cycles = kHit;
  o.memory = R"({"type": "fixed-latency", "latency_cycles": 100, "bytes_per_cycle_per_sm": 0})";
  return o;
}

// Binds a texture of 4,096 words. Each word contains its index. With the default `header`, the texture is one
// row of 4,096 integer texels. Otherwise `header` gives the size and the type of the texels.
void bind(MemoryRig& rig, isa::TextureShape shape = isa::TextureShape::d1, isa::TextureHeader header = {}) {
  rig.fill_words(16384);
  header.kind = isa::HeaderKind::texture;
  header.base = kData;
  if (header.width == 0) {
    header.width = 4096;
    header.type = isa::ChannelType::u32;
  }
  isa::complete(header, shape);
  auto& a = rig.image.allocate_at("header", kHandle, sizeof header, true);
  std::memcpy(a.data.data(), &header, sizeof header);
}

Shot& look_up(MemoryRig& rig, Cycle arrival, int first, int stride = 1, LaneMask mask = kAllLanes) {
  Shot& shot = rig.shoot(arrival, {.op = isa::Opcode::tex, .type = isa::DataType::u32}, 0, 0, mask);
  isa::Instruction& i = shot.instruction;
  i.source_type = isa::DataType::s32;
  i.texture.shape = isa::TextureShape::d1;
  i.add_src(isa::Operand::make_reg(RegId(2), 32));
  shot.item.operands.src[1][0] = &shot.values[1][0];
  for (std::size_t d = 0; d < 4; ++d) {
    i.add_dst(isa::Operand::make_reg(RegId(4), 32));
    shot.item.operands.dst[d][0] = &shot.results[d][0];
  }
  MemoryRig::set_addresses(shot, kHandle, 0);
  for (int lane = 0; lane < kLanes; ++lane)
    MemoryRig::set_source(shot, 1, lane, static_cast<std::uint32_t>(first + stride * lane));
  return shot;
}

Cycle time_of(const Shot& shot) { return shot.left - shot.entered; }

TEST(TextureUnit, MissThenMergeThenHit) {
  MemoryRig rig(options());
  bind(rig);
  Shot& miss = look_up(rig, 1, 64, 1, 0xf);
  Shot& merge = look_up(rig, 30, 64, 1, 0xf);
  Shot& hit = look_up(rig, 300, 64, 1, 0xf);
  rig.run();
  EXPECT_EQ(time_of(miss), static_cast<Cycle>(kMiss));
  EXPECT_EQ(merge.left, miss.left);
  EXPECT_EQ(time_of(hit), static_cast<Cycle>(kHit));
  for (const Shot* shot : {&miss, &merge, &hit})
    for (std::size_t lane = 0; lane < 4; ++lane) {
      EXPECT_EQ(shot->results[0][0][static_cast<int>(lane)], 64u + lane);
      EXPECT_EQ(shot->results[3][0][static_cast<int>(lane)], 0u);
    }
  EXPECT_EQ(rig.count("sm0.look_ups"), 3u);
  EXPECT_EQ(rig.count("sm0.texture_lines"), 3u);
  EXPECT_EQ(rig.count("sm0.texture_misses"), 1u);
  EXPECT_EQ(rig.count("sm0.texture_merges"), 1u);
  EXPECT_EQ(rig.count("sm0.texture_hits"), 1u);
  EXPECT_EQ(rig.count("sm0.texture_fills"), 1u);
  EXPECT_EQ(rig.count("sm0.memory_requests"), 1u);
  EXPECT_EQ(rig.count("sm0.completed"), 3u);
}

// SystemC allows no new modules after its simulation has started, so all set-ups are made first.
using Rigs = std::vector<std::unique_ptr<MemoryRig>>;
MemoryRig& made(Rigs& rigs, RigOptions o, const std::string& name) {
  o.name = name;
  rigs.push_back(std::make_unique<MemoryRig>(o));
  return *rigs.back();
}

// A warp has eight quads. At `rate` quads per cycle, the last quad begins 8/rate - 1 cycles after the first.
TEST(TextureUnit, QuadsACycleDecideTheRate) {
  const int rates[] = {1, 2, 4, 8};
  Rigs rigs;
  std::vector<std::pair<Shot*, Shot*>> shots;
  for (const int quads : rates) {
    RigOptions o = options();
    o.load_store.texture.quads_per_cycle = quads;
    MemoryRig& rig = made(rigs, o, "rate" + std::to_string(quads));
    bind(rig);
    look_up(rig, 1, 0);
    Shot& hit = look_up(rig, 300, 0);
    shots.emplace_back(&hit, &look_up(rig, 300, 0));
  }
  for (std::size_t n = 0; n < rigs.size(); ++n) {
    rigs[n]->run();
    const auto cycles = static_cast<Cycle>(8 / rates[n]);
    EXPECT_EQ(time_of(*shots[n].first), kHit + cycles - 1) << rates[n];
    EXPECT_EQ(shots[n].second->left - shots[n].first->left, cycles) << rates[n];
    EXPECT_EQ(rigs[n]->count("sm0.texture_quads"), 24u);
    EXPECT_EQ(rigs[n]->count("sm0.texture_quad_cycles"), 24u);
  }
}

// Each texel of a quad lies in a different cache line. If the unit reads four lines per cycle, it is as fast
// as for a quad in one line. If it reads one line per cycle, it takes four times as long.
TEST(TextureUnit, ScatteredQuadsTakeALineEach) {
  Rigs rigs;
  std::vector<Shot*> hits;
  for (const int lines : {4, 1}) {
    RigOptions o = options();
    o.load_store.texture.lines_per_quad_cycle = lines;
    MemoryRig& rig = made(rigs, o, "lines" + std::to_string(lines));
    bind(rig);
    look_up(rig, 1, 0, 32);
    hits.push_back(&look_up(rig, 600, 0, 32));
  }
  for (std::size_t n = 0; n < 2; ++n) {
    rigs[n]->run();
    EXPECT_EQ(rigs[n]->count("sm0.texture_lines"), 64u);
    EXPECT_EQ(rigs[n]->count("sm0.texture_quad_cycles"), n == 0 ? 16u : 64u);
    EXPECT_EQ(time_of(*hits[n]), kHit + (n == 0 ? 7u : 28u));
    EXPECT_EQ(hits[n]->results[0][0][31], 31u * 32u);
  }
}

struct FilterRow {
  isa::TextureShape shape;
  isa::ChannelOrder order;
  std::uint64_t cycles;
};

// Filtering a quad takes one cycle for texels of 4 bytes, two for 8 bytes and four for 16 bytes. Look-ups in
// three dimensions take two cycles.
TEST(TextureUnit, FiltersTakeTime) {
  const FilterRow rows[] = {{isa::TextureShape::d2, isa::ChannelOrder::r, 8},
                            {isa::TextureShape::d2, isa::ChannelOrder::rg, 16},
                            {isa::TextureShape::d2, isa::ChannelOrder::rgba, 32},
                            {isa::TextureShape::d3, isa::ChannelOrder::r, 16}};
  Rigs rigs;
  for (const FilterRow& row : rows) {
    MemoryRig& rig = made(rigs, options(), "filter" + std::to_string(rigs.size()));
    isa::TextureHeader header;
    header.width = header.height = header.depth = 4;
    header.order = row.order;
    header.filter = isa::FilterMode::linear;
    bind(rig, row.shape, header);
    Shot& shot = look_up(rig, 1, 0, 0);
    shot.instruction.texture.shape = row.shape;
    shot.instruction.source_type = isa::DataType::f32;
    for (std::size_t s = 2; s <= static_cast<std::size_t>(isa::coordinates_of(row.shape)); ++s) {
      shot.instruction.add_src(isa::Operand::make_reg(RegId(2), 32));
      shot.item.operands.src[s][0] = &shot.values[s][0];
    }
    for (int s = 1; s <= 3; ++s)
      for (int lane = 0; lane < kLanes; ++lane) MemoryRig::set_source(shot, s, lane, 0x3fa00000u);
  }
  for (std::size_t n = 0; n < rigs.size(); ++n) {
    rigs[n]->run();
    EXPECT_EQ(rigs[n]->count("sm0.texture_quad_cycles"), rows[n].cycles) << n;
  }
}

// A look-up must return what the texture cache contains. The cache is emptied when a kernel begins, but a
// store of the same kernel does not change the cache.
TEST(TextureUnit, LinesHoldTheValuesUntilAKernelBegins) {
  MemoryRig rig(options());
  bind(rig);
  look_up(rig, 1, 0);
  rig.at(1200, [&] { std::memset(rig.image.at(kData, 128, "test"), 0x11, 128); });
  Shot& stale = look_up(rig, 2400, 0);
  rig.at(3000, [&] { rig.units[0]->begin_kernel(rig.launch); });
  Shot& fresh = look_up(rig, 4200, 0);
  rig.run();
  EXPECT_EQ(stale.results[0][0][5], 5u);
  EXPECT_EQ(fresh.results[0][0][5], 0x11111111u);
}

TEST(TextureUnit, FullMissTableHoldsBack) {
  RigOptions o = options();
  o.load_store.texture.mshrs = 2;
  MemoryRig rig(o);
  bind(rig);
  // The look-up misses four cache lines, of which only two can be outstanding at a time.
  Shot& shot = look_up(rig, 1, 0, 32, 0xf);
  rig.run();
  EXPECT_GT(time_of(shot), 2u * kMiss - 10u);
  EXPECT_GT(rig.count("sm0.stall_texture_mshr"), 50u);
  for (int lane = 0; lane < 4; ++lane)
    EXPECT_EQ(shot.results[0][0][lane], static_cast<std::uint32_t>(32 * lane));
}

TEST(TextureUnit, RefusesWhatIsNoTexture) {
  Rigs rigs;
  const auto shot = [&](const char* name, std::uint32_t width) -> Shot& {
    MemoryRig& rig = made(rigs, options(), name);
    isa::TextureHeader header;
    header.width = width;
    bind(rig, isa::TextureShape::d1, header);
    return look_up(rig, 1, 5000);
  };
  MemoryRig::set_addresses(shot("handle", 4096), kData, 0);
  shot("shape", 4096).instruction.texture.shape = isa::TextureShape::d2;
  shot("beyond", 8192);
  const char* const complaints[] = {
      "is no handle of a texture", "a look-up of shape 2d in a texture of shape 1d", "a texel of 4 bytes at"};
  for (std::size_t n = 0; n < rigs.size(); ++n) {
    std::string said = "no error";
    try {
      rigs[n]->run();
    } catch (const Error& error) {
      said = error.what();
    }
    EXPECT_NE(said.find(complaints[n]), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace heddle::test::texture_unit_test

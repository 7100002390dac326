// Every form of texture look-ups, queries and surface accesses must be translated. A handle that is no
// texture must be refused.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "models/isa/texture.h"
#include "models/ptx/module.h"
#include "tests/ptx/ptx_text.h"

namespace heddle::ptx {
namespace {

using Lines = std::vector<std::string>;
using test::complaint;
using test::listing;
using test::lower;

constexpr const char* kTop =
    ".global .texref image;\n.global .samplerref near = { addr_mode_0 = wrap, filter_mode = linear };\n"
    ".visible .global .surfref canvas;\n";

TEST(Textures, EveryShapeAndTypeOfLookUp) {
  struct ShapeRow {
    const char* shape;
    const char* coordinates;
    int count;
  };
  const ShapeRow rows[] = {{"1d", "{%f5}", 1},
                           {"2d", "{%f5, %f6}", 2},
                           {"3d", "{%f5, %f6, %f7, %f7}", 3},
                           {"a1d", "{%r5, %f5}", 2},
                           {"a2d", "{%r5, %f5, %f6, %f6}", 3},
                           {"cube", "{%f5, %f6, %f7, %f7}", 3},
                           {"acube", "{%r5, %f5, %f6, %f7}", 4}};
  for (const ShapeRow& row : rows)
    for (const char* type : {"f32", "u32", "s32"})
      for (const char* handle : {"%d1", "image", "image, near", "%d1, %d2", "p"}) {
        const std::string r = std::string(type) == "f32" ? "%f" : "%r";
        const std::string text = std::string("tex.") + row.shape + ".v4." + type + ".f32 {" + r + "1, " + r +
                                 "2, " + r + "3, _}, [" + handle + ", " + row.coordinates + "];";
        const isa::Program program = lower(text, kTop);
        // The handle `p` is the value of a kernel parameter, so an instruction that loads it comes first.
        const bool loads = std::string(handle) == "p";
        const isa::Instruction& i = program.code[loads ? 1 : 0];
        ASSERT_EQ(i.op, isa::Opcode::tex) << text;
        EXPECT_EQ(isa::name_of(i.texture.shape), std::string(row.shape));
        EXPECT_EQ(i.texture.own_sampler, std::string(handle).find(',') != std::string::npos);
        EXPECT_EQ(i.num_dst, 4);
        EXPECT_EQ(i.num_src, row.count + (i.texture.own_sampler ? 2 : 1));
        EXPECT_EQ(i.unit, isa::UnitClass::ldst);
        if (loads) {
          EXPECT_EQ(program.code[0].memory.space, isa::Space::param);
        }
      }
}

TEST(Textures, LookUpsAsText) {
  EXPECT_EQ(listing("tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d1, {%r1, %r2}];"),
            (Lines{"tex.2d.v4.f32.s32 {r0, r1, r2, r3}, [rd4, {r6, r7}]"}));
  EXPECT_EQ(listing("tld4.b.2d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [%d1, {%f1, 0f3F000000}];"),
            (Lines{"tld4.b.2d.v4.u32.f32 {r0, r1, r2, r3}, [rd4, {r6, 0f3f000000}]"}));
}

// Textures of the model have one mip level, so look-ups with a level or with gradients must be translated
// like plain look-ups.
TEST(Textures, LevelsAndGradientsOfOneLevel) {
  const std::string plain = "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f5, %f6}];";
  EXPECT_EQ(listing("tex.level.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f5, %f6}], %f9;"), listing(plain));
  EXPECT_EQ(listing("tex.base.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f5, %f6}];"), listing(plain));
  EXPECT_EQ(
      listing("tex.grad.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f5, %f6}], {%f7, %f8}, {%f9, %f10};"),
      listing(plain));
}

TEST(Textures, CoordinatesMayBeVectorsAndScalars) {
  const std::string plain = "tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f5}];";
  EXPECT_EQ(listing("tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, %f5];"), listing(plain));
  EXPECT_EQ(lower(".reg .v2 .f32 %v; tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, %v];").code[0].num_src, 3);
}

TEST(Textures, ReferencesAreHeadersInConstantMemory) {
  const auto module =
      parse_module(test::kernel_text("mov.u64 %d1, image;", std::string(kTop) + ".tex .u32 old;\n"), "t.ptx");
  ASSERT_EQ(module->variables().size(), 4u);
  for (const isa::ModuleVariable& v : module->variables()) {
    EXPECT_EQ(v.space, isa::Space::constant);
    EXPECT_EQ(v.bytes, isa::kTextureHeaderBytes);
    isa::TextureHeader header;
    ASSERT_EQ(v.initial.size(), sizeof header);
    std::memcpy(&header, v.initial.data(), sizeof header);
    EXPECT_EQ(header.kind, v.name == "near" ? isa::HeaderKind::sampler : isa::HeaderKind::none);
    if (v.name != "near") continue;
    EXPECT_EQ(header.filter, isa::FilterMode::linear);
    EXPECT_EQ(header.address[0], isa::AddressMode::wrap);
  }
  const isa::Program program = lower_kernel(*module, "k");
  EXPECT_EQ(program.code[0].src[0].value, module->variables()[0].address);
}

TEST(Textures, QuestionsAreLoadsOfTheHeader) {
  for (const char* query :
       {"txq.width", "txq.height", "txq.depth", "txq.channel_data_type", "txq.channel_order",
        "txq.normalized_coords", "txq.array_size", "txq.num_mipmap_levels", "txq.num_samples",
        "txq.filter_mode", "txq.addr_mode_0", "txq.addr_mode_2", "txq.force_unnormalized_coords", "suq.width",
        "suq.height", "suq.array_size"}) {
    const isa::Program program = lower(std::string(query) + ".b32 %r1, [image];", kTop);
    EXPECT_EQ(program.code[0].op, isa::Opcode::ld) << query;
    EXPECT_EQ(program.code[0].memory.space, isa::Space::constant) << query;
  }
  EXPECT_EQ(lower("txq.height.b32 %r1, [%d1];").code[0].memory.offset,
            static_cast<std::int64_t>(offsetof(isa::TextureHeader, height)));
  EXPECT_EQ(lower("txq.level.width.b32 %r1, [%d1], %r2;").code[0].memory.offset,
            static_cast<std::int64_t>(offsetof(isa::TextureHeader, width)));
  EXPECT_EQ(lower("istypep.texref %p1, %d1;").code[1].op, isa::Opcode::setp);
}

TEST(Surfaces, EveryShapeWidthAndMode) {
  const auto last = [](const std::string& text) {
    const isa::Program program = lower(text, kTop);
    return program.code[program.code.size() - 2];
  };
  const std::pair<const char*, const char*> shapes[] = {{"1d", "{%r5}"},
                                                        {"2d", "{%r5, %r6}"},
                                                        {"3d", "{%r5, %r6, %r7, %r7}"},
                                                        {"a1d", "{%r5, %r6}"},
                                                        {"a2d", "{%r5, %r6, %r7, %r7}"}};
  const std::pair<const char*, const char*> widths[] = {
      {"b8", "%h"}, {"b16", "%h"}, {"b32", "%r"}, {"b64", "%d"}};
  for (const auto& [shape, at] : shapes)
    for (const auto& [width, reg] : widths)
      for (const char* vector : {"", ".v2", ".v4"})
        for (const char* mode : {".trap", ".clamp", ".zero"}) {
          const std::string r = reg;
          std::string data = "{" + r + "1";
          if (*vector) data += ", " + r + "2";
          if (std::string(vector) == ".v4") data += ", " + r + "3, " + r + "4";
          data += "}";
          const std::string form = std::string(".b.") + shape + vector + "." + width + mode;
          const isa::Instruction load = last("suld" + form + " " + data + ", [canvas, " + at + "];");
          const isa::Instruction store = last("sust" + form + " [%d8, " + at + "], " + data + ";");
          EXPECT_EQ(load.op, isa::Opcode::ld) << form;
          EXPECT_EQ(store.op, isa::Opcode::st) << form;
          EXPECT_EQ(load.memory.space, isa::Space::global) << form;
          EXPECT_EQ(load.memory.elements, *vector ? vector[2] - '0' : 1) << form;
          EXPECT_EQ(load.guard.present, std::string(mode) != ".clamp") << form;
        }
  for (const char* reduction :
       {"add.2d.u32", "add.2d.s64", "min.2d.s32", "max.2d.u64", "and.2d.b32", "or.2d.b32"}) {
    const bool wide = std::string(reduction).find("64") != std::string::npos;
    const isa::Instruction i =
        last(std::string("sured.b.") + reduction + ".zero [canvas, {%r1, %r2}], " + (wide ? "%d3;" : "%r3;"));
    EXPECT_EQ(i.op, isa::Opcode::red) << reduction;
  }
}

// The guard of a surface access must also guard the read of the texture header, because a thread with a false
// guard does not use its handle.
TEST(Surfaces, GuardsHoldForTheHeaderToo) {
  const isa::Program program = lower("@!%p1 suld.b.2d.b32.trap {%r1}, [%d1, {%r2, %r3}];");
  for (const isa::Instruction& i : program.code)
    if (i.op == isa::Opcode::ld || i.op == isa::Opcode::trap) {
      EXPECT_TRUE(i.guard.present) << isa::to_string(i);
    }
  EXPECT_EQ(std::count_if(program.code.begin(), program.code.end(),
                          [](const isa::Instruction& i) { return i.op == isa::Opcode::trap; }),
            1);
}

TEST(Textures, WhatIsNoTextureIsRefused) {
  const auto refused = [](const std::string& text, const char* why) {
    EXPECT_NE(complaint(text, kTop).find(why), std::string::npos) << text << "\n" << complaint(text, kTop);
  };
  const std::string d = "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, ";
  refused(d + "[nobody, {%f1, %f2}];", "undeclared name \"nobody\"");
  refused(d + "[n, {%f1, %f2}], {%r1, %r2};", "neither offsets nor depths");
  refused(d + "[%f1, %f2, {%f1, %f2}, %f3];", "too many operands in the brackets");
  refused(d + "[image, {%f1}];", "1 coordinates");
  refused(d + "[image, {%r1, %fd2}];", "register %fd2 has 64 bits");
  refused(d + "[image];", "needs coordinates");
  refused(d + "%d1;", "needs a texture or surface in brackets");
  refused("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}|%p1, [image, {%f1, %f2}];", "sparse textures");
  refused("tex.2d.v2.f16x2.f32 {%r1, %r2}, [image, {%f1, %f2}];", "unknown modifier .v2 of tex");
  refused("txq.width.b32 %r1, [image, {%r2}];", "takes no coordinates");
  refused("sust.b.2d.b32 [image, {%r1, %r2, %r3}, %r4], {%r5};", "needs coordinates");
  EXPECT_NE(complaint("txq.width.b32 %r1, [t];", ".global .texref t = { filter_mode = linear };")
                .find("initial values of a texture or surface"),
            std::string::npos);
  EXPECT_NE(complaint("txq.filter_mode.b32 %r1, [s];", ".global .samplerref s = { filter_mode = cubic };")
                .find("unknown value \"cubic\" of a sampler"),
            std::string::npos);
}

}  // namespace
}  // namespace heddle::ptx

#include "tests/fuzz/program_generator.h"

#include <fmt/format.h>

#include <algorithm>

#include "tests/fuzz/body_generator.h"

namespace heddle::fuzz {
namespace {

struct Shape {
  std::array<int, 3> grid, block;
  int ctas() const { return grid[0] * grid[1] * grid[2]; }
  int threads() const { return block[0] * block[1] * block[2]; }
};

Shape random_shape(Dice& dice) {
  Shape shape{{1, 1, 1}, {32, 1, 1}};
  switch (dice.pick(6)) {
    case 0:
      shape.block = {dice.between(1, 200), 1, 1};
      break;
    case 1:
      shape.block = {dice.between(3, 20), dice.between(1, 8), 1};
      break;
    case 2:
      shape.block = {dice.between(1, 9), dice.between(1, 5), dice.between(1, 4)};
      break;
    case 3:
      shape.block = {32 * dice.between(1, 6), 1, 1};
      break;
    default:
      shape.block = {dice.choose({32, 64, 96, 48, 33}), dice.between(1, 2), 1};
  }
  shape.grid = {dice.between(1, 3), dice.chance(30) ? 2 : 1, dice.chance(15) ? 2 : 1};
  return shape;
}

std::string table(Dice& dice, const char* space, const char* name) {
  std::string text = fmt::format("{} .align 8 .b8 {}[{}] = {{", space, name, kTableBytes);
  for (int i = 0; i < kTableBytes; ++i) text += fmt::format("{}{}", i ? ", " : "", dice.pick(256));
  return text + "};\n";
}

std::string launch_of(Dice& dice, const Shape& shape) {
  const int threads = shape.ctas() * shape.threads();
  return fmt::format(
      R"({{
  "ptx": "program.ptx",
  "buffers": {{
    "in": {{"type": "u32", "count": {}, "init": {{"kind": "uniform", "low": 0, "high": 4294967295, "seed": {}}}}},
    "out": {{"type": "u32", "count": {}, "init": {{"kind": "zeros"}}}},
    "own": {{"type": "u32", "count": {}, "init": {{"kind": "uniform", "low": 0, "high": 1000, "seed": {}}}}},
    "common": {{"type": "u32", "count": {}, "init": {{"kind": "zeros"}}}}
  }},
  "steps": [
    {{"repeat": {}, "steps": [{{"kernel": "fuzz", "grid": [{}, {}, {}], "block": [{}, {}, {}], "shared_bytes": {},
     "args": [{{"buffer": "in"}}, {{"buffer": "out"}}, {{"buffer": "own"}}, {{"buffer": "common"}}, {{"u32": {}}},
              {{"f32": {}.25}}, {{"f64": -{}.5}}, {{"bytes": "{:016x}{:016x}"}}, {{"u16": {}}}, {{"s8": -{}}}]}}]}}
  ]
}}
)",
      kInBytes / 4, dice.pick(100000), kSlots * 4 * threads, kOwnBytes / 4 * threads, dice.pick(100000),
      16 * kRegionBytes / 4, dice.chance(20) ? 2 : 1, shape.grid[0], shape.grid[1], shape.grid[2],
      shape.block[0], shape.block[1], shape.block[2], 16 * shape.threads(), dice.pick(1000), dice.pick(100),
      dice.pick(100), dice.next(), dice.next(), dice.pick(65536), dice.pick(128));
}

const char* const kHead = ".version 8.0\n.target sm_80\n.address_size ~64\n";

// Texture references to the words of the buffer `in`. Together they have every kind of filter and address
// mode.
const char* const kReferences =
    ".global .texref line;\n.global .texref plane;\n.global .texref volume;\n.global .texref layers;\n";
std::string textures_of(Dice& dice) {
  const auto address = [&] { return dice.choose({"wrap", "mirror", "clamp", "border"}); };
  return fmt::format(
      R"(  "textures": {{
    "line": {{"buffer": "in", "shape": "1d", "extents": [1024], "texel": "{}", "address": "{}"}},
    "plane": {{"buffer": "in", "shape": "2d", "extents": [32, 32], "texel": "u8x4", "read": "normalized", "filter": "linear",
               "coordinates": "{}", "address": ["{}", "{}"], "border": [0.25, 1, -1, 3]}},
    "volume": {{"buffer": "in", "shape": "3d", "extents": [8, 8, 16], "texel": "f16x2", "filter": "{}",
                "coordinates": "normalized", "address": ["{}", "{}", "{}"]}},
    "layers": {{"buffer": "in", "shape": "a2d", "extents": [16, 16], "layers": 4, "texel": "s16x2", "address": "{}"}}
  }},
  "symbols": {{"line": {{"texture": "line"}}, "plane": {{"texture": "plane"}}, "volume": {{"texture": "volume"}}, "layers": {{"texture": "layers"}}}},
)",
      dice.choose({"u32", "f32"}), address(), dice.choose({"texels", "normalized"}), address(), address(),
      dice.choose({"linear", "point"}), address(), address(), address(), address());
}

const char* const kFunctionHead =
    ".func (.param .b32 r) {}(.param .b32 a, .param .b64 b, .param .align 8 .b8 s[16])\n{{\n{}";

const char* const kKernelHead =
    ".visible .entry fuzz(.param .u~64 p_in, .param .u~64 p_out, .param .u~64 p_own, .param .u~64 p_common, "
    ".param .u32 p_n,\n"
    ".param .f32 p_x, .param .f64 p_y, .param .align 8 .b8 p_s[16], .param .u16 p_k, .param .s8 p_b)\n{\n";

void append(RandomProgram& program, const std::string& text) {
  program.ptx += text;
  const auto lines = std::count(text.begin(), text.end(), '\n');
  program.lines.insert(program.lines.end(), static_cast<std::size_t>(lines), LineNote{});
}

void append_body(RandomProgram& program, const BodyGenerator& body) {
  program.ptx += body.text();
  program.lines.insert(program.lines.end(), body.notes().begin(), body.notes().end());
  append(program, "}\n");
}

}  // namespace

RandomProgram random_program(std::uint64_t seed) {
  Dice dice(seed);
  const Shape shape = random_shape(dice);
  RandomProgram program;
  program.lines.resize(1);
  // The width of addresses has its own sequence of random numbers, so that the width does not change the rest
  // of the program.
  const int bits = Dice(seed + 0x3232'3232).chance(35) ? 32 : 64;
  append(program, with_pointers_of(bits, kHead));
  append(program, table(dice, ".const", "const_table"));
  append(program, table(dice, ".visible .global", "global_table"));
  append(program, kReferences);

  BodyGenerator::Setting setting;
  setting.kernel = false;
  setting.address_bits = bits;
  setting.budget = 40;
  const int functions = dice.chance(45) ? dice.between(1, 3) : 0;
  for (int f = 0; f < functions; ++f) {
    const std::string name = fmt::format("f{}", f);
    setting.own_name = name;
    setting.call_seed = 4 * seed + static_cast<std::uint64_t>(f);
    BodyGenerator body(dice, setting);
    body.write_function();
    append(program, fmt::format(fmt::runtime(kFunctionHead), name, body.declarations()));
    append_body(program, body);
    setting.functions.push_back({name});
  }

  setting.kernel = true;
  setting.call_seed = 4 * seed + 3;
  setting.threads_per_cta = shape.threads();
  setting.threads = shape.ctas() * shape.threads();
  setting.dynamic_shared = dice.chance(40);
  setting.budget = dice.choose({150, 250, 400});
  if (setting.dynamic_shared) append(program, ".extern .shared .align 16 .b8 exchanged[];\n");
  BodyGenerator body(dice, setting);
  body.write_kernel();
  append(program, with_pointers_of(bits, kKernelHead) + body.declarations());
  append_body(program, body);
  program.launch_json = launch_of(dice, shape);
  program.launch_json.insert(program.launch_json.find("  \"steps\""),
                             textures_of(dice) + "  \"stack_bytes\": 32768,\n");
  return program;
}

}  // namespace heddle::fuzz

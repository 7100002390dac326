#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "groups.h"
#include "table_writer.h"
#include "words.h"

// Writes table entries for look-ups in textures and accesses to surfaces (CUDA C++ Programming Guide,
// "Texture Fetching"; PTX ISA 9.0, 9.7.10 and 9.7.11). A texture has texels in global memory and a header of
// 16 words in constant memory. The header's address is the handle. Texels and weights are chosen so that sums
// of their products are exact in double precision.

namespace heddle::semantics {

namespace {

enum Mode : std::uint32_t { kWrap, kMirror, kEdge = 3, kBorder };
enum Kind : std::uint32_t { kTexture = 0x7e870001, kSurface = 0x7e870003 };
enum Type : std::uint32_t { kUnorm8 = 0x10d2, kS16 = 0x10d8, kU8 = 0x10da, kU32 = 0x10dc, kF32 = 0x10de };
enum Shape : std::uint32_t { kNoShape, k1d, k2d, k3d, kA1d, kA2d, kCube, kACube };

std::uint64_t bits_of(double value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); }
double value_of(std::uint64_t bits) {
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

struct Image {
  Shape shape = k2d;
  Type type = kF32;
  int channels = 4;
  int width = 8, height = 1, depth = 1, layers = 1;
  bool normalized = false, linear = false;
  std::array<Mode, 3> modes = {kEdge, kEdge, kEdge};
  Kind kind = kTexture;

  int faces() const { return shape == kCube || shape == kACube ? 6 : 1; }
  int slices() const { return shape == k3d ? depth : layers * faces(); }
  int channel_bytes() const { return type == kF32 || type == kU32 ? 4 : type == kS16 ? 2 : 1; }
  int texel_bytes() const { return channels * channel_bytes(); }

  std::uint32_t stored(int x, int y, int slice, int c) const {
    const int mixed = 7 * x + 29 * y + 101 * slice + 13 * c + 3;
    if (type == kF32) return static_cast<std::uint32_t>(bits_of((mixed % 64) / 8.0 - 4));
    return static_cast<std::uint32_t>(mixed * 0x9e3779b1u) >> (32 - 8 * channel_bytes());
  }
  std::uint64_t component(int x, int y, int slice, int c) const {
    if (x < 0 || y < 0 || slice < 0) return c == 3 ? bits_of(1.5) : bits_of(c - 0.5);
    if (c >= channels) return 0;
    const std::uint32_t word = stored(x, y, slice, c);
    if (type == kUnorm8) return bits_of(word / 255.0);
    return type == kS16 ? truncate(static_cast<std::uint64_t>(sign_extend(word, 16)), 32) : word;
  }

  std::vector<std::string> module_lines() const {
    std::string texels = ".global .align 16 .b8 $_texels[" +
                         std::to_string(width * height * slices() * texel_bytes()) + "] = {";
    for (int s = 0; s < slices(); ++s)
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
          for (int c = 0; c < channels; ++c)
            for (int b = 0; b < channel_bytes(); ++b)
              texels +=
                  (texels.back() == '{' ? "" : ",") + std::to_string(stored(x, y, s, c) >> (8 * b) & 255u);
    const auto pair = [](std::uint64_t low, std::uint64_t high) {
      char text[24];
      std::snprintf(text, sizeof text, ", 0x%llx", static_cast<unsigned long long>(low | high << 32));
      return std::string(text);
    };
    const auto number = [](int value) { return static_cast<std::uint64_t>(value); };
    const std::uint64_t order = channels == 1 ? 0x10b0 : channels == 2 ? 0x10b2 : 0x10b5;
    std::string head = ".const .align 128 .u64 $_head[16] = {$_texels";
    head += pair(number(width * texel_bytes()), number(width * texel_bytes()));
    head += pair(number(height), number(height)) + pair(number(slices()), number(width));
    head += pair(number(depth), number(layers)) + pair(type, order) + pair(normalized, linear);
    head += pair(modes[0], modes[1]) + pair(modes[2], kind);
    head += pair(bits_of(-0.5), bits_of(0.5)) + pair(bits_of(1.5), bits_of(1.5));
    head += pair(number(texel_bytes()), 0) + pair(1, 1) + pair(shape, 0) + pair(0, 0) + pair(0, 0);
    return {texels + "};", head + "};"};
  }
};

int addressed(int i, int n, Mode mode) {
  if (i >= 0 && i < n) return i;
  if (mode == kBorder) return -1;
  if (mode == kEdge) return i < 0 ? 0 : n - 1;
  const int period = mode == kWrap ? n : 2 * n;
  const int at = ((i % period) + period) % period;
  return mode == kMirror && at >= n ? period - 1 - at : at;
}

/// The two texels between which a filter interpolates along one axis, and the weight of the second texel in
/// units of 1/256.
struct Axis {
  int first = 0, second = 0;
  int part = 0;
};
Axis axis_at(const Image& image, double coordinate, int n, int number, bool texels) {
  Mode mode = image.faces() > 1 ? kEdge : image.modes[static_cast<std::size_t>(number)];
  const bool normalized = image.faces() > 1 || (image.normalized && !texels);
  if (!normalized && (mode == kWrap || mode == kMirror)) mode = kEdge;
  if (texels) mode = kBorder;
  // only 21 bits of a normalised coordinate are used, except on the faces of a cube
  const bool of_face = image.faces() > 1;
  const double scaled = of_face ? coordinate : std::floor(coordinate * 2097152) / 2097152;
  const double at = normalized ? scaled * n : coordinate;
  if (texels || !image.linear) {
    const int i = addressed(static_cast<int>(std::floor(at)), n, mode);
    return {i, i, 0};
  }
  // Round the position before the two texels are chosen. If the address mode maps both to the same texel, use
  // this texel alone.
  const double whole = std::floor((at - 0.5) * 256 + 0.5);
  const int below = static_cast<int>(std::floor(whole / 256));
  const Axis axis{addressed(below, n, mode), addressed(below + 1, n, mode),
                  static_cast<int>(whole) - 256 * below};
  return axis.first == axis.second ? Axis{axis.first, axis.first, 0} : axis;
}

/// Returns the filter weight of one of eight texels, as an H200 computes it. The weight along z has eight
/// bits. The product of the weights along z and x is rounded to eight bits. The product of this result and
/// the weight along y is also rounded to eight bits.
int weight_of(const Axis& x, const Axis& y, const Axis& z, int corner) {
  const bool right = (corner & 1) != 0;
  const int slice = (corner & 4) != 0 ? z.part : 256 - z.part;
  const int of_right = (slice * x.part + 128) >> 8;
  const int column = right ? of_right : slice - of_right;
  const int second = (column * y.part + (right ? 128 : 127)) >> 8;
  return (corner & 2) != 0 ? second : column - second;
}

std::vector<Expected> look_up(const Image& image, const std::vector<double>& at, int slice, bool texels) {
  const Axis x = axis_at(image, at[0], image.width, 0, texels);
  const Axis y = at.size() > 1 ? axis_at(image, at[1], image.height, 1, texels) : Axis{};
  const Axis z = at.size() > 2 ? axis_at(image, at[2], image.depth, 2, texels) : Axis{slice, slice, 0};
  std::vector<Expected> result;
  for (int c = 0; c < 4; ++c) {
    if (x.part == 0 && y.part == 0 && z.part == 0) {
      result.emplace_back(image.component(x.first, y.first, z.first, c));
      continue;
    }
    // Texels of 8-bit components are filtered as 16-bit numbers.
    const bool bytes = image.type == kUnorm8;
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
      const int i = (corner & 1) != 0 ? x.second : x.first, j = (corner & 2) != 0 ? y.second : y.first,
                k = (corner & 4) != 0 ? z.second : z.first;
      const int weight = weight_of(x, y, z, corner);
      if (weight == 0) continue;
      const double value = value_of(image.component(i, j, k, c));
      sum += weight * (bytes ? std::round(value * 65535 * 65536) / 65536 : value);
    }
    result.emplace_back(bits_of(bytes ? std::floor(sum / 256 + 0.5) / 65535 : sum / 256));
  }
  return result;
}

FormWriter look_up_form(const std::string& name, const Image& image, const std::string& instruction,
                        const std::vector<std::string>& coordinates, const std::string& type,
                        const std::string& behind = {}) {
  FormWriter form("texture/" + name);
  form.covers(instruction);
  for (const std::string& line : image.module_lines()) form.module(line);
  std::string list;
  for (const std::string& c : coordinates) {
    form.in(c, c == "l" ? "b32" : type);
    list += (list.empty() ? "%" : ", %") + c;
  }
  // PTX requires four coordinates for a cube; the fourth is ignored
  if (image.shape == kCube) list += ", %z";
  if (image.shape == kACube) list = "%l, %x, %y, %z";
  if (image.shape == kA2d) list += ", %" + coordinates.back();
  if (image.shape == k3d) list += ", %z";
  for (const char* out : {"r", "g", "b", "a"}) form.out(out, "b32");
  form.declare(".reg .b64 %h;");
  form.body("mov.u64 %h, $_head;");
  form.body(instruction + " {%r, %g, %b, %a}, [%h, {" + list + "}]" + behind + ";");
  return form;
}

/// Returns a random coordinate, a multiple of 1/512 of a texel. It may lie up to n texels outside of the n
/// texels of the axis.
double random_place(RandomWords& random, int n, bool normalized) {
  const double texels = static_cast<double>(random.below(512u * static_cast<std::uint64_t>(3 * n))) / 512 - n;
  return normalized ? texels / n : texels;
}

constexpr int kRows = 32;

void add_floats(TableWriter& table, const std::string& name, const Image& image,
                const std::string& instruction, const std::vector<std::string>& coordinates,
                const std::string& behind = {}) {
  FormWriter form = look_up_form(name, image, instruction, coordinates, "f32", behind);
  RandomWords random(17 + name.size());
  for (int n = 0; n < kRows; ++n) {
    Words row;
    std::vector<double> at;
    int layer = 0;
    for (const std::string& c : coordinates) {
      if (c == "l") {
        row.push_back(random.below(static_cast<std::uint64_t>(image.layers) + 2));
        layer = static_cast<int>(
            std::min<std::uint64_t>(row.back(), static_cast<std::uint64_t>(image.layers) - 1));
        continue;
      }
      const int size = c == "x" ? image.width : c == "y" ? image.height : image.depth;
      row.push_back(bits_of(random_place(random, size, image.normalized)));
      at.push_back(value_of(row.back()));
    }
    form.row(row, look_up(image, at, layer, false));
  }
  table.add(form);
}

void add_texels(TableWriter& table, const std::string& name, const Image& image,
                const std::string& instruction, const std::vector<std::string>& coordinates) {
  FormWriter form = look_up_form(name, image, instruction, coordinates, "b32");
  RandomWords random(41 + name.size());
  for (int n = 0; n < kRows; ++n) {
    Words row;
    std::vector<double> at;
    int layer = 0;
    for (const std::string& c : coordinates) {
      const int size = c == "l"   ? image.layers
                       : c == "x" ? image.width
                       : c == "y" ? image.height
                                  : image.depth;
      const int place =
          static_cast<int>(random.below(static_cast<std::uint64_t>(size) + 6)) - (c == "l" ? 0 : 3);
      row.push_back(truncate(static_cast<std::uint64_t>(std::int64_t{place}), 32));
      if (c == "l")
        layer = std::min(place, image.layers - 1);
      else
        at.push_back(place);
    }
    form.row(row, look_up(image, at, layer, true));
  }
  table.add(form);
}

/// Adds an entry for look-ups in cubes. The axis with the direction's largest magnitude selects the face, by
/// the table in the programming guide.
void add_cube(TableWriter& table, Shape shape, const std::string& instruction) {
  const bool layered = shape == kACube;
  Image image{.shape = shape, .channels = 2, .width = 4, .height = 4, .layers = layered ? 3 : 1};
  const std::vector<std::string> coordinates =
      layered ? std::vector<std::string>{"l", "x", "y", "z"} : std::vector<std::string>{"x", "y", "z"};
  FormWriter form =
      look_up_form(layered ? "cubes-in-layers" : "cube", image, instruction, coordinates, "f32");
  RandomWords random(5);
  for (int n = 0; n < 2 * kRows; ++n) {
    const double largest = 1 << random.below(3);
    std::array<double, 3> v{};
    for (double& part : v) part = largest * (static_cast<double>(random.below(61)) - 30) / 32;
    const std::size_t axis = random.below(3);
    v[axis] = random.below(2) ? largest : -largest;
    const auto [x, y, z] = v;
    const std::array<std::pair<double, double>, 6> sides = {std::pair{-z, -y}, {z, -y}, {x, z},
                                                            {x, -z},           {x, -y}, {-x, -y}};
    const int face = 2 * static_cast<int>(axis) + (v[axis] < 0 ? 1 : 0);
    const auto [s, t] = sides[static_cast<std::size_t>(face)];
    Words row;
    int layer = 0;
    if (layered) {
      row.push_back(random.below(4));
      layer = static_cast<int>(std::min<std::uint64_t>(row.back(), 2));
    }
    for (const double part : v) row.push_back(bits_of(part));
    form.row(row, look_up(image, {(s / largest + 1) / 2, (t / largest + 1) / 2}, 6 * layer + face, false));
  }
  table.add(form);
}

void add_gather(TableWriter& table) {
  const Image image{
      .width = 6, .height = 5, .normalized = true, .linear = true, .modes = {kWrap, kMirror, kEdge}};
  for (int c = 0; c < 4; ++c) {
    const std::string instruction = std::string("tld4.") + "rgba"[c] + ".2d.v4.f32.f32";
    FormWriter form = look_up_form(
        std::string("gather-") + "rgba" [c], image, instruction, { "x", "y" }, "f32");
    RandomWords random(static_cast<std::uint64_t>(c) + 91);
    for (int n = 0; n < kRows; ++n) {
      const Words row = {bits_of(random_place(random, 6, true)), bits_of(random_place(random, 5, true))};
      const Axis x = axis_at(image, value_of(row[0]), 6, 0, false),
                 y = axis_at(image, value_of(row[1]), 5, 1, false);
      form.row(row, {image.component(x.first, y.second, 0, c), image.component(x.second, y.second, 0, c),
                     image.component(x.second, y.first, 0, c), image.component(x.first, y.first, 0, c)});
    }
    table.add(form);
  }
}

void add_queries(TableWriter& table) {
  for (int n = 0; n < 12; ++n) {
    const Image image{.shape = k3d, .type = kUnorm8, .width = 3 + n, .height = 2 + n % 5, .depth = 1 + n % 4};
    FormWriter form("texture/queries-" + std::to_string(n));
    for (const char* what : {"width", "height", "depth", "channel_data_type", "channel_order"})
      form.covers(std::string("txq.") + what + ".b32");
    for (const std::string& line : image.module_lines()) form.module(line);
    for (const char* out : {"w", "v", "d", "t", "o"}) form.out(out, "b32");
    form.in("x", "b32").declare(".reg .b64 %h;").body("mov.u64 %h, $_head;");
    form.body("txq.width.b32 %w, [%h]; txq.height.b32 %v, [%h]; txq.depth.b32 %d, [%h];");
    form.body("txq.channel_data_type.b32 %t, [%h]; txq.channel_order.b32 %o, [%h];");
    const auto number = [](int value) { return static_cast<std::uint64_t>(value); };
    form.row({0}, {number(image.width), number(image.height), number(image.depth), std::uint64_t{kUnorm8},
                   std::uint64_t{0x10b5}});
    table.add(form);
  }
}

/// Adds entries for reads of a surface. Coordinates outside of it return the nearest texel inside (.clamp) or
/// zero (.zero). The coordinate x counts bytes.
void add_surface_reads(TableWriter& table) {
  const Image image{.shape = k2d, .type = kU32, .channels = 1, .width = 8, .height = 4, .kind = kSurface};
  for (const bool zero : {false, true}) {
    const std::string instruction = std::string("suld.b.2d.b32.") + (zero ? "zero" : "clamp");
    FormWriter form(std::string("surface/read-") + (zero ? "zero" : "clamp"));
    form.covers(instruction).in("x", "b32").in("y", "b32").out("d", "b32");
    for (const std::string& line : image.module_lines()) form.module(line);
    form.declare(".reg .b64 %h;").body("mov.u64 %h, $_head;").body(instruction + " {%d}, [%h, {%x, %y}];");
    RandomWords random(zero ? 7 : 8);
    for (int n = 0; n < kRows; ++n) {
      const int x = static_cast<int>(random.below(14)) - 3, y = static_cast<int>(random.below(8)) - 2;
      const bool inside = x >= 0 && x < 8 && y >= 0 && y < 4;
      const int i = std::min(std::max(x, 0), 7), j = std::min(std::max(y, 0), 3);
      form.row({truncate(static_cast<std::uint64_t>(std::int64_t{4 * x}), 32),
                truncate(static_cast<std::uint64_t>(std::int64_t{y}), 32)},
               {zero && !inside ? 0 : image.component(i, j, 0, 0)});
    }
    table.add(form);
  }
}

/// Adds entries for writes to a surface. Each row writes its own texel, or a texel outside of the surface,
/// which changes nothing.
void add_surface_writes(TableWriter& table) {
  const Image image{.shape = k1d, .type = kU32, .channels = 1, .width = 24, .kind = kSurface};
  for (const std::string instruction :
       {"sust.b.1d.b32.zero", "sured.b.add.1d.u32.zero", "sured.b.min.1d.s32.zero"}) {
    FormWriter form("surface/" + instruction.substr(0, instruction.find(".1d")));
    form.covers(instruction).in("x", "b32").in("v", "b32").out("d", "b32");
    for (const std::string& line : image.module_lines()) form.module(line);
    form.declare(".reg .b64 %h;").body("mov.u64 %h, $_head;");
    const bool store = instruction.starts_with("sust");
    form.body(instruction + " [%h, {%x}], " + (store ? "{%v};" : "%v;"));
    form.body("suld.b.1d.b32.zero {%d}, [%h, {%x}];");
    RandomWords random(instruction.size());
    for (int n = -4; n < 28; ++n) {
      const std::uint64_t value = truncate(random.next(), 32);
      std::uint64_t after = 0;
      if (n >= 0 && n < image.width) {
        const std::uint64_t before = image.component(n, 0, 0, 0);
        after = store ? value
                : instruction.find("add") != std::string::npos
                    ? truncate(before + value, 32)
                    : (sign_extend(before, 32) < sign_extend(value, 32) ? before : value);
      }
      form.row({truncate(static_cast<std::uint64_t>(std::int64_t{4 * n}), 32), value}, {after});
    }
    table.add(form);
  }
}

}  // namespace

void write_textures(const std::string& folder) {
  TableWriter table(folder, "textures", "Look-ups in textures, accesses to surfaces");
  add_texels(table, "texels-of-a-row", {.shape = k1d}, "tex.1d.v4.f32.s32", {"x"});
  add_texels(table, "whole-numbers-in-layers", {.shape = kA1d, .type = kS16, .channels = 2, .layers = 3},
             "tex.a1d.v4.s32.s32", {"l", "x"});
  add_floats(table, "row", {.shape = k1d, .linear = true, .modes = {kBorder, kEdge, kEdge}},
             "tex.1d.v4.f32.f32", {"x"});
  const Image plane{.type = kUnorm8,
                    .width = 8,
                    .height = 5,
                    .normalized = true,
                    .linear = true,
                    .modes = {kWrap, kMirror, kEdge}};
  add_floats(table, "plane", plane, "tex.2d.v4.f32.f32", {"x", "y"});
  add_floats(table, "plane-by-level", plane, "tex.level.2d.v4.f32.f32", {"x", "y"}, ", 0f00000000");
  add_floats(table, "plane-by-gradients", plane, "tex.grad.2d.v4.f32.f32", {"x", "y"},
             ", {0f00000000, 0f00000000}, {0f00000000, 0f00000000}");
  add_floats(table, "nearest",
             {.type = kU8, .width = 4, .height = 3, .normalized = true, .modes = {kMirror, kWrap, kEdge}},
             "tex.2d.v4.u32.f32", {"x", "y"});
  add_floats(table, "layers", {.shape = kA2d, .width = 4, .height = 4, .layers = 3, .linear = true},
             "tex.a2d.v4.f32.f32", {"l", "x", "y"});
  add_floats(table, "volume",
             {.shape = k3d,
              .channels = 1,
              .width = 4,
              .height = 3,
              .depth = 5,
              .normalized = true,
              .linear = true,
              .modes = {kEdge, kWrap, kBorder}},
             "tex.3d.v4.f32.f32", {"x", "y", "z"});
  add_cube(table, kCube, "tex.cube.v4.f32.f32");
  add_cube(table, kACube, "tex.acube.v4.f32.f32");
  add_gather(table);
  add_queries(table);
  add_surface_reads(table);
  add_surface_writes(table);
}

}  // namespace heddle::semantics

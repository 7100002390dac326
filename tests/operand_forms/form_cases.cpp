#include "tests/operand_forms/form_cases.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

namespace heddle::operand_forms {
namespace {

struct Type {
  const char* name;
  int bits;
  bool is_signed;
};
constexpr std::array<Type, 14> kData = {{{"b8", 8, false},
                                         {"b16", 16, false},
                                         {"b32", 32, false},
                                         {"b64", 64, false},
                                         {"u8", 8, false},
                                         {"u16", 16, false},
                                         {"u32", 32, false},
                                         {"u64", 64, false},
                                         {"s8", 8, true},
                                         {"s16", 16, true},
                                         {"s32", 32, true},
                                         {"s64", 64, true},
                                         {"f32", 32, false},
                                         {"f64", 64, false}}};
constexpr std::array<int, 3> kWidths = {16, 32, 64};

enum class Notation { scalar, list_of_one, list, vector_register };

constexpr std::uint64_t kPattern[] = {0x8182838485868788, 0x0102030405060708, 0xf1e2d3c4b5a69788,
                                      0x7f6e5d4c3b2a1908};

std::uint64_t low(std::uint64_t value, int bits) {
  return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}
std::uint64_t extend(std::uint64_t value, int from, int to, bool is_signed) {
  std::uint64_t v = low(value, from);
  if (is_signed && from < 64 && ((v >> (from - 1)) & 1)) v |= ~std::uint64_t{0} << from;
  return low(v, to);
}
std::string number(std::uint64_t value) { return std::to_string(value); }

std::string kernel(const std::string& body, const std::string& top = {}) {
  return ".version 8.8\n.target sm_75\n.address_size 64\n" + top +
         "\n.visible .entry k(.param .u64 out, .param .align 16 .b8 data[32])\n{\n  .reg .b64 %o;\n"
         "  ld.param.u64 %o, [out];\n" +
         body + "  ret;\n}\n";
}

std::string keep(const std::string& reg, int width, std::size_t slot) {
  std::string text = "  { .reg .b64 %w; ";
  text += width == 64 ? "mov.b64 %w, " + reg : "cvt.u64.u" + std::to_string(width) + " %w, " + reg;
  return text + "; st.global.u64 [%o+" + std::to_string(8 * slot) + "], %w; }\n";
}

struct Registers {
  Registers(const std::string& prefix, int width, std::size_t count, Notation notation) {
    const std::string bits = " .b" + std::to_string(width);
    if (notation == Notation::vector_register) {
      declaration = "  .reg .v" + std::to_string(count) + bits + " %" + prefix + ";\n";
      for (std::size_t e = 0; e < count; ++e) each.push_back("%" + prefix + "." + "xyzw"[e]);
      operand = "%" + prefix;
      return;
    }
    declaration = "  .reg" + bits + " %" + prefix + "<" + std::to_string(count) + ">;\n";
    for (std::size_t e = 0; e < count; ++e) {
      each.push_back("%" + prefix + std::to_string(e));
      operand += (e ? ", " : "") + each.back();
    }
    if (notation != Notation::scalar) operand = "{ " + operand + " }";
  }
  std::string declaration, operand;
  std::vector<std::string> each;
};

std::string set(const Registers& registers, int width) {
  std::string text;
  for (std::size_t e = 0; e < registers.each.size(); ++e)
    text += "  mov.b" + std::to_string(width) + " " + registers.each[e] + ", " +
            number(low(kPattern[e], width)) + ";\n";
  return text;
}

struct Shape {
  std::size_t count;
  Notation notation;
  const char* suffix;
  const char* name;
};
constexpr std::array<Shape, 6> kShapes = {{{1, Notation::scalar, "", "a register"},
                                           {1, Notation::list_of_one, "", "a list of one"},
                                           {2, Notation::list, ".v2", "a list of 2"},
                                           {2, Notation::vector_register, ".v2", "a vector register of 2"},
                                           {4, Notation::list, ".v4", "a list of 4"},
                                           {4, Notation::vector_register, ".v4", "a vector register of 4"}}};

struct Place {
  const char* space;
  const char* modifier;
  const char* cache;
  const char* declaration;
  const char* address;
  /// true: the kernel writes the memory before it reads it; false: the memory contains data_bytes() from the
  /// beginning
  bool is_written;
};
constexpr std::array<Place, 12> kPlaces = {
    {{".global", "", "", "", "[%o+256]", true},
     {".global", ".volatile", "", "", "[%o+256]", true},
     {".global", "", ".cg", "", "[%o+256]", true},
     {"", "", "", "", "[%o+256]", true},
     {".shared", "", "", "  .shared .align 16 .b8 sh[64];\n", "[sh+16]", true},
     {".shared::cta", "", "", "  .shared .align 16 .b8 sh[64];\n", "[sh+16]", true},
     {".shared", ".volatile", "", "  .shared .align 16 .b8 sh[64];\n", "[sh+16]", true},
     {".local", "", "", "  .local .align 16 .b8 lo[64];\n", "[lo+16]", true},
     {".param", "", "", "", "[data]", false},
     {".param::entry", "", "", "", "[data]", false},
     {".const", "", "", "", "[constant]", false},
     {".global", ".relaxed.gpu", "", "", "[%o+256]", true}}};

std::string constant_text() {
  std::string text = ".const .align 16 .b8 constant[32] = {";
  const std::vector<std::uint8_t> bytes = data_bytes();
  for (std::size_t i = 0; i < bytes.size(); ++i) text += (i ? ", " : "") + std::to_string(bytes[i]);
  return text + "};";
}

void add_memory_case(std::vector<FormCase>& cases, const Place& place, const Type& type, int width,
                     const Shape& shape) {
  const int widest = shape.notation == Notation::vector_register ? width : type.bits;
  if (shape.count * static_cast<std::size_t>(widest) > 128) return;
  const std::string suffix =
      std::string(place.modifier) + place.space + place.cache + shape.suffix + "." + type.name;
  FormCase one;
  one.name = "ld" + suffix + " into " + shape.name + ", " + std::to_string(width) + " bits each";
  const Registers from("a", width, shape.count, shape.notation), to("b", width, shape.count, shape.notation);
  std::string body = place.declaration + from.declaration + to.declaration;
  const std::string store_suffix = std::string(place.modifier) + place.space + (place.cache[0] ? ".wb" : "") +
                                   shape.suffix + "." + type.name;
  if (place.is_written)
    body += set(from, width) + "  st" + store_suffix + " " + place.address + ", " + from.operand + ";\n";
  body += "  ld" + suffix + " " + to.operand + ", " + place.address + ";\n";
  for (std::size_t e = 0; e < shape.count; ++e) {
    body += keep(to.each[e], width, e);
    std::uint64_t stored = kPattern[e];
    if (!place.is_written) {
      stored = 0;
      const std::vector<std::uint8_t> bytes = data_bytes();
      const std::size_t size = static_cast<std::size_t>(type.bits) / 8;
      for (std::size_t b = 0; b < size; ++b) stored |= std::uint64_t{bytes[e * size + b]} << (8 * b);
    }
    one.expected.push_back(extend(stored, type.bits, width, type.is_signed));
  }
  one.ptx = kernel(body, place.space == std::string(".const") ? constant_text() : std::string{});
  cases.push_back(std::move(one));
}

FormCase vector_move(const Type& type, std::size_t count, Notation from_notation, Notation to_notation,
                     bool is_swap) {
  const Registers from("a", type.bits, count, from_notation), to("b", type.bits, count, to_notation);
  const std::string mov = "  mov.v" + std::to_string(count) + "." + type.name + " ";
  FormCase one;
  one.name = "mov.v" + std::to_string(count) + "." + type.name + " " + from.operand + " to " + to.operand +
             (is_swap ? ", and reversed in place" : "");
  std::string body = from.declaration + to.declaration + set(from, type.bits) + mov + to.operand + ", " +
                     from.operand + ";\n";
  if (is_swap) {
    std::string reversed;
    for (std::size_t e = count; e-- > 0;) reversed += (reversed.empty() ? "{" : ", ") + to.each[e];
    body += mov + to.operand + ", " + reversed + "};\n";
  }
  for (std::size_t e = 0; e < count; ++e) {
    body += keep(to.each[e], type.bits, e);
    one.expected.push_back(low(kPattern[is_swap ? count - 1 - e : e], type.bits));
  }
  one.ptx = kernel(body);
  return one;
}

FormCase pack_and_unpack(int bits, std::size_t count, Notation notation) {
  const int part = bits / static_cast<int>(count);
  const Registers parts("a", part, count, notation), again("b", part, count, notation);
  const std::string mov = "  mov.b" + std::to_string(bits) + " ";
  FormCase one;
  one.name = "mov.b" + std::to_string(bits) + " of " + std::to_string(count) + " parts, " + parts.operand;
  std::string body = parts.declaration + again.declaration + "  .reg .b" + std::to_string(bits) +
                     " %whole;\n" + set(parts, part) + mov + "%whole, " + parts.operand + ";\n" + mov +
                     again.operand + ", %whole;\n" + keep("%whole", bits, 0);
  std::uint64_t whole = 0;
  for (std::size_t e = 0; e < count; ++e)
    whole |= low(kPattern[e], part) << (static_cast<std::size_t>(part) * e);
  one.expected.push_back(whole);
  for (std::size_t e = 0; e < count; ++e) {
    body += keep(again.each[e], part, e + 1);
    one.expected.push_back(low(kPattern[e], part));
  }
  one.ptx = kernel(body);
  return one;
}

__extension__ using Wide = __int128;

Wide least_of(int bits, bool is_signed) { return is_signed ? -(Wide{1} << (bits - 1)) : Wide{0}; }
Wide most_of(int bits, bool is_signed) { return (Wide{1} << (is_signed ? bits - 1 : bits)) - 1; }

Wide value_of(std::uint64_t bits, const Type& type) {
  const std::uint64_t v = low(bits, type.bits);
  return type.is_signed ? Wide{static_cast<std::int64_t>(extend(v, type.bits, 64, true))} : Wide{v};
}

FormCase conversion(const Type& to, const Type& from, int to_width, int from_width, bool saturates) {
  const std::string suffix = std::string(saturates ? ".sat" : "") + "." + to.name + "." + from.name;
  FormCase one;
  one.name =
      "cvt" + suffix + " from " + std::to_string(from_width) + " to " + std::to_string(to_width) + " bits";
  const Registers source("a", from_width, 4, Notation::list), target("b", to_width, 4, Notation::list);
  std::string body = source.declaration + target.declaration + set(source, from_width);
  for (std::size_t e = 0; e < 4; ++e) {
    body += "  cvt" + suffix + " " + target.each[e] + ", " + source.each[e] + ";\n" +
            keep(target.each[e], to_width, e);
    Wide value = value_of(kPattern[e], from);
    if (saturates) value = std::clamp(value, least_of(to.bits, to.is_signed), most_of(to.bits, to.is_signed));
    one.expected.push_back(extend(static_cast<std::uint64_t>(value), to.bits, to_width, to.is_signed));
  }
  one.ptx = kernel(body);
  return one;
}

/// Returns true if some value of `from` is out of the range of `to`. PTX allows .sat only for conversions
/// with such a value.
bool may_overflow(const Type& from, const Type& to) {
  return least_of(from.bits, from.is_signed) < least_of(to.bits, to.is_signed) ||
         most_of(from.bits, from.is_signed) > most_of(to.bits, to.is_signed);
}

FormCase packed_conversion(const std::string& part, std::int32_t a, std::int32_t b, std::uint32_t c) {
  const int bits = part.substr(1) == "16" ? 16 : part.back() - '0';
  const bool is_signed = part.front() == 's';
  FormCase one;
  one.name = "cvt.pack.sat." + part + " of " + std::to_string(a) + ", " + std::to_string(b);
  std::string body = "  .reg .b32 %a<4>;\n  mov.s32 %a1, " + std::to_string(a) + ";\n  mov.s32 %a2, " +
                     std::to_string(b) + ";\n  mov.b32 %a3, " + std::to_string(c) + ";\n  cvt.pack.sat." +
                     part + ".s32" + (bits == 16 ? " %a0, %a1, %a2;\n" : ".b32 %a0, %a1, %a2, %a3;\n") +
                     keep("%a0", 32, 0);
  const auto clamped = [&](std::int32_t v) {
    return low(
        static_cast<std::uint64_t>(std::clamp(Wide{v}, least_of(bits, is_signed), most_of(bits, is_signed))),
        bits);
  };
  std::uint64_t d = clamped(b) | clamped(a) << bits;
  if (bits != 16) d |= std::uint64_t{c} << (2 * bits);
  one.expected = {low(d, 32)};
  one.ptx = kernel(body);
  return one;
}

}  // namespace

std::vector<std::uint8_t> data_bytes() {
  std::vector<std::uint8_t> bytes;
  for (int i = 0; i < 32; ++i) bytes.push_back(static_cast<std::uint8_t>(0x9d * (i + 1) + 0x61));
  return bytes;
}

std::vector<FormCase> memory_cases() {
  std::vector<FormCase> cases;
  for (const Place& place : kPlaces)
    for (const Type& type : kData)
      for (const int width : kWidths)
        for (const Shape& shape : kShapes)
          if (width >= type.bits) add_memory_case(cases, place, type, width, shape);
  return cases;
}

std::vector<FormCase> move_cases() {
  std::vector<FormCase> cases;
  for (const Type& type : kData) {
    if (type.bits == 8) continue;
    for (const std::size_t count : {2, 4})
      for (const Notation from : {Notation::list, Notation::vector_register})
        for (const Notation to : {Notation::list, Notation::vector_register})
          for (const bool is_swap : {false, true})
            if (count * static_cast<std::size_t>(type.bits) <= 128 ||
                (from == Notation::list && to == Notation::list))
              cases.push_back(vector_move(type, count, from, to, is_swap));
  }
  for (const auto& [bits, count] :
       std::initializer_list<std::pair<int, std::size_t>>{{32, 2}, {64, 2}, {64, 4}})
    for (const Notation notation : {Notation::list, Notation::vector_register})
      cases.push_back(pack_and_unpack(bits, count, notation));
  return cases;
}

std::vector<FormCase> conversion_cases() {
  std::vector<FormCase> cases;
  for (const Type& to : kData)
    for (const Type& from : kData) {
      if (to.name[0] == 'b' || from.name[0] == 'b' || to.name[0] == 'f' || from.name[0] == 'f') continue;
      for (const int to_width : kWidths)
        for (const int from_width : kWidths)
          for (const bool saturates : {false, true})
            if (to_width >= to.bits && from_width >= from.bits && (!saturates || may_overflow(from, to)))
              cases.push_back(conversion(to, from, to_width, from_width, saturates));
    }
  for (const char* part : {"u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"})
    for (const std::int32_t a : {0, 1, -1, 5, -7, 300, -300, 70000, -70000, 2147483647, -2147483647})
      cases.push_back(packed_conversion(part, a, 100 - a % 200, 0x12345678));
  for (const char* types : {"u32.u32.u32", "s32.u32.s32"})
    for (const auto& [op, sum] : std::initializer_list<std::pair<const char*, std::uint32_t>>{
             {"vadd", 0x80000003u}, {"vsub", 0x80000001u}}) {
      const std::string name = std::string(op) + "." + types;
      const std::string values =
          "  .reg .b32 %a<4>;\n  mov.b32 %a1, 0x80000002; mov.b32 %a2, 1; mov.b32 %a3, 0xfffffff0;\n";
      cases.push_back({name, kernel(values + "  " + name + " %a0, %a1, %a2;\n" + keep("%a0", 32, 0)), {sum}});
      cases.push_back({name + ".add",
                       kernel(values + "  " + name + ".add %a0, %a1, %a2, %a3;\n" + keep("%a0", 32, 0)),
                       {sum - 16}});
    }
  return cases;
}

std::vector<FormCase> set_cases() {
  std::vector<FormCase> cases;
  const std::string uses = "  .reg .b32 %v<2>;\n  mov.b32 %v0, 7; mov.b32 %v1, 9;\n";
  const auto add = [&](const std::string& space, const std::string& top, const std::string& declaration) {
    const std::string body = declaration + uses + "  st" + space + ".b32 [m0], %v0;\n  st" + space +
                             ".b32 [m2], %v1;\n  ld" + space + ".b32 %v1, [m0];\n" + keep("%v1", 32, 0) +
                             "  ld" + space + ".b32 %v1, [m2];\n" + keep("%v1", 32, 1);
    cases.push_back({"a set in " + space, kernel(body, top), {7, 9}});
  };
  add(".global", ".global .b32 m<3>;", {});
  add(".shared", ".shared .b32 m<3>;", {});
  add(".shared", {}, "  .shared .b32 m<3>;\n");
  add(".local", {}, "  .local .b32 m<3>;\n");
  add(".param", {}, "  .param .b32 m<3>;\n");
  cases.push_back(
      {"a set in .const",
       kernel("  .reg .b32 %v;\n  ld.const.b32 %v, [m2];\n" + keep("%v", 32, 0), ".const .b32 m<3>;"),
       {0}});
  const std::string callee =
      ".func (.param .b32 r) join(.param .b32 a, .param .b32 b)\n{ .reg .b32 %x<3>; ld.param.b32 %x0, [a];\n"
      "  ld.param.b32 %x1, [b]; shl.b32 %x1, %x1, 8; or.b32 %x2, %x0, %x1; st.param.b32 [r], %x2; ret; }";
  cases.push_back(
      {"a set of arguments",
       kernel("  .reg .b32 %v; .param .b32 %A<2>; .param .b32 %R;\n  st.param.b32 [%A0], 7; st.param.b32 "
              "[%A1], 9;\n  call.uni (%R), join, (%A0, %A1);\n  ld.param.b32 %v, [%R];\n" +
                  keep("%v", 32, 0),
              callee),
       {2311}});
  cases.push_back(
      {"registers of the module",
       kernel("  .reg .b32 %v; mov.b32 own, 5;\n  call.uni set_own, ();\n  add.u32 %v, own, one2;\n" +
                  keep("%v", 32, 0),
              ".reg .b32 own; .reg .u32 one<3>;\n.func set_own()\n{ add.u32 own, own, 30; mov.u32 one2, 1; "
              "ret; }"),
       {36}});
  return cases;
}

std::vector<FormCase> source_cases() {
  std::vector<FormCase> cases;
  for (const int width : {16, 32, 64})
    for (const std::int64_t constant : {1, 40, -3}) {
      const std::string w = std::to_string(width), sum = "%a0+" + std::to_string(constant);
      const Registers source("a", width, 2, Notation::list), target("b", width, 2, Notation::list);
      const std::string begin = source.declaration + target.declaration + set(source, width);
      const std::uint64_t a = low(kPattern[0], width),
                          b = low(a + static_cast<std::uint64_t>(constant), width);
      const auto add = [&](const std::string& text, std::uint64_t expected) {
        cases.push_back(
            {text, kernel(begin + "  " + text + "\n" + keep("%b0", width, 0)), {low(expected, width)}});
      };
      add("mov.b" + w + " %b0, " + sum + ";", b);
      add("add.u" + w + " %b0, " + sum + ", %a0;", a + b);
      add("sub.s" + w + " %b0, %a0, " + sum + ";", a - b);
      add("xor.b" + w + " %b0, " + sum + ", " + sum + ";", 0);
      add("shl.b" + w + " %b0, " + sum + ", 3;", b << 3);
      cases.push_back({"st.u" + w + " of " + sum,
                       kernel(begin + "  st.global.u64 [%o], 0; st.global.u" + w + " [%o], " + sum + ";\n"),
                       {b}});
    }
  for (const int count : {2, 4}) {
    const std::string v = ".reg .v" + std::to_string(count) + " .b32 ";
    const std::string turn = ".func (" + v + "%r) turn(" + v + "%q, .reg .b32 %n)\n{ .reg .b32 %t;\n  mov.v" +
                             std::to_string(count) +
                             ".b32 %r, %q; mov.b32 %t, %q.x; add.u32 %r.x, %q.y, %n; "
                             "add.u32 %r.y, %t, %n; ret; }";
    {
      const Registers a("a", 32, static_cast<std::size_t>(count), Notation::vector_register);
      FormCase one;
      one.name = "a function of vectors of " + std::to_string(count);
      std::string body =
          a.declaration + set(a, 32) + "  call (" + a.operand + "), turn, (" + a.operand + ", 5);\n";
      for (std::size_t e = 0; e < static_cast<std::size_t>(count); ++e) {
        body += keep(a.each[e], 32, e);
        one.expected.push_back(e < 2 ? low(kPattern[1 - e] + 5, 32) : low(kPattern[e], 32));
      }
      one.ptx = kernel(body, turn);
      cases.push_back(std::move(one));
    }
  }
  return cases;
}

std::string refused_module(const RefusedCase& one) {
  return ".version 8.8\n.target sm_100\n.address_size 64\n.visible .entry k()\n{\n .reg .b16 %h<9>; .reg "
         ".b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<9>; .reg .pred %p<9>;\n" +
         one.text + "\n ret; }\n";
}

std::vector<RefusedCase> refused_cases() {
  return {{"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1}, {%r4,%r5}, "
           "{%f0,%f1,%f2,%f3}, %r6, 0;",
           "sparse matrix products"},
          {"tcgen05.fence::before_thread_sync;", "matrix instructions"},
          {"cp.async.bulk.commit_group;", "bulk copies (cp.async.bulk)"},
          {"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%d0], 4;", "transaction counts of mbarriers"},
          {"ld.global.v8.b32 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%d0];", "vectors of 8"},
          {"add.rn.f32x2 %d0, %d1, %d2;", "packed floats"},
          {".reg .b8 %b; cvt.rn.satfinite.e2m1x2.f32 %b, %f0, %f1;", "4-bit floats"},
          {".reg .b128 %q; ld.global.b128 %q, [%d1];", "128-bit operands"},
          {"st.shared::cluster.b32 [%r0], %r1;", "clusters"},
          {"fence.proxy.async;", "proxy fences"},
          {"min.xorsign.abs.f32 %f0, %f1, %f2;", "minimum and maximum with .xorsign"},
          {"fma.rn.oob.f16 %h0, %h1, %h2, %h3;", "fused multiply-adds with .oob"},
          {"vmin2.s32.s32.s32 %r0, %r1, %r2, %r3;", "video instructions"},
          {"alloca.u64 %d0, 16;", "stack allocation (alloca)"},
          {"elect.sync %r0|%p0, -1;", "elect.sync"},
          {"setmaxnreg.inc.sync.aligned.u32 64;", "setmaxnreg"},
          {"multimem.ld_reduce.relaxed.sys.global.add.f32 %f0, [%d0];", "multimem"},
          {".param .b32 %s<2>; .reg .b128 %q; mov.b128 %q, {%d0, %d1};", "128-bit operands"}};
}

}  // namespace heddle::operand_forms
